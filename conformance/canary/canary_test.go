package canary_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/canary"
	"github.com/acp-conform/acp-conform/schemas"
)

func TestTheEntriesFitTheSchema(t *testing.T) {
	self := []string{filepath.Join(t.TempDir(), "acp-conform"), canary.Command}
	for version, server := range map[int]map[string]any{1: canary.Server(self, "log"), 2: canary.Server2(self, "log")} {
		part, err := json.Marshal(server)
		if err != nil {
			t.Fatal(err)
		}
		if found := schemas.Ours().Edition(version, true).CheckName("McpServer", part); len(found) > 0 {
			t.Errorf("version %d: %s: %v", version, part, found)
		}
	}
}

func TestTheEntryStartsThisProgramWithItsLog(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	got := canary.Server([]string{"/bin/acp-conform", canary.Command}, log)
	want := map[string]any{"name": "canary", "command": "/bin/acp-conform", "args": []any{"mcp-canary", "--log", log}, "env": []any{}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	if two := canary.Server2([]string{"/bin/acp-conform"}, log); two["type"] != "stdio" {
		t.Errorf("%v", two)
	}
}

// An agent runs the canary in the session's directory, so that the path of the log must not depend on where the suite runs.
func TestTheEntryNamesItsLogByAnAbsolutePath(t *testing.T) {
	args := canary.Server([]string{"/bin/acp-conform"}, "log")["args"].([]any)
	if path := args[len(args)-1].(string); !filepath.IsAbs(path) {
		t.Error(path)
	}
}

// spoken is what the canary answers to some lines, and what it has noted by then.
func spoken(t *testing.T, lines ...string) ([]map[string]any, canary.Counts) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	var out strings.Builder
	if err := canary.Serve(strings.NewReader(strings.Join(lines, "\n")), &out, log); err != nil {
		t.Fatal(err)
	}
	var answers []map[string]any
	for line := range strings.Lines(out.String()) {
		var a map[string]any
		if err := json.Unmarshal([]byte(line), &a); err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("%v: %q", err, line)
		}
		answers = append(answers, a)
	}
	c, err := canary.Count(log)
	if err != nil {
		t.Fatal(err)
	}
	return answers, c
}

func TestAConversation(t *testing.T) {
	answers, counts := spoken(t,
		`{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"n","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		``,
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"sing","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"roar"}}`,
		`{"jsonrpc":"2.0","id":5,"method":"prompts/list"}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}`,
		`[]`,
		`{"jsonrpc":`,
	)
	if want := (canary.Counts{Starts: 1, Initializes: 1, Lists: 1, Calls: 2}); counts != want || counts.Sum() != 5 {
		t.Errorf("%+v", counts)
	}
	want := []string{"2024-11-05", "map[]", "sing", "Tweet.", "-32602", "-32601", "-32600", "-32600", "-32700"}
	if len(answers) != len(want) {
		t.Fatalf("%d answers: %v", len(answers), answers)
	}
	for i, a := range answers {
		if text := fmt.Sprint(a["result"], a["error"]); a["jsonrpc"] != "2.0" || !strings.Contains(text, want[i]) {
			t.Errorf("answer %d: %v", i, a)
		}
	}
	if answers[0]["id"] != "a" || answers[7]["id"] != nil || answers[8]["id"] != nil {
		t.Errorf("%v", answers)
	}
}

func TestAStartIsNotedBeforeAnythingIsSaid(t *testing.T) {
	if _, c := spoken(t); c != (canary.Counts{Starts: 1}) {
		t.Errorf("%+v", c)
	}
}

func TestAnAnswerIsWrittenInOnePiece(t *testing.T) {
	var out pieces
	line := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	if err := canary.Serve(strings.NewReader(line), &out, filepath.Join(t.TempDir(), "log")); err != nil || out != 1 {
		t.Errorf("%d writes, %v", out, err)
	}
}

type pieces int

func (n *pieces) Write(b []byte) (int, error) { *n++; return len(b), nil }

func TestALogThatCannotBeWritten(t *testing.T) {
	if err := canary.Serve(strings.NewReader(""), new(pieces), filepath.Join(t.TempDir(), "no", "log")); err == nil {
		t.Error("nothing is said about it")
	}
}

func TestSeveralCanariesShareALog(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	const canaries, calls = 8, 50
	in := strings.Repeat(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`+"\n", calls)
	var all sync.WaitGroup
	for range canaries {
		all.Go(func() {
			if err := canary.Serve(strings.NewReader(in), new(pieces), log); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	c, err := canary.Count(log)
	if want := (canary.Counts{Starts: canaries, Lists: canaries * calls}); err != nil || c != want {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestCount(t *testing.T) {
	const start = `{"kind":"start","pid":1}` + "\n"
	for _, c := range []struct {
		name, text string
		want       canary.Counts
		broken     bool
	}{
		{"empty", "", canary.Counts{}, false},
		{"whole", start + `{"kind":"initialize","pid":1}` + "\n" + start, canary.Counts{Starts: 2, Initializes: 1}, false},
		{"half a line at the end", start + `{"kind":"sta`, canary.Counts{Starts: 1}, false},
		{"a line without its end", start + `{"kind":"start","pid":2}`, canary.Counts{Starts: 1}, false},
		{"half a line elsewhere", `{"kind":"sta` + "\n" + start, canary.Counts{}, true},
		{"somebody else's", start + "hello\n", canary.Counts{Starts: 1}, true},
		{"an unknown kind", `{"kind":"end","pid":1}` + "\n", canary.Counts{}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(log, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := canary.Count(log)
			if got != c.want || (err != nil) != c.broken {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestALogThatDoesNotExistCountsNothing(t *testing.T) {
	if c, err := canary.Count(filepath.Join(t.TempDir(), "log")); err != nil || c != (canary.Counts{}) {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := canary.Count(t.TempDir()); err == nil {
		t.Error("a directory is no log")
	}
}
