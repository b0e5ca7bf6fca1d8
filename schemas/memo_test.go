package schemas

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
)

// What is remembered changes no answer, and only what was good is remembered.
func TestMemoChangesNothing(t *testing.T) {
	d, ok := v1.Lookup("session/prompt", Agent, Result)
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
	other, _ := v1.Lookup("session/new", Agent, Result)
	if len(Check(other, json.RawMessage(`{"stopReason":"end_turn"}`))) == 0 {
		t.Error("what is good for one definition is good for another")
	}
}

func TestMemoForgets(t *testing.T) {
	var m memo
	for i := range 2 * memoParts {
		m.add("X", fmt.Appendf(nil, "%d", i))
	}
	if len(m.good) > memoParts {
		t.Errorf("%d parts are remembered", len(m.good))
	}
	for i := range 2 * memoSize / memoBytes {
		m.add("X", fmt.Appendf(make([]byte, memoBytes-10), "%d", i))
	}
	if m.size > memoSize || len(m.good) > memoSize/(memoBytes-10) {
		t.Errorf("%d bytes are remembered", m.size)
	}
	m.add("X", make([]byte, memoBytes+1))
	if m.has("X", make([]byte, memoBytes+1)) || m.has("X", nil) {
		t.Error("something is remembered that should not be")
	}
}

// A message costs what decoding it costs: a valid one is accepted without an allocation, and what is remembered is bounded,
// so that memory does not grow with the number of messages.
func TestCheckingAllocatesNothing(t *testing.T) {
	src, err := Ours().Edition(1, false).source()
	if err != nil {
		t.Fatal(err)
	}
	def := src.nodes["SessionNotification"]
	for _, s := range sizes {
		v, f := decode(s.part)
		if f != nil {
			t.Fatal(f)
		}
		if n := testing.AllocsPerRun(100, func() {
			if !def.accepts(v) {
				t.Errorf("%s is not accepted", s.name)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", s.name, n)
		}
	}
}
