package schemas

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestEveryMethodHasItsDefinition(t *testing.T) {
	all := v1.Methods()
	if len(all) != 25+1+21 { // one of the 25 methods goes both ways, and 21 are requests
		t.Errorf("got %d definitions", len(all))
	}
	for _, d := range all {
		got := Check(d, json.RawMessage(`5`))
		if len(got) != 1 || got[0].Problem != Type || got[0].Def != d.Name {
			t.Errorf("%s %s: got %v", d.Method, d.Kind, got)
		}
		if same, ok := v1.Lookup(d.Method, d.Sender, d.Kind); !ok || same != d {
			t.Errorf("Lookup(%s, %s, %s) = %+v, %v", d.Method, d.Sender, d.Kind, same, ok)
		}
	}
	if !slices.IsSortedFunc(all, func(a, b Definition) int {
		return slices.Compare([]string{a.Method, string(a.Sender), string(a.Kind)}, []string{b.Method, string(b.Sender), string(b.Kind)})
	}) {
		t.Error("not sorted")
	}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		method string
		sender Side
		kind   Kind
		want   string // "" = not allowed
	}{
		{"session/prompt", Client, Request, "PromptRequest"},
		{"session/prompt", Agent, Result, "PromptResponse"},
		{"session/prompt", Agent, Request, ""},
		{"session/prompt", Client, Result, ""},
		{"session/prompt", Client, Notification, ""},
		{"session/update", Agent, Notification, "SessionNotification"},
		{"session/update", Client, Notification, ""},
		{"session/update", Agent, Request, ""},
		{"session/update", Client, Result, ""},
		{"session/cancel", Client, Notification, "CancelNotification"},
		{"fs/read_text_file", Agent, Request, "ReadTextFileRequest"},
		{"fs/read_text_file", Client, Result, "ReadTextFileResponse"},
		{"$/cancel_request", Agent, Notification, "CancelRequestNotification"},
		{"$/cancel_request", Client, Notification, "CancelRequestNotification"},
		{"session/fork", Client, Request, ""},
		{"Session/Prompt", Client, Request, ""},
		{"", Client, Request, ""},
	} {
		d, ok := v1.Lookup(c.method, c.sender, c.kind)
		if ok != (c.want != "") || d.Name != c.want {
			t.Errorf("%s %s %s: got %+v, %v", c.method, c.sender, c.kind, d, ok)
		}
	}
}

func TestTheUnstableEditionHasMore(t *testing.T) {
	unstable := Ours().Edition(1, false)
	for _, d := range v1.Methods() {
		if same, ok := unstable.Lookup(d.Method, d.Sender, d.Kind); !ok || !same.Stable || same.Name != d.Name {
			t.Errorf("%s %s: got %+v", d.Method, d.Kind, same)
		}
	}
	if d, ok := unstable.Lookup("session/fork", Client, Request); !ok || d.Stable {
		t.Errorf("session/fork: got %+v", d)
	}
	if got := len(v1.Updates()); got != 14 {
		t.Errorf("got %d updates", got)
	}
	if got := len(unstable.Updates()); got != 19 {
		t.Errorf("got %d updates with the unstable ones", got)
	}
	if v1.Stable() != true || unstable.Stable() != false || Ours().Edition(99, true) != nil {
		t.Error("which editions there are")
	}
}
