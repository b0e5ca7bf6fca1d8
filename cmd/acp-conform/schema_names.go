package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/reports"
	"github.com/acp-conform/acp-conform/schemas"
)

// command is the command schema with the flags that say which definitions are meant.
func (o schemaOptions) command() string {
	s := programName + " schema"
	if o.protocol != defaultProtocol {
		s += fmt.Sprintf(" --protocol %d", o.protocol)
	}
	if o.stableOnly {
		s += " --stable-only"
	}
	if o.schemaDir != "" {
		s += " --schema " + shellWord(o.schemaDir)
	}
	return s
}

// shellWord writes a word so that a shell reads it as it is.
func shellWord(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("@%+=:,./_-", r))
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(reports.Printable(word), "'", `'\''`) + "'"
}

// called names an edition, and where it comes from if that is not this program.
func (o schemaOptions) called(e *schemas.Edition) string {
	if o.schemaDir == "" {
		return e.Name()
	}
	return e.Name() + " of " + reports.Printable(o.schemaDir)
}

// names are the methods, and the definitions as well, for completion: none if something is wrong with the flags.
func (o schemaOptions) names(definitions bool) []string {
	_, edition, err := o.open()
	if err != nil || edition == nil {
		return nil
	}
	return namesIn(edition, definitions)
}

// complete completes a flag by names of the edition that is meant.
func (o *schemaOptions) complete(names func(*schemas.Edition) []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		_, edition, err := o.open()
		if err != nil || edition == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return names(edition), cobra.ShellCompDirectiveNoFileComp
	}
}

func namesIn(e *schemas.Edition, definitions bool) []string {
	var names []string
	for _, d := range e.Methods() {
		names = append(names, d.Method)
	}
	names = slices.Compact(names)
	if definitions {
		names = append(names, e.Definitions()...)
	}
	return names
}

// unknownName says where a name is defined that the edition lacks, or which one was probably meant. What is the kind of name:
// "method", "definition" or "method or definition".
func (o schemaOptions) unknownName(book *schemas.Book, e *schemas.Edition, name, what string) error {
	known := func(e *schemas.Edition) []string {
		switch {
		case e == nil:
			return nil
		case what == "definition":
			return e.Definitions()
		}
		return namesIn(e, what != "method")
	}
	for _, protocol := range []int{o.protocol, 3 - o.protocol} {
		switch {
		case !slices.Contains(known(source{protocol: protocol}.edition(book)), name):
		case protocol == o.protocol:
			return fmt.Errorf("%s is not in the stable edition %s: it is unstable; leave out --stable-only", name, o.called(e))
		default:
			return fmt.Errorf("%s is not in version %d of the protocol, but in version %d: add --protocol %d", name, o.protocol, protocol, protocol)
		}
	}
	if o.schemaDir != "" && book.Edition(o.protocol, false) == nil && slices.Contains(known(schemas.Ours().Edition(o.protocol, false)), name) {
		return fmt.Errorf("%s is not in the stable edition %s: it may be unstable, but there is no %s", name, o.called(e), o.unstableFile())
	}
	return fmt.Errorf("edition %s has no %s %q%s; `%s` lists the methods", o.called(e), what, name, hintAt(e, name, what, known(e)), o.command())
}

// hintAt says what was probably meant by a name that an edition lacks.
func hintAt(e *schemas.Edition, name, what string, names []string) string {
	switch i := slices.IndexFunc(names, func(s string) bool { return name != "" && strings.HasSuffix(s, "/"+name) }); {
	case what == "method" && slices.Contains(e.Definitions(), name):
		return fmt.Sprintf(" (that is a definition: --definition %s)", name)
	case what == "definition" && slices.Contains(namesIn(e, false), name):
		return fmt.Sprintf(" (that is a method: --method %s)", name)
	case i >= 0:
		return fmt.Sprintf(" (did you mean %q?)", names[i])
	}
	if near, ok := nearest(name, names); ok {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// unstableFile is the file in which the unstable edition would be.
func (o schemaOptions) unstableFile() string {
	folder := fmt.Sprintf("v%d", o.protocol)
	if _, err := os.Stat(filepath.Join(o.schemaDir, folder)); err != nil {
		folder = ""
	}
	return reports.Printable(filepath.Join(o.schemaDir, folder, "schema.unstable.json"))
}
