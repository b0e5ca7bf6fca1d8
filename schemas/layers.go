package schemas

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"regexp"
	"strings"
)

// mergeLayers reads every file of the folders. Files of one name become one document: a later layer adds members,
// cases and definitions to an earlier one, and never takes away or changes what is there.
func mergeLayers(fsys fs.FS, folders []string) (map[string]map[string]any, error) {
	docs := map[string]map[string]any{}
	for _, folder := range folders {
		names, err := fs.Glob(fsys, path.Join(folder, "*.json"))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			doc, err := readDocument(fsys, name)
			if err != nil {
				return nil, err
			}
			topic := path.Base(name)
			if docs[topic] == nil {
				docs[topic] = doc
			} else if err := merge(docs[topic], doc, "#"); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return docs, nil
}

func readDocument(fsys fs.FS, name string) (map[string]any, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	var doc map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil || doc == nil {
		return nil, fmt.Errorf("%s is not a JSON object: %s", name, whereBroken(text, err))
	}
	if rest := bytes.TrimSpace(text[d.InputOffset():]); len(rest) > 0 {
		return nil, fmt.Errorf("%s holds more than one JSON object", name)
	}
	return doc, nil
}

var definitionName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// flatten puts the definitions of all documents into one name space and writes their references as bare names.
func flatten(docs map[string]map[string]any) (map[string]any, error) {
	all, topics := map[string]any{}, map[string]string{}
	for _, topic := range sortedKeys(docs) {
		defs, _ := docs[topic]["$defs"].(map[string]any)
		for name, def := range defs {
			if !definitionName.MatchString(name) {
				return nil, fmt.Errorf("%s defines %q, which is no name of a definition", topic, name)
			}
			if first, ok := topics[name]; ok {
				return nil, fmt.Errorf("%s defines %s, as does %s", topic, name, first)
			}
			all[name], topics[name] = def, topic
		}
	}
	for _, name := range sortedKeys(all) {
		if err := bareNames(all[name], topics[name], topics); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", topics[name], name, err)
		}
	}
	return all, nil
}

// bareNames rewrites the references in a schema of a topic.
func bareNames(v any, topic string, topics map[string]string) error {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if err := bareNames(item, topic, topics); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, sub := range v {
			ref, ok := sub.(string)
			switch key {
			case "default", "enum", "const":
				continue // values, not schemas
			case "properties", "cases":
				if members, ok := sub.(map[string]any); ok { // whose keys are names
					for _, name := range sortedKeys(members) {
						if err := bareNames(members[name], topic, topics); err != nil {
							return err
						}
					}
					continue
				}
			}
			if key != "$ref" || !ok {
				if err := bareNames(sub, topic, topics); err != nil {
					return err
				}
				continue
			}
			file, name, _ := strings.Cut(ref, "#/$defs/")
			if topics[name] != cmp.Or(file, topic) {
				return fmt.Errorf("there is no %s", ref)
			}
			v[key] = name
		}
	}
	return nil
}

// merge adds the members of an object to another: objects grow, lists are appended to, anything else has to be the same.
func merge(into, from map[string]any, at string) error {
	for key, v := range from {
		old, ok := into[key]
		if !ok || key == "$comment" {
			into[key] = v
			continue
		}
		switch old := old.(type) {
		case map[string]any:
			if v, ok := v.(map[string]any); ok {
				if err := merge(old, v, at+"/"+key); err != nil {
					return err
				}
				continue
			}
		case []any:
			if v, ok := v.([]any); ok {
				into[key] = append(old[:len(old):len(old)], v...)
				continue
			}
		}
		if !reflect.DeepEqual(old, v) {
			return fmt.Errorf("%s/%s is %v in an earlier layer, and a layer only adds", at, key, old)
		}
	}
	return nil
}
