package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/judge/reference"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/fakeagent"
	"github.com/acp-conform/acp-conform/reports"
)

// completed has the values of flags completed, on every command, by the names of the flags: a flag means the same everywhere, unless the
// command has said otherwise.
func completed(root *cobra.Command) {
	for _, c := range append(root.Commands(), root) {
		for name, complete := range flagValues() {
			if c.Flags().Lookup(name) == nil {
				continue
			}
			if _, there := c.GetFlagCompletionFunc(name); !there {
				_ = c.RegisterFlagCompletionFunc(name, complete)
			}
		}
	}
}

// completion adds the command that prints the script of a shell, and has it refuse what names none.
func (p *program) completion(root *cobra.Command) {
	root.SetOut(p.stdout) // the command keeps the stream that there is when it is made
	root.InitDefaultCompletionCmd()
	const shells = "bash, zsh, fish or powershell"
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		var names []string
		for _, shell := range c.Commands() {
			names = append(names, shell.Name())
			shell.Args = noArgs
		}
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("no shell is named; write `%s completion SHELL` with %s", programName, shells)
			}
			return fmt.Errorf("there is no completion for %q%s; write `%s completion SHELL` with %s", args[0], didYouMean(args[0], names), programName, shells)
		}
	}
}

func flagValues() map[string]cobra.CompletionFunc {
	var limits []string
	for _, l := range conformance.DefaultLimits().Describe() {
		limits = append(limits, l[0]+"="+l[2])
	}
	return map[string]cobra.CompletionFunc{
		"rules":             completeRules,
		"report":            completeReport,
		"protocol":          oneOf("1", "2"),
		"format":            oneOf("text", "json"),
		"status-vocabulary": oneOf(append([]string{autoVocabulary}, vocabularies()...)...),
		"prompts":           oneOf(promptsNone),
		"limit":             oneOf(limits...),
		"home":              homes,
		"config":            yamlFiles,
		"baseline":          yamlFiles,
		"write-baseline":    yamlFiles,
		"cwd":               completeDirs,
		"keep":              completeDirs,
		"schema":            completeDirs,
		"store":             completeDirs,
	}
}

func oneOf(values ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
}

func vocabularies() []string {
	var names []string
	for _, v := range client.Vocabularies() {
		names = append(names, v.Name)
	}
	return names
}

func homes(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	for _, word := range []string{homeInherit, homeTemp} {
		if strings.HasPrefix(word, typed) {
			return []string{homeInherit, homeTemp}, cobra.ShellCompDirectiveNoFileComp
		}
	}
	return completeDirs(nil, nil, typed)
}

func yamlFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeRules completes the last pattern of a list: what is before its comma, or its !, stays.
func completeRules(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	start := strings.LastIndexByte(typed, ',') + 1
	if strings.HasPrefix(typed[start:], "!") {
		start++
	}
	names := namesWithAreas(conformance.Rules())
	if c.Name() == "client" {
		names = namesWithAreas(rules.Client())
	}
	return withPrefix(typed[:start], names), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeReport completes a format, and behind its = the name of a file: the shell does not know where that begins.
func completeReport(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	format, path, named := strings.Cut(typed, "=")
	if !named {
		return append(reports.Names(), withSuffix(reports.Names(), "=")...), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	files, _ := filepath.Glob(globbed(path) + "*")
	for i, f := range files {
		if isDir(f) == nil {
			files[i] += string(filepath.Separator)
		}
	}
	return withPrefix(format+"=", files), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// globbed is a path that a pattern takes as it is.
func globbed(path string) string {
	if filepath.Separator == '\\' {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func withPrefix(prefix string, words []string) []string {
	var all []string
	for _, w := range words {
		all = append(all, prefix+w)
	}
	return all
}

func withSuffix(words []string, suffix string) []string {
	var all []string
	for _, w := range words {
		all = append(all, w+suffix)
	}
	return all
}

// builtIn completes the command line of an agent, or of a client, that is built in; anybody else's are programs and files.
func builtIn(name string, define func(*pflag.FlagSet), values map[string][]string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return []string{name}, cobra.ShellCompDirectiveDefault
		}
		if args[0] != name {
			return nil, cobra.ShellCompDirectiveDefault
		}
		if list, ok := values[strings.TrimPrefix(args[len(args)-1], "--")]; ok && strings.HasPrefix(args[len(args)-1], "--") {
			return list, cobra.ShellCompDirectiveNoFileComp
		}
		flags := pflag.NewFlagSet(name, pflag.ContinueOnError)
		define(flags)
		return withPrefix("--", flagNames(flags)), cobra.ShellCompDirectiveNoFileComp
	}
}

func completeFake() cobra.CompletionFunc {
	return builtIn(fakeName, func(f *pflag.FlagSet) { fakeFlags(f, &fakeagent.Config{}) }, map[string][]string{
		"fault":             slices.Concat(namesOf(fakeagent.Faults()), namesOf(fakeagent.InputFaults())),
		"variant":           namesOf(fakeagent.Variants()),
		"without":           fakeagent.Capabilities(),
		"status-vocabulary": fakeagent.StatusVocabularies(),
	})
}

func completeReference() cobra.CompletionFunc {
	return builtIn(referenceName, func(f *pflag.FlagSet) { referenceFlags(f, new([]string), new([]string)) }, map[string][]string{
		"fault":   namesOf(ofClient(reference.Faults())),
		"variant": namesOf(ofClient(reference.Variants())),
	})
}
