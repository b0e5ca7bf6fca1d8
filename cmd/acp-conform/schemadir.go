package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/schemas"
)

// schemaLayout says what --schema expects.
const schemaLayout = "give a directory with v1/schema.json or schema.json as the protocol publishes them, or with the folders both, v1 and v2 like schemas/ of this program"

// source is where definitions are taken from: the flags that the main job and the command schema have in common.
type source struct {
	protocol   int
	stableOnly bool
	schemaDir  string // of --schema, "" = the definitions of this program
}

// open reads the definitions and finds the edition that is meant: the widest one of the version, or the stable one.
func (s source) open() (*schemas.Book, *schemas.Edition, error) {
	if s.schemaDir == "" {
		book := schemas.Ours()
		return book, s.edition(book), nil
	}
	book, edition, err := s.read()
	if err != nil {
		return nil, nil, fmt.Errorf("--schema %s: %w", s.schemaDir, err)
	}
	return book, edition, nil
}

// read reads the directory, and all of the edition, so that a fault in it shows before an agent is started. What a directory
// should hold is only said of one in which nothing was found.
func (s source) read() (*schemas.Book, *schemas.Edition, error) {
	if err := isDir(s.schemaDir); err != nil {
		return nil, nil, fmt.Errorf("%w; %s", err, schemaLayout)
	}
	book, err := schemas.Open(regularFS{os.DirFS(s.schemaDir)})
	switch {
	case errors.Is(err, schemas.ErrNoSchemas):
		return nil, nil, fmt.Errorf("%w; %s", err, schemaLayout)
	case err != nil:
		return nil, nil, err
	}
	edition := s.edition(book)
	if edition == nil {
		stable := ""
		if s.stableOnly {
			stable = "stable "
		}
		return nil, nil, fmt.Errorf("it has no %sdefinitions of version %d of the protocol, which stand in v%[2]d/schema.json", stable, s.protocol)
	}
	if err := edition.Compile(); err != nil {
		return nil, nil, err
	}
	return book, edition, nil
}

// edition is the one that is meant, nil if there is none.
func (s source) edition(book *schemas.Book) *schemas.Edition {
	e := book.Edition(s.protocol, s.stableOnly)
	if e == nil && !s.stableOnly {
		e = book.Edition(s.protocol, true)
	}
	if e != nil && s.stableOnly && e.Name() != fmt.Sprintf("v%d", s.protocol) {
		return nil // the unstable edition stands alone
	}
	return e
}

// place is the directory as an absolute path, for whoever runs the command again from elsewhere.
func (s source) place() (string, error) {
	if s.schemaDir == "" {
		return "", nil
	}
	abs, err := filepath.Abs(s.schemaDir)
	if err != nil {
		return "", fmt.Errorf("--schema %s: %w", s.schemaDir, err)
	}
	return abs, nil
}

// checkGiven refuses an empty name, which would otherwise pass for no flag at all.
func (s source) checkGiven(c *cobra.Command) error {
	if s.schemaDir == "" && c.Flags().Changed("schema") {
		return errors.New("--schema: no directory is named; " + schemaLayout)
	}
	return nil
}

func completeDirs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}
