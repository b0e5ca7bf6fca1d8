package schemas

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

//go:embed both v1 v2
var files embed.FS

// Files are the definitions of this package as they are written: one file per topic, in the folders both (what the
// protocol versions have in common), v1 and v2, each with a folder unstable for what needs an opt-in.
// https://agentclientprotocol.com/protocol/v1/schema
func Files() fs.FS { return files }

type layeredEdition struct {
	name     string
	protocol int
	folders  []string
	catalog  []methodRow
}

// ours are the editions that this package brings, and the folders that each one is made of, lowest layer first. It is
// the only list of them.
var ours = []layeredEdition{
	{"v1", 1, []string{"both", "v1"}, catalogV1},
	{"v1-unstable", 1, []string{"both", "v1", "both/unstable", "v1/unstable"}, slices.Concat(catalogV1, catalogUnstable)},
	{"v2", 2, []string{"both", "v2"}, catalogV2},
	{"v2-unstable", 2, []string{"both", "v2", "both/unstable", "v2/unstable"}, slices.Concat(catalogV2, catalogUnstable)},
}

// Book is a set of editions. It never changes, and any number of goroutines may use it.
// https://agentclientprotocol.com/protocol/v1/schema
type Book struct{ editions []*Edition }

// Ours is the book that this package brings. Each edition is compiled when it is first used, once per process.
// https://agentclientprotocol.com/protocol/v1/schema
func Ours() *Book { return ourBook() }

var ourBook = sync.OnceValue(func() *Book {
	b := layered(files)
	for _, e := range b.editions {
		e.plain = true
	}
	return b
})

// layered makes a book of files that are arranged like our own.
func layered(fsys fs.FS) *Book {
	b := &Book{}
	for _, row := range ours {
		b.add(newEdition(row.name, row.protocol, func() (map[string]map[string]any, []methodRow, error) {
			docs, err := mergeLayers(fsys, row.folders)
			return docs, row.catalog, err
		}))
	}
	return b
}

// add appends an edition; an unstable one comes behind the stable one that it extends.
func (b *Book) add(e *Edition) {
	if n := len(b.editions); n > 0 && b.editions[n-1].protocol == e.protocol {
		e.narrower, b.editions[n-1].wider = b.editions[n-1], e
	}
	b.editions = append(b.editions, e)
}

// Edition returns the stable or the unstable edition of a protocol version, as initialize negotiates it; nil if the
// book has none. https://agentclientprotocol.com/protocol/v1/initialization
func (b *Book) Edition(protocol int, stable bool) *Edition {
	for _, e := range b.editions {
		if e.protocol == protocol && e.Stable() == stable {
			return e
		}
	}
	return nil
}

// Edition is one published set of definitions: the stable or the unstable one of a protocol version. The unstable one
// holds everything that the stable one has, and more. https://agentclientprotocol.com/protocol/v1/schema
type Edition struct {
	name     string
	protocol int
	narrower *Edition // of an unstable edition: the stable one
	wider    *Edition // of a stable edition: the unstable one, if the book has it
	source   func() (*source, error)
	plain    bool // see validator
	valid    memo // parts in which Check found nothing
	known    memo // parts in which UnknownMembers found nothing
}

// source is what an edition says, read from its files.
type source struct {
	methods   []methodRow
	raw       map[string]any   // the definitions and helpers as they are written
	nodes     map[string]*node // the same, ready to be walked
	validator *validator
}

func newEdition(name string, protocol int, read func() (map[string]map[string]any, []methodRow, error)) *Edition {
	e := &Edition{name: name, protocol: protocol}
	e.source = sync.OnceValues(func() (*source, error) {
		src, err := prepare(read, e.plain)
		if err != nil {
			return nil, fmt.Errorf("edition %s: %w", name, err)
		}
		return src, nil
	})
	return e
}

func prepare(read func() (map[string]map[string]any, []methodRow, error), plain bool) (*source, error) {
	docs, methods, err := read()
	if err != nil {
		return nil, err
	}
	src := &source{methods: methods}
	if src.raw, err = flatten(docs); err != nil {
		return nil, err
	}
	if src.nodes, err = parse(src.raw); err != nil {
		return nil, err
	}
	src.validator = newValidator(src.raw, plain)
	return src, nil
}

// Name is "v1", "v1-unstable", "v2" or "v2-unstable".
func (e *Edition) Name() string { return e.name }

// Protocol is the version that initialize negotiates: https://agentclientprotocol.com/protocol/v1/initialization
func (e *Edition) Protocol() int { return e.protocol }

// Stable tells whether nothing of the edition needs an opt-in: https://agentclientprotocol.com/protocol/v1/schema
func (e *Edition) Stable() bool { return !strings.HasSuffix(e.name, "-unstable") }

// Compile reads and compiles the whole edition now, which otherwise happens bit by bit when it is used, and tells what is
// wrong with its files. https://agentclientprotocol.com/protocol/v1/schema
func (e *Edition) Compile() error {
	src, err := e.source()
	if err != nil {
		return fmt.Errorf("schemas: %w", err)
	}
	for _, name := range sortedKeys(src.raw) {
		if _, err := src.validator.compile(name); err != nil {
			return fmt.Errorf("schemas: edition %s: %s: %w", e.name, name, err)
		}
	}
	return nil
}

// Definitions are the names of all definitions, sorted: https://agentclientprotocol.com/protocol/v1/schema
func (e *Edition) Definitions() []string {
	src, err := e.source()
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(sortedKeys(src.raw), func(name string) bool { return strings.HasPrefix(name, "_") })
}

// Updates are the names that the sessionUpdate member may have, sorted:
// https://agentclientprotocol.com/protocol/v1/schema#sessionupdate
func (e *Edition) Updates() []string {
	def, f := e.find("SessionUpdate")
	switch {
	case f != nil:
		return nil
	case def.sw != nil:
		return slices.Clone(def.sw.names)
	}
	_, names := discriminator(def.anyOf)
	return names
}

// UnstableUpdate reports whether a sessionUpdate name exists in the unstable edition only, so that a rule can tell a peer
// that is ahead of the stable edition from one that made a name up.
// https://agentclientprotocol.com/protocol/v1/draft/schema
func (e *Edition) UnstableUpdate(name string) bool {
	stable, unstable := e, e.wider
	switch {
	case e.narrower != nil:
		stable, unstable = e.narrower, e
	case unstable == nil:
		unstable = Ours().Edition(e.protocol, false) // someone's schemas of the stable edition alone
	}
	return unstable != nil && slices.Contains(unstable.Updates(), name) && !slices.Contains(stable.Updates(), name)
}
