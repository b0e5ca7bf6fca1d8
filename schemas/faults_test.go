package schemas

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

func compileText(t *testing.T, text string) (*jsonschema.Schema, error) {
	t.Helper()
	c := newCompiler()
	if err := c.AddResource(base+"test.json", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return c.Compile(base + "test.json")
}

// A slip in a file must stop the program that uses it, not pass as a schema that accepts everything.
func TestFaultyFilesDoNotCompile(t *testing.T) {
	for _, text := range []string{
		`{"x-acp-switch":{"cases":{"a":true}}}`,
		`{"x-acp-switch":{"on":"type"}}`,
		`{"x-acp-switch":{"on":"type","cases":{"a":{"$ref":"#/$defs/Nowhere"}}}}`,
		`{"x-acp-switch":{"on":"type","cases":{"a":true},"else":{"$ref":"#/$defs/Nowhere"}}}`,
		`{"x-reader":"defaults"}`,
		`{"type":"text"}`,
		`{"$ref":"nowhere.json"}`,
	} {
		if _, err := compileText(t, text); err == nil {
			t.Errorf("%s compiles", text)
		}
	}
}

// A keyword that the explanation does not know still yields a finding.
func TestVerdictOutweighsTheExplanation(t *testing.T) {
	sch, err := compileText(t, `{"maxLength":2}`)
	if err != nil {
		t.Fatal(err)
	}
	got := check(sch, "Short", json.RawMessage(`"long"`))
	want := Finding{Problem: Shape, Expected: "a valid Short", Actual: `"long"`, Def: "Short"}
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
	sch, err := compileText(t, `{"type":"integer"}`)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(sch, json.Number("1e10000000")); err == nil || !strings.Contains(err.Error(), "panicked") {
		t.Errorf("got %v; if the validator copes now, maxNumber may grow", err)
	}
}
