package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// examplePatience is how long these tests wait for an example, on a busy machine.
const examplePatience = time.Minute

func exampleFor(t *testing.T, id string, limit time.Duration) string {
	t.Helper()
	all := conformance.Rules()
	i := slices.IndexFunc(all, func(r rule.Rule) bool { return r.ID == id })
	if i < 0 {
		t.Fatalf("there is no rule %s", id)
	}
	var out strings.Builder
	(&program{stdout: &out}).lines(t.Context(), all[i], limit)
	return out.String()
}

// A rule is explained by what breaks it and what keeps it, as both were said.
func TestExplainShowsABadAndAGoodLine(t *testing.T) {
	for id, want := range map[string][]string{
		"cancel.stop-reason-cancelled": {`sent +> .*"session/cancel"`, `bad +< .*"stopReason":"canceled"`, `good +< .*"stopReason":"cancelled"`},
		"jsonrpc.parse-error":          {`sent +> {"jsonrpc":"2.0",`, `bad +< .*-32600`, `good +< .*-32700`},
		"transport.utf8":               {`bad +< .*\x{FFFD}`, `good +< .*availableCommands`},
		"init.agent-info":              {`bad +< .*"agentInfo":{"name":""`, `good +< .*"agentInfo":{"name":"acp-conform-fake-agent"`},
		"status.unknown.not-a-result":  {`bad +< .*"result"`, `good +< .*"error"`},
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			got := exampleFor(t, id, examplePatience)
			for _, w := range want {
				if !regexp.MustCompile(w).MatchString(got) {
					t.Errorf("no line is like %q:\n%s", w, got)
				}
			}
		})
	}
}

// Explain does not wait for what takes long.
func TestExplainDoesWithoutAnExample(t *testing.T) {
	if got := exampleFor(t, "status.sidefx.no-load", time.Millisecond); !strings.Contains(got, "none was had within 1ms") || strings.Contains(got, "good") {
		t.Errorf("an example of a run that was cut short, or nothing about it:\n%s", got)
	}
	if got := exampleFor(t, "transport.within-limits", examplePatience); strings.Contains(got, "good") {
		t.Errorf("a good line for a rule about amounts:\n%s", got)
	}
}
