package schemas

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// published are the files of an official release, in a directory for each version or all by themselves.
var published = []struct{ name, file string }{
	{"v1", "v1/schema.json"},
	{"v1-unstable", "v1/schema.unstable.json"},
	{"v2", "v2/schema.json"},
	{"v2-unstable", "v2/schema.unstable.json"},
}

// Open makes a book of schema files: of an official release (v1/schema.json, v1/schema.unstable.json, v2/schema.json,
// v2/schema.unstable.json, those that there are; or a schema.json and schema.unstable.json of version 1 alone), or of
// files that are arranged like Files. The error
// names the file and what is wrong with it; see Edition.Compile as well. https://agentclientprotocol.com/protocol/v1/schema
func Open(fsys fs.FS) (*Book, error) {
	b := &Book{}
	for _, prefix := range []string{"", "v1/"} {
		for _, p := range published {
			file, ok := strings.CutPrefix(p.file, prefix)
			if _, err := fs.Stat(fsys, file); ok && err == nil {
				b.add(officialEdition(fsys, p.name, file))
			}
		}
		if len(b.editions) > 0 {
			break
		}
	}
	if len(b.editions) == 0 {
		if names, _ := fs.Glob(fsys, "both/*.json"); len(names) == 0 {
			return nil, errors.New("there is no schema.json, v1/schema.json or v2/schema.json in it")
		}
		b = layered(fsys)
		b.editions = slices.DeleteFunc(b.editions, func(e *Edition) bool {
			names, _ := fs.Glob(fsys, "v"+strconv.Itoa(e.protocol)+"/*.json")
			return len(names) == 0 // a copy of one version only
		})
	}
	for _, e := range b.editions {
		if _, err := e.source(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// officialEdition reads one published file. Its methods stand in the definitions themselves.
func officialEdition(fsys fs.FS, name, file string) *Edition {
	var e *Edition
	e = newEdition(name, int(name[1]-'0'), func() (map[string]map[string]any, []methodRow, error) {
		doc, err := readDocument(fsys, file)
		if err != nil {
			return nil, nil, err
		}
		methods, err := publishedMethods(doc)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		if e.narrower != nil {
			e.narrower.markUnstable(methods)
		}
		return map[string]map[string]any{"": {"$defs": doc["$defs"]}}, methods, nil
	})
	return e
}

// publishedMethods are the methods that the definitions of a published file name, with the side that handles each.
func publishedMethods(doc map[string]any) ([]methodRow, error) {
	defs, _ := doc["$defs"].(map[string]any)
	var rows []methodRow
	for _, name := range sortedKeys(defs) {
		def, _ := defs[name].(map[string]any)
		method, _ := def["x-method"].(string)
		handler, _ := def["x-side"].(string)
		if method == "" {
			continue
		}
		senders := map[string][]Side{"agent": fromClient, "client": fromAgent, "protocol": fromBoth, "proxy": fromProxy}[handler]
		row := methodRow{method: method, senders: senders, params: name}
		switch {
		case senders == nil:
			return nil, fmt.Errorf("%s has the unknown x-side %q", name, handler)
		case strings.HasSuffix(name, "Notification"):
			rows = append(rows, row)
		case strings.HasSuffix(name, "Request"):
			row.result = strings.TrimSuffix(name, "Request") + "Response"
			if defs[row.result] == nil {
				return nil, fmt.Errorf("%s has no %s", name, row.result)
			}
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("no definition has an x-method: is it a schema of the Agent Client Protocol?")
	}
	return rows, nil
}

// markUnstable marks the methods that a stable edition does not have.
func (e *Edition) markUnstable(rows []methodRow) {
	src, err := e.source()
	for i := range rows {
		rows[i].unstable = err == nil && !slices.ContainsFunc(src.methods, func(r methodRow) bool { return r.params == rows[i].params })
	}
}
