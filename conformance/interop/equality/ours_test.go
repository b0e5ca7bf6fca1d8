package equality

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// folders are the layers of each of our editions, as schemas.Files has them.
var folders = map[string][]string{
	"v1":          {"both", "v1"},
	"v1-unstable": {"both", "v1", "both/unstable", "v1/unstable"},
	"v2":          {"both", "v2"},
	"v2-unstable": {"both", "v2", "both/unstable", "v2/unstable"},
}

// written gives all definitions and helpers of one of our editions as its files have them, put together. It is a second
// reading of the layers, beside the one of package schemas, which shows no helpers.
func written(fsys fs.FS, edition string) (map[string]any, error) {
	defs := map[string]any{}
	for _, folder := range folders[edition] {
		names, err := fs.Glob(fsys, path.Join(folder, "*.json"))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			doc, err := readJSON(fsys, name)
			if err != nil {
				return nil, err
			}
			join(defs, doc["$defs"].(map[string]any))
		}
	}
	return defs, nil
}

func readJSON(fsys fs.FS, name string) (map[string]any, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	var doc map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return doc, d.Decode(&doc)
}

func join(into, from map[string]any) {
	for key, v := range from {
		switch v := v.(type) {
		case map[string]any:
			if old, ok := into[key].(map[string]any); ok {
				join(old, v)
				continue
			}
		case []any:
			if old, ok := into[key].([]any); ok {
				into[key] = slices.Concat(old, v)
				continue
			}
		}
		into[key] = v
	}
}

// target gives the name of the definition that a reference means.
func target(ref any) string {
	text, _ := ref.(string)
	return text[strings.LastIndex(text, "/")+1:]
}

// targets collects all names that a schema refers to.
func targets(schema any, found map[string]bool) {
	switch schema := schema.(type) {
	case []any:
		for _, sub := range schema {
			targets(sub, found)
		}
	case map[string]any:
		for key, sub := range schema {
			if key == "$ref" {
				found[target(sub)] = true
			} else {
				targets(sub, found)
			}
		}
	}
}

// users gives the definitions that reach a name, itself first and then by their distance: where a change of it can show.
func users(defs map[string]any, name string) []string {
	refers := map[string]map[string]bool{}
	for user, def := range defs {
		refers[user] = map[string]bool{}
		targets(def, refers[user])
	}
	found := []string{name}
	for i := 0; i < len(found); i++ {
		for _, user := range slices.Sorted(maps.Keys(refers)) {
			if refers[user][found[i]] && !slices.Contains(found, user) {
				found = append(found, user)
			}
		}
	}
	return slices.DeleteFunc(found, func(name string) bool { return strings.HasPrefix(name, "_") })
}
