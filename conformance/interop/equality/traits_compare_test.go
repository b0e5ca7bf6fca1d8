package equality

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/schemas"
)

// ownTraits are the traits in which we mean to differ. Each has to come up.
var ownTraits = []struct{ def, trait, ours, reason string }{
	{
		"SessionStatus", "values ", `["active" "inactive" "open" "saved"]`,
		"The proposal said active and inactive, and both pairs of names are in use; nobody is to be accused of either.",
	},
	{"ToolCall", "default /kind", `["other"]`, unwritten},
	{"ToolCall", "default /status", `["pending"]`, unwritten},
}

const unwritten = "The default stands in the description of the value's definition, not as a keyword."

func TestTraitsAreTheOfficialOnes(t *testing.T) {
	met := map[int]bool{}
	for _, o := range editions(t) {
		defs, err := written(schemas.Files(), o.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, def := range o.names {
			for _, d := range o.traitDifferences(defs, def) {
				if i := d.meant(); i >= 0 {
					met[i] = true
				} else {
					t.Errorf("%s %s", o.name, d)
				}
			}
		}
	}
	for i, own := range ownTraits {
		if !met[i] {
			t.Errorf("%s no longer differs in %s: take it off the list", own.def, own.trait)
		}
	}
}

// traitDifference is one trait of one definition in which the sides differ.
type traitDifference struct {
	def, trait   string
	theirs, ours string
}

func (d traitDifference) String() string {
	return fmt.Sprintf("%s %s: official %s, ours %s", d.def, d.trait, d.theirs, d.ours)
}

// meant gives the place of a difference in the list, or -1.
func (d traitDifference) meant() int {
	for i, own := range ownTraits {
		if own.def == d.def && own.trait == d.trait && own.ours == d.ours {
			return i
		}
	}
	return -1
}

// traitDifferences compares one definition; defs are ours.
func (o *official) traitDifferences(defs map[string]any, def string) []traitDifference {
	theirs, mine := traits{}, traits{}
	officialTraits(o.raw[def], "", theirs)
	ourTraits(defs, defs[def], "", mine)
	keys := slices.Concat(slices.Collect(maps.Keys(theirs)), slices.Collect(maps.Keys(mine)))
	slices.Sort(keys)
	var found []traitDifference
	for _, key := range slices.Compact(keys) {
		if !slices.Equal(theirs[key], mine[key]) && !impliedDefault(key, theirs, mine) && !isCode(def, key, mine) {
			found = append(found, traitDifference{def, key, fmt.Sprint(theirs[key]), fmt.Sprint(mine[key])})
		}
	}
	return found
}

// impliedDefault accepts a default on one side only. Ours are there to tell what a repair puts in the place of a wrong value,
// which the official text leaves open for a list (it becomes an empty one), and writes out in full for objects, where we say
// "absent".
func impliedDefault(key string, theirs, mine traits) bool {
	place, ok := strings.CutPrefix(key, "default ")
	if !ok {
		return false
	}
	if len(mine[key]) == 0 {
		return strings.HasPrefix(theirs[key][0], "{")
	}
	mark := theirs["mark "+place]
	return len(theirs[key]) == 0 && slices.Equal(mine[key], []string{"[]"}) &&
		len(mark) == 1 && strings.HasPrefix(mark[0], "default-on-error")
}

// isCode accepts that we list no error codes in the schema; TestNamesAreTheOfficialOnes compares them.
func isCode(def, key string, mine traits) bool {
	return def == "ErrorCode" && key == "values " && len(mine[key]) == 0
}
