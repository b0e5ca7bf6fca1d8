package schemas

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestEveryMethodHasItsDefinition(t *testing.T) {
	all := Methods(1)
	if len(all) != 25+1+21 { // one of the 25 methods goes both ways, and 21 are requests
		t.Errorf("got %d definitions", len(all))
	}
	for _, d := range all {
		got := Check(d, json.RawMessage(`5`))
		if len(got) != 1 || got[0].Problem != Type || got[0].Def != d.Name {
			t.Errorf("%s %s: got %v", d.Method, d.Kind, got)
		}
		if same, ok := Lookup(1, d.Method, d.Sender, d.Kind); !ok || same != d {
			t.Errorf("Lookup(%s, %s, %s) = %+v, %v", d.Method, d.Sender, d.Kind, same, ok)
		}
	}
	if !slices.IsSortedFunc(all, func(a, b Definition) int {
		return slices.Compare([]string{a.Method, string(a.Sender), string(a.Kind)}, []string{b.Method, string(b.Sender), string(b.Kind)})
	}) {
		t.Error("not sorted")
	}
	if len(Stable(1)) != len(all) {
		t.Error("every definition of this edition is stable")
	}
	if Methods(99) != nil || Stable(99) != nil || Updates(99) != nil {
		t.Error("version 99 is not known")
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
		d, ok := Lookup(1, c.method, c.sender, c.kind)
		if ok != (c.want != "") || d.Name != c.want {
			t.Errorf("%s %s %s: got %+v, %v", c.method, c.sender, c.kind, d, ok)
		}
	}
	if _, ok := Lookup(3, "initialize", Client, Request); ok {
		t.Error("version 3 is not known")
	}
}

func TestNamesThatOnlyTheUnstableEditionHas(t *testing.T) {
	if !KnownUnstable(1, "session/fork") || KnownUnstable(1, "session/new") || KnownUnstable(1, "session/frok") || KnownUnstable(99, "session/fork") {
		t.Error("KnownUnstable")
	}
	if !UnstableUpdate(1, "plan_update") || UnstableUpdate(1, "plan") || UnstableUpdate(99, "plan_update") {
		t.Error("UnstableUpdate")
	}
	if !UnstableMember(1, "PromptResponse", "usage") || UnstableMember(1, "PromptResponse", "stopReason") ||
		UnstableMember(1, "PromptRequest", "usage") || UnstableMember(99, "PromptResponse", "usage") {
		t.Error("UnstableMember")
	}
	for def := range catalogV1.unstableMembers {
		if _, f := find(editionOf(1), def); f != nil {
			t.Error(f)
		}
	}
	for _, method := range catalogV1.unstableMethods {
		if slices.ContainsFunc(Methods(1), func(d Definition) bool { return d.Method == method }) {
			t.Errorf("%s is stable", method)
		}
	}
	for _, name := range Updates(1) {
		if UnstableUpdate(1, name) {
			t.Errorf("%s is stable", name)
		}
	}
	if got := len(Updates(1)); got != 14 {
		t.Errorf("got %d updates", got)
	}
}
