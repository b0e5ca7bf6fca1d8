package conformance_test

import (
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// What is drawn at random is drawn again by its rerun line, and by no other.
func TestRerunLineCarriesTheSeed(t *testing.T) {
	for _, c := range []struct {
		cfg         conformance.Config
		rules, want string
	}{
		{conformance.Config{Command: []string{"a"}}, "status.model", "--rules status.model --seed 1 a"},
		{conformance.Config{Command: []string{"a"}, Seed: -7, Pure: true}, "status.model", "--rules status.model --pure --seed -7 a"},
		{conformance.Config{Command: []string{"a"}, Seed: 7, ModelSequences: 500}, "schema.x,status.model",
			"--rules schema.x,status.model --seed 7 --model-sequences 500 a"},
		{conformance.Config{Command: []string{"a"}, Seed: 7, ModelSequences: 500}, "schema.x", "--rules schema.x a"},
	} {
		if got := c.cfg.CommandLine(strings.Split(c.rules, ",")); got != "acp-conform "+c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// The number of sequences reaches the rule that tries them.
func TestModelSequences(t *testing.T) {
	cfg := conformance.Config{Serve: fake(t, fakeagent.Config{}), Rules: []string{"status.model"}, ModelSequences: 3}
	if o := outcome(t, run(t, cfg), "status.model"); o.Occasions != 3 {
		t.Errorf("%d sequences: %s", o.Occasions, o.Reason)
	}
	cfg.ModelSequences = -1
	if _, err := conformance.Run(t.Context(), cfg); err == nil {
		t.Error("less than no sequence was tried")
	}
}
