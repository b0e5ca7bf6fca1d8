package fuzz

import (
	"math/rand/v2"
	"testing"
)

// However often something long is repeated, no line is so long that an agent may be slow to read it.
func TestWhatIsRepeatedStaysShort(t *testing.T) {
	repeated := 0
	for seed := range uint64(3000) {
		params := treeOf(map[string]any{"prompt": []any{map[string]any{"type": "text", "text": "${repeat:140000:y}"}, map[string]any{"type": "text", "text": "x"}}})
		mutate(rand.New(rand.NewPCG(seed, 1)), params, 2)
		n := len(expand(params.String(), unknown))
		if n > 280_000 {
			repeated++
		}
		if n > 4<<20 {
			t.Fatalf("seed %d makes a line of %d bytes", seed, n)
		}
	}
	if repeated == 0 {
		t.Error("nothing long was ever repeated, so nothing is shown")
	}
}
