package schemas

import "embed"

//go:embed v1/*.json
var files embed.FS

// edition is one set of definitions: a protocol version, stable or not.
// A later edition that only adds to another one is a further row here, with the folders it is made of.
type edition struct {
	name     string // as in Definition.Edition
	protocol int    // the number that initialize negotiates
	folders  []string
	catalog  *catalog
	load     func() (*compiled, error) // compiles at the first use, once per process
}

// editions is the only list of what this package knows. It never changes while the program runs.
var editions = []*edition{
	newEdition("v1", 1, &catalogV1, "v1"),
}

func editionOf(protocol int) *edition {
	for _, e := range editions {
		if e.protocol == protocol {
			return e
		}
	}
	return nil
}

func editionNamed(name string) *edition {
	for _, e := range editions {
		if e.name == name {
			return e
		}
	}
	return nil
}
