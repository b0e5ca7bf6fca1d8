package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/schemas"
)

const schemaLong = `schema lists the methods of the protocol. With a METHOD, or the name of a definition such as ToolCall, it prints the JSON
Schemas (draft 2020-12) that describe what is sent under it, as one document for any validator. With --check it judges
the params or the result of a message by them, or any value by a definition; members that nobody knows and strings
that look wrong are noted, but make nothing invalid.

Without --kind params are judged, be it of a request or of a notification. --sender is only needed where both sides
may send a method, and what they send differs.

Exit codes: 0; 1 if something that was checked is not valid, or is beyond a limit of this program; 2 if the command
line is wrong, a FILE cannot be read or holds a whole message; 3 if this program itself failed.`

const schemaExamples = `  acp-conform schema                                    every method of version 1
  acp-conform schema --protocol 2 --stable-only         of version 2, without what needs an opt-in
  acp-conform schema session/update | jq '."$defs".Plan'
  acp-conform schema session/prompt --kind result       one of the parts of a method
  acp-conform schema --check params.json --method session/new
  acp-conform schema --check - --method session/prompt --kind result < result.json
  acp-conform schema --check call.json --definition ToolCall --format json`

// Which definitions of the protocol those of this program follow.
const (
	releaseOf   = "@agentclientprotocol/sdk 2.4.0" // the npm package that holds them
	releaseDate = "2026-11-02"
)

// schemaOptions are the flags of the command schema as they were typed.
type schemaOptions struct {
	source
	format                           string
	check                            []string
	method, definition, kind, sender string
}

func (p *program) schemaCommand() *cobra.Command {
	var o schemaOptions
	c := &cobra.Command{
		Use:     "schema [METHOD | --check FILE...]",
		Short:   "Print the JSON Schemas of the protocol, or judge messages by them",
		Long:    schemaLong,
		Example: schemaExamples,
		Args:    cobra.ArbitraryArgs,
		Version: releaseOf,
		RunE:    func(c *cobra.Command, args []string) error { return p.schema(c, o, args) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			if len(o.check) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return o.names(true), cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.SetVersionTemplate(fmt.Sprintf("%s %s: the schemas of %s, published on %s\n", programName, p.version, releaseOf, releaseDate))
	o.define(c)
	return c
}

// define adds the flags to the command.
func (o *schemaOptions) define(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	f.IntVar(&o.protocol, "protocol", defaultProtocol, "the `VERSION` of the protocol: 1 or 2")
	f.BoolVar(&o.stableOnly, "stable-only", false, "leave out what needs an opt-in")
	f.StringVar(&o.schemaDir, "schema", "", "take the schemas in `DIR` instead: a release of the protocol, or folders like schemas/")
	f.StringVar(&o.format, "format", "text", "print `FORMAT`: text or json (with --check a line of JSON for each FILE)")
	f.StringArrayVar(&o.check, "check", nil, "judge what is in `FILE`; - is stdin; repeat it or name more FILEs behind it")
	f.StringVar(&o.method, "method", "", "what is checked belongs to `METHOD`")
	f.StringVar(&o.kind, "kind", "", "of a method, this `KIND`: request or notification (its params, which is the default), or result")
	f.StringVar(&o.sender, "sender", "", "of a method that more than one side may send, what this `SIDE` sends: client, agent or proxy")
	f.StringVar(&o.definition, "definition", "", "what is checked is a `NAME`, such as ToolCall, ContentBlock or Error")
	f.Bool("version", false, "print which schemas of the protocol are built in")
	for flag, complete := range map[string]cobra.CompletionFunc{
		"schema":     completeDirs,
		"format":     cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp),
		"method":     o.complete(func(e *schemas.Edition) []string { return namesIn(e, false) }),
		"definition": o.complete((*schemas.Edition).Definitions),
		"kind":       cobra.FixedCompletions(words(kinds), cobra.ShellCompDirectiveNoFileComp),
		"sender":     cobra.FixedCompletions(words(sides), cobra.ShellCompDirectiveNoFileComp),
		"protocol":   cobra.FixedCompletions([]string{"1", "2"}, cobra.ShellCompDirectiveNoFileComp),
	} {
		_ = c.RegisterFlagCompletionFunc(flag, complete)
	}
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
	case len(o.check) > 0:
		return p.checkFiles(o, book, edition, args)
	case len(args) == 1:
		return p.printSchema(o, book, edition, args[0])
	}
	return p.listMethods(o, edition)
}

// consistent finds flags that mean nothing together.
func (o schemaOptions) consistent(c *cobra.Command, args []string) error {
	given := c.Flags().Changed
	switch {
	case o.protocol != 1 && o.protocol != 2:
		return fmt.Errorf("--protocol %d: there is no such version of the protocol; there are 1 and 2", o.protocol)
	case slices.Contains(slices.Concat(o.check, args), ""):
		return errors.New("an empty name is given: name a file behind --check, or - for stdin")
	case len(o.check) > 0:
		return cmp.Or(o.consistentCheck(given, args), o.checkGiven(c), checkFormat(o.format))
	case len(args) > 1:
		return fmt.Errorf("schema takes one METHOD, but %d were given; files to be judged follow --check", len(args))
	case len(args) > 0 && given("format") && o.format != "json":
		return errors.New("--format goes with the list of methods and with --check; schemas are always printed as JSON")
	case given("method"):
		return fmt.Errorf("--method goes with --check; `%s %s` prints the schemas of a method", o.command(), cmp.Or(o.method, "METHOD"))
	case given("definition"):
		return fmt.Errorf("--definition goes with --check; `%s %s` prints a definition", o.command(), cmp.Or(o.definition, "NAME"))
	}
	for _, flag := range []string{"kind", "sender"} {
		if given(flag) && len(args) == 0 {
			return fmt.Errorf("--%s goes with a METHOD, as in `%s session/prompt --kind result`, or with --check", flag, o.command())
		}
	}
	return cmp.Or(o.checkGiven(c), checkFormat(o.format))
}

// consistentCheck finds flags that mean nothing together where something is to be judged.
func (o schemaOptions) consistentCheck(given func(string) bool, more []string) error {
	for _, flag := range []string{"method", "kind", "sender"} {
		if given("definition") && given(flag) {
			return fmt.Errorf("--definition and --%s: leave out one of them; a value is judged by a part of a method or by a definition", flag)
		}
	}
	files := slices.Concat(o.check, more)
	if first := slices.Index(files, "-"); first >= 0 && slices.Contains(files[first+1:], "-") {
		return errors.New("--check -: stdin is named twice, but can be read only once")
	}
	return nil
}
