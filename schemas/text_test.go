package schemas

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// stock compiles the definitions of a bundle as any user of it would: nothing of this package is known to the validator.
func stock(t *testing.T, bundle json.RawMessage) func(name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource("bundle.json", bytes.NewReader(bundle)); err != nil {
		t.Fatal(err)
	}
	return func(name string) *jsonschema.Schema {
		t.Helper()
		s, err := c.Compile("bundle.json" + refTo(name))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// everything is a bundle of all definitions.
func everything(t *testing.T, e *Edition) json.RawMessage {
	t.Helper()
	text, ok := e.Bundle(e.Definitions()...)
	if !ok || bytes.Contains(text, []byte(switchKeyword)) {
		t.Fatalf("%s: %v, %v", e.Name(), ok, e.Compile())
	}
	return text
}

// agrees compares the two verdicts on a value. A bundle cannot tell 1.0 from 1.
func agrees(t *testing.T, e *Edition, s *jsonschema.Schema, name, value string) (valid bool) {
	t.Helper()
	found := e.CheckName(name, json.RawMessage(value))
	v, bad := decode(json.RawMessage(value))
	if bad != nil {
		return false
	}
	verdict := s.Validate(v)
	token := len(found) > 0 && !slices.ContainsFunc(found, func(f Finding) bool { return f.Problem != Token })
	if (verdict == nil) != (len(found) == 0 || token) {
		t.Errorf("%s %s %s\nthe bundle says %v\nCheck finds %v", e.Name(), name, value, verdict, found)
	}
	return verdict == nil
}

// Whoever takes a bundle to another validator must get the verdicts of this package.
func TestBundleGivesTheSameVerdictOnTheExamples(t *testing.T) {
	compiled := stock(t, everything(t, v1))
	valid, invalid := 0, 0
	for _, file := range exampleFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := ""
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			sign, example, ok := strings.Cut(lines.Text(), " ")
			switch {
			case sign == "" || sign == "#":
			case !ok:
				name = sign
			default:
				if agrees(t, v1, compiled(name), name, example) {
					valid++
				} else {
					invalid++
				}
			}
		}
	}
	if valid < 200 || invalid < 200 {
		t.Errorf("only %d valid and %d invalid examples", valid, invalid)
	}
}

// The same for values made at random, in every edition: all unions, open and closed, are among them.
func TestBundleGivesTheSameVerdictInEveryEdition(t *testing.T) {
	for _, e := range Ours().editions {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			src, err := e.source()
			if err != nil {
				t.Fatal(err)
			}
			g := generator{rand.New(rand.NewPCG(3, 4))}
			compiled := stock(t, everything(t, e))
			for _, name := range e.Definitions() {
				s := compiled(name)
				for range 15 {
					v := g.value(src.nodes[name], 4)
					for range g.IntN(3) {
						v = g.spoil(v)
					}
					agrees(t, e, s, name, jsonText(v))
				}
			}
		})
	}
}

func TestBundleHoldsWhatIsReachedAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string // the definitions, "" = there is no bundle
		ref   string
	}{
		{[]string{"CancelNotification"}, "CancelNotification SessionId _meta", "#/$defs/CancelNotification"},
		{[]string{"SessionId"}, "SessionId", "#/$defs/SessionId"},
		{[]string{"LogoutRequest", "LogoutResponse"}, "LogoutRequest LogoutResponse _meta", ""},
		{[]string{"_meta"}, "", ""},
		{[]string{"SessionId", "NoSuchName"}, "", ""},
		{nil, "", ""},
	} {
		text, ok := v1.Bundle(c.names...)
		var doc bundle
		if err := json.Unmarshal(text, &doc); ok && err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(sortedKeys(doc.Defs), " "); ok != (c.want != "") || got != c.want || doc.Ref != c.ref {
			t.Errorf("%v: %v, %s, %s", c.names, ok, got, doc.Ref)
		}
	}
}

// A bundle is a copy: whatever is rewritten in it must not reach the edition, which is still read.
func TestBundleLeavesTheEditionAsItWas(t *testing.T) {
	before, _ := v1.Text("SessionUpdate")
	for range 2 {
		if _, ok := v1.Bundle("SessionNotification"); !ok {
			t.Fatal("there is no bundle")
		}
	}
	if after, _ := v1.Text("SessionUpdate"); string(after) != string(before) || !bytes.Contains(after, []byte(switchKeyword)) {
		t.Errorf("it became %s", after)
	}
}

// Members may have the names of keywords, and a format may be narrowed already.
func TestBundleTellsNamesFromKeywords(t *testing.T) {
	e := layered(fstest.MapFS{"both/a.json": {Data: []byte(`{"$defs": {
		"A": {"type": "object", "properties": {"format": {"$ref": "#/$defs/N"}, "$ref": {"type": "string"}, "x-acp-switch": true,
			"port": {"type": "integer", "format": "uint16", "minimum": 1, "maximum": 99999}}},
		"N": {"type": ["integer", "null"], "format": "int64"},
		"U": {"x-acp-switch": {"on": "k", "cases": {"n": {"properties": {"v": {"$ref": "#/$defs/N"}}}}, "else": {"required": ["w"]}}}
	}}`)}}).Edition(1, true)
	for _, c := range []struct{ name, valid, invalid string }{
		{"A", `{"format":-9223372036854775808,"$ref":"","port":1}`, `{"format":9223372036854775808}`},
		{"A", `{"port":65535}`, `{"port":65536}`},
		{"A", `{"x-acp-switch":[]}`, `{"port":0}`},
		{"U", `{"k":"n","v":1}`, `{"k":"n","v":"1"}`},
		{"U", `{"k":1,"w":1}`, `{"k":"m"}`},
		{"U", `"no object"`, `{}`},
	} {
		bundle, ok := e.Bundle(c.name)
		if !ok {
			t.Fatal(e.Compile())
		}
		s := stock(t, bundle)(c.name)
		if !agrees(t, e, s, c.name, c.valid) || agrees(t, e, s, c.name, c.invalid) {
			t.Errorf("%s: %s is not valid or %s is, by\n%s", c.name, c.valid, c.invalid, bundle)
		}
	}
}
