package schemas

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
)

// What is remembered changes no answer, and only what was good is remembered.
func TestMemoChangesNothing(t *testing.T) {
	d, ok := Lookup(1, "session/prompt", Agent, Result)
	if !ok {
		t.Fatal("no definition")
	}
	for _, part := range []string{`{"stopReason":"end_turn"}`, `{"stopReason":"nope"}`, `{}`, `null`, `{"stopReason":"end_turn","extra":1}`} {
		first, unknown := Check(d, json.RawMessage(part)), UnknownMembers(d, json.RawMessage(part))
		for range 3 {
			if got := Check(d, json.RawMessage(part)); !reflect.DeepEqual(got, first) {
				t.Errorf("%s: %v, before %v", part, got, first)
			}
			if got := UnknownMembers(d, json.RawMessage(part)); !reflect.DeepEqual(got, unknown) {
				t.Errorf("%s: %v, before %v", part, got, unknown)
			}
		}
	}
	other, _ := Lookup(1, "session/new", Agent, Result)
	if len(Check(other, json.RawMessage(`{"stopReason":"end_turn"}`))) == 0 {
		t.Error("what is good for one definition is good for another")
	}
}

func TestMemoForgets(t *testing.T) {
	var m memo
	d := Definition{Edition: "v1", Name: "X"}
	for i := range 2 * memoParts {
		m.add(d, fmt.Appendf(nil, "%d", i))
	}
	if len(m.good) > memoParts {
		t.Errorf("%d parts are remembered", len(m.good))
	}
	m.add(d, make([]byte, memoBytes+1))
	if m.has(d, make([]byte, memoBytes+1)) || m.has(d, nil) {
		t.Error("something is remembered that should not be")
	}
}
