package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/conformance/compare"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/reports"
)

func (p *program) compareCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "compare [flags] OLD.json NEW.json",
		Short: "Tell what changed between two runs: rules, capabilities and times",
		Long: `compare reads two JSON reports (--report json=FILE) and tells what changed from the first to the second. It ends with 1 if a
rule became worse: if it fails or warns and did not before, or fails and only warned before. A rule that the first run does not have
counts as one that did not; the result says so, because that run may have been one of other rules. It also ends with 1 if the second run
is inconclusive or was interrupted and the first one was not, as when an agent no longer starts. A rule that is no longer judged, or no
part of the second run, is told and changes nothing. Two reports without a common rule are refused.`,
		Example: "  acp-conform --report json=before.json ./my-agent\n  acp-conform --report json=after.json ./my-agent\n  acp-conform compare before.json after.json",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("compare takes two JSON reports, the older one first; there are %d", len(args))
			}
			return p.compareFiles(args[0], args[1], format)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "print `FORMAT`: text, markdown or json")
	_ = c.RegisterFlagCompletionFunc("format", oneOf("text", "markdown", "json"))
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return c
}

func (p *program) compareFiles(oldName, newName, format string) error {
	write, ok := map[string]func(io.Writer, compare.Report) error{
		"text":     func(w io.Writer, r compare.Report) error { return compare.Text(w, r, reports.Printable) },
		"markdown": func(w io.Writer, r compare.Report) error { return compare.Markdown(w, r, reports.MarkdownText) },
		"json":     compare.JSON,
	}[format]
	if !ok {
		return fmt.Errorf("--format %s: unknown format; there are: text, markdown, json", format)
	}
	var runs [2]result.Run
	for i, name := range []string{oldName, newName} {
		text, err := p.guard.readFile(name, mostReport)
		if err != nil {
			return about("compare", name, err, "name a report of --report json=FILE")
		}
		if runs[i], err = compare.Read(name, text); err != nil {
			return err
		}
	}
	r, err := compare.Runs(oldName, runs[0], newName, runs[1])
	if err != nil {
		return err
	}
	if err := write(p.stdout, r); err != nil {
		return err
	}
	if r.Failed() {
		return exit(result.ExitFailed)
	}
	return nil
}
