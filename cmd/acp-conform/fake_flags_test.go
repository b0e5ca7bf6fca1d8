package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// What the fake agent is asked for is passed on where it is a process of its own.
func TestTheFakeAgentInAProcessGetsItsFlags(t *testing.T) {
	words, err := fakeCommand(fakeagent.Config{StatusVocabulary: "open", EvictAfter: 2 * time.Second, Without: []string{"sessionCapabilities.status"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"fake-agent", "--without", "sessionCapabilities.status", "--status-vocabulary", "open", "--evict-after", "2s"}
	if !slices.Equal(words[1:], want) {
		t.Errorf("%q", words)
	}
}

func TestBadFlagsOfTheFakeAgent(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"@fake", "--status-vocabulary", "opne"}, `--status-vocabulary: "opne" is not one of active, open`},
		{[]string{"@fake", "--evict-after", "-1s"}, "--evict-after: -1s is less than nothing"},
		{[]string{"fake-agent", "--status-vocabulary", "saved"}, `"saved" is not one of active, open`},
	} {
		s := call(t, c.args...)
		if s.code != result.ExitUsage {
			t.Errorf("%q: exit code %d", c.args, s.code)
		}
		contains(t, "the message", s.stderr, c.want)
	}
}

// What is suggested in place of a name that the fake agent does not have is like it; where nothing is, nothing is suggested.
func TestNamesOfTheFakeAgentThatAreNone(t *testing.T) {
	for _, c := range []struct{ args, want []string }{
		{[]string{"@fake", "--without", "status"}, []string{`unknown capability "status"; did you mean "sessionCapabilities.status"?`, "there are loadSession, "}},
		{[]string{"@fake", "--without", "session.status"}, []string{`did you mean "sessionCapabilities.status"?`}},
		{[]string{"fake-agent", "--without", "statsu"}, []string{`did you mean "sessionCapabilities.status"?`}},
		{[]string{"@fake", "--without", "promptCapabilites.image"}, []string{`did you mean "promptCapabilities.image"?`}},
		{[]string{"@fake", "--without", "load"}, []string{`did you mean "loadSession"?`}},
		{[]string{"@fake", "--without", "telepathy"}, []string{`unknown capability "telepathy" (there are loadSession, `}},
		{[]string{"@fake", "--fault", "nothing-like-it"}, []string{"unknown fault \"nothing-like-it\" (`acp-conform faults`"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) { refused(t, c.args, c.want...) })
	}
}
