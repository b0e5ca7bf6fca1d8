package conformance

import (
	"slices"
	"strings"
	"testing"
)

// In which order rules end is a matter of time; the order in which they come to their turn is not.
func TestRandomOrderIsMadeFromTheSeed(t *testing.T) {
	acting := []string{"init.agent-info", "init.version-echo-supported", "init.baseline-methods",
		"transport.no-stdout-before-request", "transport.stdin-eof-exit", "jsonrpc.method-not-found"}
	orderOf := func(seed int64) string {
		e, err := Config{Command: []string{"an-agent-that-is-never-started"}, Rules: acting, Seed: seed}.engine()
		if err != nil || len(e.Rules) != len(acting) {
			t.Fatalf("%d rules, %v", len(e.Rules), err)
		}
		ids := slices.Clone(acting)
		if e.Order != nil {
			e.Order(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		}
		return strings.Join(ids, " ")
	}
	seen := map[string]bool{}
	for seed := int64(1); seed <= 8; seed++ {
		order := orderOf(seed)
		if again := orderOf(seed); again != order {
			t.Errorf("seed %d gives two orders:\n%s\n%s", seed, order, again)
		}
		seen[order] = true
	}
	if len(seen) < 2 {
		t.Errorf("eight seeds give one order: %v", seen)
	}
	if got := orderOf(0); got != strings.Join(acting, " ") {
		t.Errorf("without a seed the order is %s", got)
	}
}
