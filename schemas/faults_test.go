package schemas

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
)

// oneDefinition is an edition of a single definition, X.
func oneDefinition(text string) *Edition {
	return layered(fstest.MapFS{"both/x.json": {Data: []byte(`{"$defs":{"X":` + text + `}}`)}}).Edition(1, true)
}

// A slip in a file must stop the program that uses it, not pass as a schema that accepts everything.
func TestFaultyFilesDoNotCompile(t *testing.T) {
	for _, text := range []string{
		`{"x-acp-switch":{"cases":{"a":true}}}`,
		`{"x-acp-switch":{"on":"type"}}`,
		`{"x-acp-switch":{"on":"type","cases":{"a":{"$ref":"#/$defs/Nowhere"}}}}`,
		`{"x-acp-switch":{"on":"type","cases":{"a":true},"else":{"$ref":"#/$defs/Nowhere"}}}`,
		`{"x-reader":"defaults"}`,
		`{"x-text":"phone-number"}`,
		`{"type":"text"}`,
		`{"minItems":-1}`,
		`{"maximum":"9"}`,
		`{"$ref":"nowhere.json#/$defs/X"}`,
		`{"properties":{"a":{"items":{"anyOf":[{"$ref":"X"}]}}}}`,
		`{"required":"a"}`,
		`{"type":["null","null"]}`,
		`{"$ref":"#/$defs/X"}`,
		`{"anyOf":[{"type":"null"},{"$ref":"#/$defs/X"}]}`,
		`{"x-acp-switch":{"on":"a","cases":{"b":{"$ref":"#/$defs/X"}}}}`,
		`{},"A#b":{}`,
		`{},"file:///etc/hostname":{}`,
	} {
		if err := oneDefinition(text).Compile(); err == nil {
			t.Errorf("%s compiles", text)
		}
	}
}

// A keyword that the explanation does not know still yields a finding.
func TestVerdictOutweighsTheExplanation(t *testing.T) {
	got := oneDefinition(`{"maxLength":2}`).CheckName("X", json.RawMessage(`"long"`))
	want := Finding{Problem: Shape, Expected: "a valid X", Actual: `"long"`, Def: "X"}
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %+v", got)
	}
}

func TestPanicOfTheValidatorIsAFinding(t *testing.T) {
	got := internal("X", validate(nil, "value"))
	if got.Problem != Internal || !strings.Contains(got.Expected, "the validator panicked") {
		t.Errorf("got %+v", got)
	}
}

// What keeps the limits honest: this is the panic that they are there to avoid.
func TestTheValidatorPanicsBeyondTheLimits(t *testing.T) {
	src, err := oneDefinition(`{"type":"integer"}`).source()
	if err != nil {
		t.Fatal(err)
	}
	if err := src.validator.validate("X", json.Number("1e10000000")); err == nil || !strings.Contains(err.Error(), "panicked") {
		t.Errorf("got %v; if the validator copes now, maxNumber may grow", err)
	}
}

// A definition that does not compile is a fault each time that it is asked for, whoever refers to it.
func TestADefinitionThatDoesNotCompile(t *testing.T) {
	e := layered(fstest.MapFS{"both/x.json": {Data: []byte(`{"$defs":{"X":{"type":["null","null"]},"Y":{"properties":{"x":{"$ref":"#/$defs/X"}}}}}`)}}).Edition(1, true)
	for _, name := range []string{"X", "Y", "X", "Y"} {
		if got := e.CheckName(name, json.RawMessage(`{"x":1}`)); len(got) != 1 || got[0].Problem != Internal {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if e.Compile() == nil {
		t.Error("the edition compiles")
	}
}

// Keywords that our own files do not use are the validator's; nobody says yes before it.
func TestTheQuickYesIsNoLaxerThanTheValidator(t *testing.T) {
	for _, c := range []struct{ schema, value string }{
		{`{"const":"a","enum":["a","b"]}`, `"b"`},
		{`{"enum":["a",["x"]]}`, `["zz"]`},
		{`{"enum":["a",{"x":1}]}`, `{"x":2}`},
		{`{"const":{"x":1}}`, `{"x":2}`},
		{`{"type":"integer","format":"uint8"}`, `300`},
		{`{"oneOf":[{"type":"string"},{"minLength":1}]}`, `"x"`},
		{`{"oneOf":[{"required":["t"],"properties":{"t":{"const":"a"}}},{"type":"object"}]}`, `{"t":"a"}`},
		{`{"properties":{"default":{"$ref":"#/$defs/Y"}}},"Y":{"type":"string"}`, `{"default":1}`},
	} {
		got := oneDefinition(c.schema).CheckName("X", json.RawMessage(c.value))
		if len(got) == 0 || got[0].Problem == Internal {
			t.Errorf("%s under %s: got %v", c.value, c.schema, got)
		}
	}
	if got := oneDefinition(`{"type":"string","format":"email"}`).CheckName("X", json.RawMessage(`"no address"`)); got != nil {
		t.Errorf("what a string means never makes it invalid: got %v", got)
	}
}
