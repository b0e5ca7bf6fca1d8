package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// formatFlag adds --format to a command that lists something.
func formatFlag(c *cobra.Command, format *string) {
	c.Flags().StringVar(format, "format", "text", "print `FORMAT`: text or json")
}

// checkFormat refuses what formatFlag does not offer.
func checkFormat(format string) error {
	if format != "text" && format != "json" {
		return fmt.Errorf("--format %s: unknown format; there are: text, json", format)
	}
	return nil
}

// printJSON writes a value for programs.
func (p *program) printJSON(v any) error { return writeJSON(p.stdout, v) }

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func (p *program) printf(format string, args ...any) { _, _ = fmt.Fprintf(p.stdout, format, args...) }

// listedRule is a rule as `rules --format json` writes it.
type listedRule struct {
	ID        string `json:"id"`
	Area      string `json:"area"`
	Level     string `json:"level"`
	Basis     string `json:"basis"`
	Stability string `json:"stability"`
	Kind      string `json:"kind"`
	Subject   string `json:"subject"`
	Protocols []int  `json:"protocols"`
	Title     string `json:"title"`
	Ref       string `json:"ref"`
}

func (p *program) rulesCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:     "rules",
		Short:   "List the rules: the titles read as the contract",
		Example: "  acp-conform rules\n  acp-conform rules --format json",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return p.listRules(format) },
	}
	formatFlag(c, &format)
	return c
}

func (p *program) listRules(format string) error {
	if err := checkFormat(format); err != nil {
		return err
	}
	all := everyRule()
	if format == "json" {
		list := []listedRule{}
		for _, r := range all {
			list = append(list, listedRule{r.ID, r.Area(), string(r.Level), string(r.Basis), stability(r), r.Kind(), r.Binds(), r.Versions, r.Title, r.Ref.URL()})
		}
		return p.printJSON(list)
	}
	area := ""
	for _, r := range all {
		if r.Area() != area {
			area = r.Area()
			p.printf("%s\n", area)
		}
		p.printRule(r)
	}
	p.printf("\n%d rules; `%s explain ID` tells more about one\n", len(all), programName)
	return nil
}

func (p *program) printRule(r rule.Rule) { p.printf("  %-40s %-6s  %s\n", r.ID, r.Level, r.Title) }

// listArea lists the rules of an area, if there is one of that name.
func (p *program) listArea(area string) bool {
	n := 0
	for _, r := range everyRule() {
		if r.Area() != area {
			continue
		}
		if n++; n == 1 {
			p.printf("%s\n", area)
		}
		p.printRule(r)
	}
	if n > 0 {
		p.printf("\n%s; `%s explain ID` tells more about one, `%s --rules %s ./my-agent` judges an agent by them%s\n", counted(n, "rule"), programName, programName, area, clientsBy(area))
	}
	return n > 0
}

// ruleNames are the ids of all rules, each area before its own.
func ruleNames() []string { return namesWithAreas(everyRule()) }

func namesWithAreas(all []rule.Rule) []string {
	var names []string
	area := ""
	for _, r := range all {
		if r.Area() != area {
			area = r.Area()
			names = append(names, area)
		}
		names = append(names, r.ID)
	}
	return names
}

func stability(r rule.Rule) string {
	if r.Stability == "" {
		return string(rule.Stable)
	}
	return string(r.Stability)
}

// listedFault is a fault as `faults --format json` writes it.
type listedFault struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Subject     string `json:"subject"`
	Protocols   []int  `json:"protocols"`
}

func (p *program) faultsCommand() *cobra.Command {
	var format string
	var variants, hostiles, input bool
	c := &cobra.Command{
		Use:     "faults",
		Short:   "List the ways in which the fake agent and the reference client can be wrong",
		Example: "  acp-conform faults\n  acp-conform faults --variants\n  acp-conform @fake --fault NAME\n  acp-conform client @reference --fault NAME",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			switch {
			case hostiles && variants, hostiles && input, variants && input:
				return errors.New("--variants, --hostile and --input are lists of their own: ask for one of them")
			case hostiles:
				return p.listHostile(format)
			case variants:
				return p.listFaults(format, "variants", everyVariant())
			case input:
				return p.listFaults(format, inputFaults, fakeagent.InputFaults())
			}
			return p.listFaults(format, "faults", everyFault())
		},
	}
	formatFlag(c, &format)
	c.Flags().BoolVar(&variants, "variants", false, "list instead the legal ways in which they can differ, which no rule may accuse")
	c.Flags().BoolVar(&hostiles, "hostile", false, "list instead the modes of `fake-agent --hostile`, which hang, crash, flood and attack whoever starts them")
	c.Flags().BoolVar(&input, "input", false, "list instead the faults that only unusual input shows, for `"+programName+" fuzz`")
	return c
}

// inputFaults are what the faults are called that an ordinary conversation does not show.
const inputFaults = "faults that only unusual input shows"

func (p *program) listFaults(format, noun string, all []fakeagent.Fault) error {
	if err := checkFormat(format); err != nil {
		return err
	}
	if format == "json" {
		list := []listedFault{}
		for _, f := range all {
			list = append(list, listedFault{f.Name, f.Description, f.Subject, f.Protocols})
		}
		return p.printJSON(list)
	}
	if noun == inputFaults {
		for _, f := range all {
			p.printf("  %-36s %s\n", f.Name, f.Description)
		}
		p.printf("\n%d %s; `%s fuzz @fake --fault NAME` looks for one\n", len(all), noun, programName)
		return nil
	}
	p.printFaults(noun, all, rule.Agent, "fake agent", fakeName)
	p.printf("\n")
	p.printFaults(noun, all, rule.Client, "reference client", "client "+referenceName)
	return nil
}

// printFaults lists those of one side, and says how they are tried.
func (p *program) printFaults(noun string, all []fakeagent.Fault, subject, of, command string) {
	n := 0
	for _, f := range all {
		if (f.Subject == rule.Client) == (subject == rule.Client) {
			n++
			p.printf("  %-36s %s\n", f.Name, f.Description)
		}
	}
	p.printf("\n%d %s; `%s %s --%s NAME` judges the %s with one\n", n, noun, programName, command, strings.TrimSuffix(noun, "s"), of)
}
