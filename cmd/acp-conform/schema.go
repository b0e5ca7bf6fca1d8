package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/schemas"
)

const schemaLong = `schema lists the methods of the protocol. With a METHOD, or the name of a definition such as ToolCall, it prints the JSON
Schemas (draft 2020-12) that describe what is sent under it, as one document for any validator. With --check it judges
the params or the result of a message by them; members that nobody knows and strings that look wrong are noted, but
make nothing invalid.

Exit codes: 0, 1 if what was checked is not valid, 2 if the command line is wrong.`

const schemaExamples = `  acp-conform schema                                    every method of version 1
  acp-conform schema --protocol 2 --stable-only         of version 2, without what needs an opt-in
  acp-conform schema session/update | jq '."$defs".Plan'
  acp-conform schema --check params.json --method session/new
  acp-conform schema --check - --method session/prompt --kind result < result.json`

// schemaOptions are the flags of the command schema as they were typed.
type schemaOptions struct {
	source
	format                      string
	check, method, kind, sender string
}

func (p *program) schemaCommand() *cobra.Command {
	var o schemaOptions
	c := &cobra.Command{
		Use:     "schema [METHOD]",
		Short:   "Print the JSON Schemas of the protocol, or judge one message by them",
		Long:    schemaLong,
		Example: schemaExamples,
		Args:    cobra.ArbitraryArgs,
		RunE:    func(c *cobra.Command, args []string) error { return p.schema(c, o, args) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return o.names(true), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.IntVar(&o.protocol, "protocol", defaultProtocol, "the `VERSION` of the protocol: 1 or 2")
	f.BoolVar(&o.stableOnly, "stable-only", false, "leave out what needs an opt-in")
	f.StringVar(&o.schemaDir, "schema", "", "take the schemas in `DIR` instead: a release of the protocol, or folders like schemas/")
	formatFlag(c, &o.format)
	f.StringVar(&o.check, "check", "", "judge the params or the result in `FILE`; - is stdin")
	f.StringVar(&o.method, "method", "", "what is checked belongs to `METHOD`")
	f.StringVar(&o.kind, "kind", "", "what is checked is of this `KIND`: request or notification (its params), or result")
	f.StringVar(&o.sender, "sender", "", "what is checked is sent by this `SIDE`, client or agent, where a method goes both ways")
	for flag, complete := range map[string]cobra.CompletionFunc{
		"schema": completeDirs,
		"method": func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return o.names(false), cobra.ShellCompDirectiveNoFileComp
		},
		"kind":     cobra.FixedCompletions(words(kinds), cobra.ShellCompDirectiveNoFileComp),
		"sender":   cobra.FixedCompletions(words(sides), cobra.ShellCompDirectiveNoFileComp),
		"protocol": cobra.FixedCompletions([]string{"1", "2"}, cobra.ShellCompDirectiveNoFileComp),
	} {
		_ = c.RegisterFlagCompletionFunc(flag, complete)
	}
	return c
}

func (p *program) schema(c *cobra.Command, o schemaOptions, args []string) error {
	if err := o.consistent(c, args); err != nil {
		return err
	}
	book, edition, err := o.open()
	if err != nil {
		return err
	}
	switch {
	case o.check != "":
		return p.checkPart(o, book, edition)
	case len(args) == 1:
		return p.printSchema(o, book, edition, args[0])
	}
	return p.listMethods(edition, o.format)
}

// consistent finds flags that mean nothing together.
func (o schemaOptions) consistent(c *cobra.Command, args []string) error {
	given := c.Flags().Changed
	check := given("check")
	switch {
	case o.protocol != 1 && o.protocol != 2:
		return fmt.Errorf("--protocol %d: there is no such version of the protocol; there are 1 and 2", o.protocol)
	case len(args) > 1:
		return fmt.Errorf("schema takes one METHOD, but %d were given", len(args))
	case check && len(args) > 0:
		return fmt.Errorf("--check judges a file, %q alone prints schemas: leave out one of them; the method of what is checked is written --method %s", args[0], args[0])
	case check && o.check == "":
		return errors.New("--check: no file is named; name one, or - for stdin")
	case check && o.method == "":
		return fmt.Errorf("--check: add what it is judged by, such as --method session/prompt --kind result; `%s` lists the methods", o.list())
	case check && given("format"):
		return errors.New("--format goes with the list of methods, --check prints text")
	case len(args) > 0 && given("format") && o.format != "json":
		return errors.New("--format goes with the list of methods; schemas are always printed as JSON")
	}
	for _, flag := range []string{"method", "kind", "sender"} {
		if given(flag) && !check {
			return fmt.Errorf("--%s goes with --check; `%s schema METHOD` prints the schemas of a method", flag, programName)
		}
	}
	if err := o.checkGiven(c); err != nil {
		return err
	}
	return checkFormat(o.format)
}

// list is the command that lists the names to choose from.
func (o schemaOptions) list() string {
	s := programName + " schema"
	if o.protocol != defaultProtocol {
		s += fmt.Sprintf(" --protocol %d", o.protocol)
	}
	if o.stableOnly {
		s += " --stable-only"
	}
	return s
}

// names are the methods, and the definitions as well, for completion: none if something is wrong with the flags.
func (o schemaOptions) names(definitions bool) []string {
	_, edition, err := o.open()
	if err != nil || edition == nil {
		return nil
	}
	return namesIn(edition, definitions)
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

// unknownName says where a name is defined that the edition lacks, or which one was probably meant.
func (o schemaOptions) unknownName(book *schemas.Book, e *schemas.Edition, name string, definitions bool) error {
	for _, protocol := range []int{o.protocol, 3 - o.protocol} {
		wider := source{protocol: protocol}.edition(book)
		switch {
		case wider == nil || !slices.Contains(namesIn(wider, definitions), name):
		case protocol == o.protocol:
			return fmt.Errorf("%s is not in the stable edition %s: it is unstable; leave out --stable-only", name, e.Name())
		default:
			return fmt.Errorf("%s is not in version %d of the protocol, but in version %d: add --protocol %d", name, o.protocol, protocol, protocol)
		}
	}
	what, names := "method", namesIn(e, definitions)
	if definitions {
		what = "method or definition"
	}
	hint := ""
	if near, ok := nearest(name, names); ok {
		hint = fmt.Sprintf(" (did you mean %q?)", near)
	} else if i := slices.IndexFunc(names, func(s string) bool { return name != "" && strings.HasSuffix(s, "/"+name) }); i >= 0 {
		hint = fmt.Sprintf(" (did you mean %q?)", names[i])
	} else if !definitions && slices.Contains(e.Definitions(), name) {
		hint = " (that is a definition)"
	}
	return fmt.Errorf("edition %s has no %s %q%s; `%s` lists the methods", e.Name(), what, name, hint, o.list())
}
