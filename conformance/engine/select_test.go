package engine

import (
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/rule"
)

func TestSelect(t *testing.T) {
	var all []rule.Rule
	for _, id := range []string{"cancel.double", "cancel.idle", "init.one", "session-new.a.b"} {
		all = append(all, rule.Rule{ID: id})
	}
	for _, tt := range []struct{ patterns, want string }{
		{"", "cancel.double cancel.idle init.one session-new.a.b"},
		{"cancel", "cancel.double cancel.idle"},
		{"cancel.double", "cancel.double"},
		{"init.one,cancel.idle", "cancel.idle init.one"},
		{"*.b", "session-new.a.b"},
		{"!cancel", "init.one session-new.a.b"},
		{"!cancel.*", "init.one session-new.a.b"},
		{"cancel,!*.idle", "cancel.double"},
		{"c*", "cancel.double cancel.idle"},
		{"cancell", `no rule matches "cancell" (did you mean "cancel"?)`},
		{"cancel.dubble", `(did you mean "cancel.double"?)`},
		{"zzzzzzzzzz", `no rule matches "zzzzzzzzzz"; `},
		{"!zzz", "no rule matches"},
		{"cancel,!cancel", "leave no rule"},
	} {
		var patterns []string
		if tt.patterns != "" {
			patterns = []string{tt.patterns}
		}
		got, err := Select(all, patterns)
		var ids []string
		for _, r := range got {
			ids = append(ids, r.ID)
		}
		s := strings.Join(ids, " ")
		if err != nil {
			s = err.Error()
		}
		if err == nil && s != tt.want || err != nil && !strings.Contains(s, tt.want) {
			t.Errorf("%q: %s, want %s", tt.patterns, s, tt.want)
		}
	}
}
