package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/schemas"
)

// manyMembers is a prompt with so many members that nobody knows.
func manyMembers(n int) string {
	object := map[string]any{"sessionId": "s", "prompt": []any{}}
	for i := range n {
		object[fmt.Sprintf("zzzz%02d", i)] = 1
	}
	text, _ := json.Marshal(object)
	return string(text)
}

func TestNotesAreCounted(t *testing.T) {
	for n, last := range map[int]string{
		20: "    the value itself: no definition names the member \"zzzz19\"\n",
		21: "    … and 1 more (--format json lists them)\n",
		49: "    … and 29 more (--format json lists them)\n",
		99: "    … and at least 30 more (--format json lists them)\n",
	} {
		s := callWith(t, manyMembers(n), "schema", "--check", "-", "--method", "session/prompt")
		if s.code != result.ExitOK || !strings.HasSuffix(s.stdout, last) || strings.Count(s.stdout, "no definition names") != 20 {
			t.Errorf("%d members: exit code %d, %s", n, s.code, s.stdout)
		}
		s = callWith(t, manyMembers(n), "schema", "--check", "-", "--method", "session/prompt", "--format", "json")
		var v verdict
		if err := json.Unmarshal([]byte(s.stdout), &v); err != nil || len(v.Notes) != min(n, mostUnknown) {
			t.Errorf("%d members: %v, %s", n, err, s.stdout)
		}
	}
}

func TestLongListsAreWrapped(t *testing.T) {
	s := callWith(t, `{"sessionId":"s","update":{"sessionUpdate":"`+strings.Repeat("long ", 30)+`"}}`, "schema", "--check", "-", "--method", "session/update")
	if s.code != result.ExitFailed || strings.Count(s.stdout, "\n              \"") < 3 {
		t.Errorf("exit code %d, %s", s.code, s.stdout)
	}
	for _, line := range strings.Split(s.stdout, "\n")[1:] {
		if len([]rune(line)) > lineWidth && !strings.HasPrefix(line, "    found     ") {
			t.Errorf("this line is too long: %s", line)
		}
	}
	contains(t, "the value that was found", s.stdout, `    found     "`+strings.Repeat("long ", 30)+"\"\n")
	for text, want := range map[string][]string{
		"":                   {""},
		"a b c":              {"a b c"},
		"aaaa bbbb cccc":     {"aaaa bbbb", "cccc"},
		"aaaaaaaaaaaaaaa b":  {"aaaaaaaaaaaaaaa", "b"},
		`a "b c  d e f g" h`: {"a", `"b c  d e f g"`, "h"},
		`"b\" c d e f g" h`:  {`"b\" c d e f g"`, "h"},
		`"b\\" c d e f g h`:  {`"b\\" c d`, "e f g h"},
	} {
		if got := wrapped(text, 10); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// Published files do not say what strings mean; our own definitions of the same part do.
func TestNotesByOtherSchemas(t *testing.T) {
	const asPublished = `"NewSessionRequest": {"x-method": "session/new", "x-side": "agent", "type": "object", "properties": {"cwd": {"type": "string"}, "more": {"type": "string"}}},
		"NewSessionResponse": {"type": "object"}, "Own": {"type": "object", "properties": {"cwd": {"type": "string"}}},
		"ToolCallLocation": {"type": "object", "properties": {"path": {"type": "string"}}}`
	dir := layout(t, map[string]string{"schema.json": published(stableMethod + "," + asPublished)})
	for _, c := range []struct{ by, part, notes string }{
		{"--method session/new", `{"cwd":"src","more":"x"}`, "\n  Notes, which make nothing invalid:\n    /cwd: this should be an absolute path, but is \"src\"\n"},
		{"--definition NewSessionRequest", `{"cwd":"src"}`, "\n  Notes, which make nothing invalid:\n    /cwd: this should be an absolute path, but is \"src\"\n"},
		{"--definition ToolCallLocation", `{"path":"src"}`, "\n  Notes, which make nothing invalid:\n    /path: this should be an absolute path, but is \"src\"\n"},
		{"--definition Own", `{"cwd":"src"}`, ""},
		{"--method ping", `{"n":1}`, ""},
	} {
		s := callWith(t, c.part, append([]string{"schema", "--schema", dir, "--check", "-"}, strings.Fields(c.by)...)...)
		if _, notes, _ := strings.Cut(s.stdout, "\n"); s.code != result.ExitOK || s.stderr != "" || notes != c.notes {
			t.Errorf("%s: exit code %d, %s%s", c.by, s.code, s.stderr, s.stdout)
		}
	}
}

// A copy of our own files may lack what our list of methods needs.
func TestADefinitionThatWasTakenOut(t *testing.T) {
	dir := ownLayout(t)
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Defs map[string]json.RawMessage `json:"$defs"`
		}
		if json.Unmarshal(text, &doc) != nil || doc.Defs["CancelNotification"] == nil {
			continue
		}
		delete(doc.Defs, "CancelNotification")
		if text, err = json.Marshal(doc); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const want = ": edition v1: there is no definition CancelNotification"
	for _, args := range []string{"session/cancel", "session/cancel --kind notification", "--check - --method session/cancel"} {
		refused(t, append([]string{"schema", "--schema", dir}, strings.Fields(args)...), "--schema "+dir+want)
	}
}

// A failure of this program is not one of the message.
func TestAFailureOfTheValidator(t *testing.T) {
	var out, errs strings.Builder
	p := &program{stdout: &out, stderr: &errs}
	d := schemas.Definition{Edition: schemas.Ours().Edition(1, true), Name: "Nothing"}
	_, err := p.judgeFile(schemaOptions{}, schemas.Ours(), d, &checkedFile{name: "a.json", text: []byte("{}")})
	if want := "acp-conform: --check a.json: this program failed, and nothing was judged: edition v1 has no such definition\n"; err != exitCode(result.ExitInconclusive) ||
		errs.String() != want || out.String() != "" {
		t.Errorf("%v, %s%s", err, errs.String(), out.String())
	}
}

// What the program says of its schemas is what the tests compare them with.
func TestTheReleaseIsTheOneThatIsCompared(t *testing.T) {
	text, err := os.ReadFile("../../conformance/interop/package.json")
	if err != nil {
		t.Fatal(err)
	}
	name, version, _ := strings.Cut(releaseOf, " ")
	contains(t, "package.json", string(text), fmt.Sprintf("%q: %q", name, version))
	if s := call(t, "schema", "--version"); s.code != result.ExitOK || !strings.HasPrefix(s.stdout, "acp-conform ") ||
		!strings.HasSuffix(s.stdout, ": the schemas of "+releaseOf+", published on "+releaseDate+"\n") {
		t.Errorf("exit code %d, %s%s", s.code, s.stdout, s.stderr)
	}
}
