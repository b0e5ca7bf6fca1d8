package schemas

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// dice is a Maker that leaves everything to chance.
type dice struct{ *rand.Rand }

func (d dice) Choose(n int) int     { return d.IntN(n) }
func (d dice) Keep(string) bool     { return d.IntN(3) == 0 }
func (d dice) Items(min int) int    { return min + d.IntN(3) }
func (d dice) Text(at Place) string { return strings.Repeat("x", max(at.MinLength, d.IntN(4))) }

func (d dice) Number(low, high *big.Rat, whole bool) json.Number {
	n := big.NewInt(int64(d.IntN(1000)))
	if low != nil && new(big.Rat).SetInt(n).Cmp(low) < 0 {
		n = low.Num()
	}
	if high != nil && new(big.Rat).SetInt(n).Cmp(high) > 0 {
		n = high.Num()
	}
	return json.Number(n.String())
}

func (d dice) Free() (string, any, bool) {
	return fmt.Sprint("k", d.IntN(9)), []any{"v", nil}, d.IntN(2) == 0
}

// Whatever is made is valid, of every definition of every edition.
func TestMadeValuesAreValid(t *testing.T) {
	d := dice{rand.New(rand.NewPCG(1, 2))}
	for _, e := range Ours().editions {
		for _, name := range e.Definitions() {
			for range 60 {
				v, err := e.Make(name, d)
				if err != nil {
					t.Errorf("%s: %v", e.Name(), err)
					break
				}
				part, err := json.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				if found := e.CheckName(name, part); len(found) > 0 {
					t.Errorf("%s, %s: %s is not valid: %v", e.Name(), name, part, found)
					break
				}
			}
		}
	}
}

// The branches of a union, members that may be left out and null are all made.
func TestEveryBranchIsMade(t *testing.T) {
	d := dice{rand.New(rand.NewPCG(3, 4))}
	e := Ours().Edition(1, false)
	seen := map[string]bool{}
	for range 500 {
		v, err := e.Make("PromptRequest", d)
		if err != nil {
			t.Fatal(err)
		}
		prompt := v.(map[string]any)
		meta, there := prompt["_meta"]
		seen[fmt.Sprintf("_meta %v %v", there, meta == nil)] = true
		for _, block := range prompt["prompt"].([]any) {
			seen[block.(map[string]any)["type"].(string)] = true
		}
	}
	for _, want := range []string{"text", "image", "audio", "resource_link", "resource", "_meta false true", "_meta true true", "_meta true false"} {
		if !seen[want] {
			t.Errorf("%s was never made: %v", want, seen)
		}
	}
}

func TestMakeOfNothing(t *testing.T) {
	if _, err := Ours().Edition(1, true).Make("Nothing", dice{rand.New(rand.NewPCG(1, 1))}); err == nil {
		t.Error("there is no such definition")
	}
}
