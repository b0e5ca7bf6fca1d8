package main

import (
	"slices"
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
