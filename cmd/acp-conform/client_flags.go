package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/judge"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/conformance/selftest"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// listAlone refuses what would have no effect beside --list.
func (o *clientOptions) listAlone(c *cobra.Command, args []string) error {
	other := ""
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "list" && other == "" {
			other = "--" + f.Name
		}
	})
	if other == "" && len(args) > 0 {
		other = args[0]
	}
	if other == "" {
		return nil
	}
	return fmt.Errorf("--list lists the scripts and plays none, which leaves nothing to do for %s: leave out one of them", other)
}

// judgeConfig checks the flags and makes a configuration of them. It changes nothing on disk.
func (o *clientOptions) judgeConfig() (judge.Config, error) {
	cfg := judge.Config{Scripts: selftest.Scripts(), Jobs: o.jobs, Policy: result.Policy{Strict: o.strict}, Now: time.Now}
	switch o.versions {
	case bothProtocols:
		cfg.Protocols = []int{1, 2}
	case "1":
		cfg.Protocols = []int{1}
	case "2":
		cfg.Protocols = []int{2}
	default:
		return cfg, fmt.Errorf("--protocol %s: give 1, 2 or both", o.versions)
	}
	var err error
	if cfg.Rules, err = o.chosen(cfg.Protocols); err != nil {
		return cfg, fmt.Errorf("--rules: %w", err)
	}
	if cfg.Words, err = statusWords(o.vocabulary); err != nil {
		return cfg, err
	}
	if err := o.checkEnv(nil); err != nil {
		return cfg, err
	}
	cfg.Only = o.scripts
	return cfg, o.checkScripts(cfg)
}

// chosen are the rules that match the patterns and belong to one of the versions. An error says where a rule is that is not there.
func (o *clientOptions) chosen(protocols []int) ([]rule.Rule, error) {
	var all []rule.Rule
	for _, r := range rules.Client() {
		if slices.ContainsFunc(protocols, r.For) {
			all = append(all, r)
		}
	}
	chosen, err := engine.Select(all, o.rules)
	if err == nil {
		return chosen, nil
	}
	if p := ofOthers(o.rules, rules.Client(), conformance.Rules()); p != "" {
		return nil, fmt.Errorf("%q is about agents: `%s --rules %s ./my-agent` judges an agent by it", p, programName, conformance.Quote(p))
	}
	if _, there := engine.Select(rules.Client(), o.rules); there == nil {
		err = fmt.Errorf("%w; there is one of the other version of the protocol: leave out --protocol %s", err, o.versions)
	}
	return nil, err
}

// ofOthers is the first pattern that chooses no rule of ours and one of the others; "" if there is none.
func ofOthers(patterns []string, ours, others []rule.Rule) string {
	for _, list := range patterns {
		for p := range strings.SplitSeq(list, ",") {
			p = strings.TrimPrefix(strings.TrimSpace(p), "!")
			_, here := engine.Select(ours, []string{p})
			_, there := engine.Select(others, []string{p})
			if here != nil && there == nil {
				return p
			}
		}
	}
	return ""
}

// checkScripts finds names of --script that are none, or not of a version that is played.
func (o *clientOptions) checkScripts(cfg judge.Config) error {
	for _, name := range o.scripts {
		i := slices.IndexFunc(cfg.Scripts, func(s judge.Script) bool { return s.Name == name })
		if i < 0 {
			hint := ""
			if near, ok := nearest(name, scriptNames()); ok {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			return fmt.Errorf("--script: there is no script %q%s (`%s client --list` lists them)", name, hint, programName)
		}
		of := cfg.Scripts[i].Protocols
		if !slices.ContainsFunc(cfg.Protocols, func(p int) bool { return slices.Contains(of, p) }) {
			return fmt.Errorf("--script %s: there is no such script in version %s of the protocol; leave out --protocol, or give --protocol %s", name, o.versions, versions(of))
		}
	}
	return nil
}

// statusWords are the words of a vocabulary of session/status.
func statusWords(vocabulary string) ([2]string, error) {
	switch vocabulary {
	case "", "active":
		return [2]string{"active", "inactive"}, nil
	case "open":
		return [2]string{"open", "saved"}, nil
	}
	return [2]string{}, fmt.Errorf("--status-vocabulary: %q is not one of %s", vocabulary, strings.Join(fakeagent.StatusVocabularies(), ", "))
}
