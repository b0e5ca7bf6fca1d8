package schemas

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// Open makes a book of schema files: of an official release (v1/schema.json, v1/schema.unstable.json, v2/schema.json,
// v2/schema.unstable.json, those that there are; or a schema.json and schema.unstable.json of one version), or of files that
// are arranged like Files. The error names the file and what is wrong with it; see Edition.Compile as well.
// https://agentclientprotocol.com/protocol/v1/schema
func Open(fsys fs.FS) (*Book, error) {
	b := &Book{}
	for _, version := range []int{1, 2} {
		b.addOfficial(fsys, version, "v"+strconv.Itoa(version)+"/")
	}
	if len(b.editions) == 0 {
		b.addOfficial(fsys, versionIn(fsys, "schema.json", "schema.unstable.json"), "")
	}
	if len(b.editions) > 0 {
		return b, b.read()
	}
	if names, _ := fs.Glob(fsys, "both/*.json"); len(names) == 0 {
		return nil, ErrNoSchemas
	}
	b = layered(fsys)
	b.editions = slices.DeleteFunc(b.editions, func(e *Edition) bool {
		names, _ := fs.Glob(fsys, "v"+strconv.Itoa(e.protocol)+"/*.json")
		return len(names) == 0 // a copy of one version only
	})
	if err := sameFiles(fsys, b); err != nil {
		return nil, err
	}
	return b, b.read()
}

// addOfficial adds the editions of a version whose files are in a folder.
func (b *Book) addOfficial(fsys fs.FS, version int, folder string) {
	for _, p := range []struct{ suffix, file string }{{"", "schema.json"}, {"-unstable", "schema.unstable.json"}} {
		if _, err := fs.Stat(fsys, folder+p.file); err == nil {
			b.add(officialEdition(fsys, "v"+strconv.Itoa(version)+p.suffix, version, folder+p.file))
		}
	}
}

// versionIn is the version of files that stand by themselves: 2 if one of them can only be of version 2, otherwise 1.
func versionIn(fsys fs.FS, names ...string) int {
	for _, name := range names {
		if doc, err := readDocument(fsys, name); err == nil {
			if methods, err := publishedMethods(doc); err == nil && versionOf(methods) == 2 {
				return 2
			}
		}
	}
	return 1
}

// versionOf tells the version by methods that only one of them has; 0 if there is none.
func versionOf(rows []methodRow) int {
	for _, own := range []struct {
		method  string
		version int
	}{{"auth/login", 2}, {"authenticate", 1}, {"session/load", 1}, {"session/set_mode", 1}} {
		if slices.ContainsFunc(rows, func(r methodRow) bool { return r.method == own.method }) {
			return own.version
		}
	}
	return 0
}

// ErrNoSchemas is the error of Open for a directory in which nothing looks like the schemas of the protocol.
var ErrNoSchemas = errors.New("there is no schema.json, v1/schema.json or v2/schema.json in it")

// read reads every edition, which otherwise happens when it is first used.
func (b *Book) read() error {
	for _, e := range b.editions {
		src, err := e.source()
		if err != nil {
			return err
		}
		for _, row := range src.methods {
			for _, name := range []string{row.params, row.result} {
				if name != "" && src.nodes[name] == nil {
					return fmt.Errorf("edition %s: there is no definition %s", e.name, name)
				}
			}
		}
	}
	return nil
}

// sameFiles finds files that a changed copy of our own lacks: without one, definitions would be missing, or be there in part.
func sameFiles(fsys fs.FS, b *Book) error {
	for _, e := range b.editions {
		row := ours[slices.IndexFunc(ours, func(o layeredEdition) bool { return o.name == e.name })]
		for _, folder := range row.folders {
			names, _ := fs.Glob(files, folder+"/*.json")
			for _, name := range names {
				if _, err := fs.Stat(fsys, name); err != nil {
					return fmt.Errorf("edition %s: there is no %s", e.name, name)
				}
			}
		}
	}
	return nil
}

// officialEdition reads one published file. Its methods stand in the definitions themselves.
func officialEdition(fsys fs.FS, name string, version int, file string) *Edition {
	var e *Edition
	e = newEdition(name, version, func() (map[string]map[string]any, []methodRow, error) {
		doc, err := readDocument(fsys, file)
		if err != nil {
			return nil, nil, err
		}
		methods, err := publishedMethods(doc)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		if v := versionOf(methods); v != 0 && v != e.protocol {
			return nil, nil, fmt.Errorf("%s holds version %d of the protocol", file, v)
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
