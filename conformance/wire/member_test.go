package wire

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// A frame is looked into only when its bytes are UTF-8: then the scan and encoding/json agree on every object.
func FuzzMember(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":1}`, ` { "a" : [1,{"b":"}"}] , "c\"" : "x\\" , "d":null}`, `{"a":{"a":2},"a":3}`, `{"\u0061":-1.5e3,"b":true}`, `[1]`, `"{"`, `{"a":""}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !json.Valid([]byte(s)) || !utf8.ValidString(s) {
			t.Skip()
		}
		var want map[string]json.RawMessage
		if json.Unmarshal([]byte(s), &want) != nil {
			want = nil
		}
		n := 0
		eachMember([]byte(s), func(_, v []byte) {
			n++
			if !json.Valid(v) {
				t.Errorf("%s: the value %s is torn", s, v)
			}
		})
		if n < len(want) {
			t.Errorf("%s: %d members, want %d", s, n, len(want))
		}
		for name, v := range want {
			if got := Member(json.RawMessage(s), name); string(got) != string(v) {
				t.Errorf("%s: %q is %s, want %s", s, name, got, v)
			}
		}
		if Member(json.RawMessage(s), "no such name") != nil && want["no such name"] == nil {
			t.Errorf("%s: a member that is not there", s)
		}
	})
}
