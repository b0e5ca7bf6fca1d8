package wire

import (
	"strings"
	"testing"
)

func TestInspectClimbsTheLadder(t *testing.T) {
	for _, tt := range []struct {
		line string
		rung Rung
		kind Kind
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"a"}`, Whole, Request},
		{`{"jsonrpc":"2.0","method":"a","params":{}}`, Whole, Notification},
		{`{"jsonrpc":"2.0","id":"x","result":null}`, Whole, Response},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`, Whole, Response},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r", Whole, Response},
		{"{\"jsonrpc\":\"2.0\",\"method\":\"a\xff\"}", RungUTF8, Notification},
		{"\ufeff" + `{"jsonrpc":"2.0","method":"a"}`, RungLine, None},
		{`{"jsonrpc":"2.0",`, RungLine, None},
		{`{"a":1} {"b":2}`, RungLine, None},
		{``, RungLine, None},
		{`starting up`, RungLine, None},
		{`[{"jsonrpc":"2.0","method":"a"}]`, RungObject, None},
		{`42`, RungObject, None},
		{`"ready"`, RungObject, None},
		{`{}`, RungShape, None},
		{`{"level":"info","id":3,"msg":"tick"}`, RungShape, None},
		{`{"jsonrpc":"2.0","id":3}`, RungShape, Response},
		{`{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}`, RungShape, Response},
		{`{"jsonrpc":"2.0","id":1,"method":"a","result":{}}`, RungShape, Response},
		{`{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}`, RungShape, Response},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, RungShape, None},
		{`{"jsonrpc":"2.0","id":1,"id":2,"result":{}}`, RungShape, Response},
		{`{"id":1,"result":{}}`, RungVersion, Response},
		{`{"jsonrpc":2.0,"id":1,"result":{}}`, RungVersion, Response},
		{`{"jsonrpc":"2.0","id":7.5,"method":"a"}`, RungID, Request},
		{`{"jsonrpc":"2.0","id":7.0,"method":"a"}`, RungID, Request},
		{`{"jsonrpc":"2.0","id":null,"method":"a"}`, RungID, Request},
		{`{"jsonrpc":"2.0","id":true,"method":"a"}`, RungID, Request},
		{`{"jsonrpc":"2.0","id":null,"result":{}}`, RungID, Response},
		{`{"jsonrpc":"2.0","id":"` + strings.Repeat("9", 300) + `","result":{}}`, Whole, Response},
		{`{"x":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + `}`, RungLine, None},
		{`{"JSONRPC":"2.0","id":1,"result":{}}`, RungVersion, Response},
	} {
		e := Inspect([]byte(tt.line))
		if e.Broken != tt.rung || e.Kind != tt.kind {
			t.Errorf("%s: broke at rung %d (%s) as %q, want rung %d as %q", tt.line, e.Broken, e.Why, e.Kind, tt.rung, tt.kind)
		}
		if (e.Broken == Whole) != (e.Why == "") {
			t.Errorf("%s: rung %d says %q", tt.line, e.Broken, e.Why)
		}
	}
}

func TestInspectTellsJunkFromTornMessages(t *testing.T) {
	for _, tt := range []struct {
		line                              string
		blob, inner, scalar, array, blank bool
	}{
		{line: `{"jsonrpc":"2.0",`, blob: true},
		{line: `{"a":1}{"jsonrpc":"2.0","method":"x"}`, blob: true},
		{line: "\x1b]0;title\x07" + `{"jsonrpc":"2.0","id":2,"result":{}}`, inner: true},
		{line: `running migration 3 of 7`},
		{line: `17`, scalar: true},
		{line: `[1]`, array: true},
		{line: "  \t", blank: true},
	} {
		e := Inspect([]byte(tt.line))
		if e.Blob != tt.blob || e.Inner != tt.inner || e.Scalar != tt.scalar || e.Array != tt.array || e.Blank != tt.blank {
			t.Errorf("%q: blob %v, inner %v, scalar %v, array %v, blank %v", tt.line, e.Blob, e.Inner, e.Scalar, e.Array, e.Blank)
		}
	}
}

// The same number as a number and as a string are two ids.
func TestKeyTellsTypesApart(t *testing.T) {
	one := Inspect([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`)).Key()
	text := Inspect([]byte(`{"jsonrpc":"2.0","id":"1","result":{}}`)).Key()
	if one == text {
		t.Errorf("1 and \"1\" have the same key %s", one)
	}
}

func FuzzInspect(f *testing.F) {
	for _, s := range []string{`{"jsonrpc":"2.0","id":1,"method":"a"}`, `[1,{}]`, `{"a":`, "\xff", `{"id":1e99,"jsonrpc":"2.0","result":{}}`, `{"id":{"id":1},"error":[]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e := Inspect(line)
		if e.Broken == Whole && (e.Kind == None || !e.Digestible() && len(e.ID) < 20 && string(e.ID) != "null" && e.Error == nil) {
			t.Errorf("%q is whole, of kind %q, and not digestible", line, e.Kind)
		}
	})
}
