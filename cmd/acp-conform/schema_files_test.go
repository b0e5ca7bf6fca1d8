package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/schemas"
)

const (
	goodPrompt = `{"sessionId":"s","prompt":[]}`
	badPrompt  = `{"sessionId":1,"prompt":[]}`
)

// inDir makes files in an empty directory, which becomes the working directory.
func inDir(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(layout(t, files))
}

// A whole message is never valid, and the advice works as it is given.
func TestWholeMessagesAreRefused(t *testing.T) {
	for _, c := range []struct{ name, message, flags, member, by string }{
		{"a request", `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":` + goodPrompt + `}`, "--method session/prompt", "params", "--method session/prompt"},
		{"a request, by its kind", `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":` + goodPrompt + `}`, "--method session/prompt --kind request --sender client",
			"params", "--method session/prompt --kind request --sender client"},
		{"another version", `{"jsonrpc":"1.0","method":"m","params":{}}`, "--method session/list", "params", "--method session/list"},
		{"a request for a result", `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":` + goodPrompt + `}`, "--method session/prompt --kind result",
			"params", "--method session/prompt"},
		{"a result", `{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"},"error":null}`, "--method session/prompt --protocol 1 --kind result",
			"result", "--method session/prompt --kind result"},
		{"a result for params", `{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}`, "--method session/prompt", "result", "--method session/prompt --kind result"},
		{"an error", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}`, "--method session/prompt --sender agent --kind result", "error", "--definition Error"},
		{"a value", `{"jsonrpc":"2.0","method":"session/update","params":{"toolCallId":"c","title":"t"}}`, "--definition ToolCall", "params", "--definition ToolCall"},
		{"the first of several", `{"jsonrpc":"2.0","method":"session/list","params":{}}` + "\n{}", "--method session/list", "params", "--method session/list"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inDir(t, map[string]string{"a message.json": c.message})
			flags := append(strings.Fields(c.flags), "--stable-only")
			args := append([]string{"schema", "--check", "a message.json"}, flags...)
			want := "acp-conform: --check a message.json: this is a whole JSON-RPC message, give its " + c.member + " alone: `jq ." + c.member +
				" 'a message.json' | acp-conform schema --stable-only --check - " + c.by + "`\n"
			if s := call(t, args...); s != (said{result.ExitUsage, "", want}) {
				t.Errorf("exit code %d, %s%s", s.code, s.stderr, s.stdout)
			}
			piped := strings.ReplaceAll(strings.Replace(want, " 'a message.json'", "", 1), "a message.json", "-")
			if s := callWith(t, c.message, append([]string{"schema", "--check", "-", "--format", "json"}, flags...)...); s != (said{result.ExitUsage, "", piped}) {
				t.Errorf("on stdin: exit code %d, %s%s", s.code, s.stderr, s.stdout)
			}
			var message map[string]json.RawMessage
			if err := json.NewDecoder(strings.NewReader(c.message)).Decode(&message); err != nil {
				t.Fatal(err)
			}
			if s := callWith(t, string(message[c.member]), append([]string{"schema", "--check", "-"}, strings.Fields(c.by)...)...); s.code != result.ExitOK {
				t.Errorf("the advice leads to: exit code %d, %s%s", s.code, s.stderr, s.stdout)
			}
		})
	}
	refusedOn := func(stdin, want string) {
		s := callWith(t, stdin, "schema", "--check", "-", "--method", "session/list")
		if s.code != result.ExitUsage || !strings.Contains(s.stderr, want) || s.stdout != "" {
			t.Errorf("%s: exit code %d, %s%s", stdin, s.code, s.stderr, s.stdout)
		}
	}
	refusedOn(`{"jsonrpc":"2.0","id":1,"method":"session/list"}`, "neither params nor a result")
	refusedOn(`{"jsonrpc":"2.0","params":`+strings.Repeat("[", 600)+strings.Repeat("]", 600)+`}`, "give its params alone")
	// A definition of whole messages judges them.
	dir := layout(t, map[string]string{"schema.json": published(stableMethod + `, "Frame": {"type": "object", "properties": {"jsonrpc": {"const": "2.0"}}}`)})
	if s := callWith(t, `{"jsonrpc":"2.0"}`, "schema", "--schema", dir, "--check", "-", "--definition", "Frame"); s.code != result.ExitOK {
		t.Errorf("exit code %d, %s", s.code, s.stderr)
	}
}

func TestSeveralFiles(t *testing.T) {
	inDir(t, map[string]string{"a.json": goodPrompt, "b.json": goodPrompt, "c.json": badPrompt, "d.json": `{"sessionId":"s","prompt":[],"x":1}`,
		"m.json": `{"jsonrpc":"2.0","method":"session/prompt","params":{}}`})
	const of = "PromptRequest of edition v1-unstable (session/prompt, request of the client)\n"
	const wrong = "\n  /sessionId\n    expected  a string\n    found     1\n    in        SessionId\n"
	for _, c := range []struct {
		args string
		want said
	}{
		{"--check a.json", said{0, "VALID: " + of, ""}},
		{"--check a.json b.json", said{0, "a.json: VALID: " + of + "b.json: VALID: " + of, ""}},
		{"--check a.json --check b.json", said{0, "a.json: VALID: " + of + "b.json: VALID: " + of, ""}},
		{"--check a.json c.json -", said{1, "a.json: VALID: " + of + "\nc.json: INVALID: " + of + wrong + "\n-: VALID: " + of, ""}},
		{"--check d.json --check a.json", said{0, "d.json: VALID: " + of + "\n  Notes, which make nothing invalid:\n    the value itself: no definition names the member \"x\"\n\na.json: VALID: " + of, ""}},
		{"--check c.json no.json", said{2, "", "acp-conform: --check no.json: no such file or directory; name a file that can be read, or - for stdin\n"}},
		{"--check c.json .", said{2, "", "acp-conform: --check .: this is a directory; name a file in it, such as FILE\n"}},
		{"--check c.json m.json", said{2, "", "acp-conform: --check m.json: this is a whole JSON-RPC message, give its params alone: `jq .params m.json | acp-conform schema --check - --method session/prompt`\n"}},
	} {
		args := append([]string{"schema"}, strings.Fields(c.args+" --method session/prompt")...)
		if s := callWith(t, goodPrompt, args...); s != c.want {
			t.Errorf("%s: exit code %d, %s%s", c.args, s.code, s.stderr, s.stdout)
		}
	}
}

func TestCheckAsJSON(t *testing.T) {
	inDir(t, map[string]string{"a.json": goodPrompt, "b.json": `{"sessionId":1,"prompt":[],"_meta":1,"promt":2}`})
	const of = `,"edition":"v1","definition":"PromptRequest","method":"session/prompt","kind":"request","sender":"client","findings":[`
	want := `{"file":"a.json","valid":true` + of + `],"notes":[]}` + "\n" +
		`{"file":"b.json","valid":false` + of +
		`{"path":"/sessionId","problem":"type","expected":"a string","actual":"1","tolerated":"","definition":"SessionId"},` +
		`{"path":"/_meta","problem":"type","expected":"an object or null","actual":"1","tolerated":"read as absent","definition":"PromptRequest"}],` +
		`"notes":[{"path":"","problem":"unknown-member","text":"no definition names the member \"promt\"; perhaps \"prompt\" is meant"}]}` + "\n"
	s := call(t, strings.Fields("schema --stable-only --check a.json b.json --method session/prompt --format json")...)
	if s != (said{result.ExitFailed, want, ""}) {
		t.Errorf("exit code %d, %s%s", s.code, s.stderr, s.stdout)
	}
	s = callWith(t, `{"toolCallId":"c","title":"t","locations":[{"path":"x"}],"systemPrompt":1}`, strings.Fields("schema --check - --definition ToolCall --format json")...)
	want = `{"file":"-","valid":true,"edition":"v1-unstable","definition":"ToolCall","findings":[],"notes":[` +
		`{"path":"","problem":"unknown-member","text":"no definition names the member \"systemPrompt\""},` +
		`{"path":"/locations/0/path","problem":"path","text":"this should be an absolute path, but is \"x\""}]}` + "\n"
	if s != (said{result.ExitOK, want, ""}) {
		t.Errorf("exit code %d, %s%s", s.code, s.stderr, s.stdout)
	}
}

// endless never ends.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	clear(b)
	e.read += len(b)
	return len(b), nil
}

// No more is read than can be judged, from wherever it comes.
func TestEndlessInput(t *testing.T) {
	const want = "NOT JUDGED, because a limit of this program is exceeded: InitializeRequest of edition v1-unstable (initialize, request of the client)\n" +
		"\n  the value itself\n    expected  at most 64 MB\n    found     more than that\n" +
		"    remark    a limit of this program, not of the protocol: the value was not looked into\n"
	in := &endless{}
	var out, errs strings.Builder
	code := run(t.Context(), nil, []string{"schema", "--check", "-", "--method", "initialize"}, in, &out, &errs)
	if got := (said{code, out.String(), errs.String()}); got != (said{result.ExitFailed, want, ""}) || in.read > schemas.MaxPart+1 {
		t.Errorf("%d bytes were read: %+v", in.read, got)
	}
}

// Of many large files the text is not kept while the others are read.
func TestLargeFilesAreReadTwice(t *testing.T) {
	inDir(t, map[string]string{"1": "", "2": "", "3": "", "4": goodPrompt})
	for _, name := range []string{"1", "2", "3"} {
		if err := os.Truncate(name, schemas.MaxPart); err != nil {
			t.Fatal(err)
		}
	}
	p := &program{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard}
	e := schemas.Ours().Edition(1, false)
	d, _ := e.Lookup("session/prompt", schemas.Client, schemas.Request)
	files, err := p.readFiles(schemaOptions{}, d, []string{"1", "2", "3", "4"})
	var dropped []bool
	for _, f := range files {
		dropped = append(dropped, f.dropped)
	}
	if err != nil || !reflect.DeepEqual(dropped, []bool{false, false, true, true}) {
		t.Fatalf("dropped: %v, %v", dropped, err)
	}
	if v, err := p.judgeFile(schemaOptions{}, schemas.Ours(), d, &files[3]); err != nil || !v.Valid {
		t.Errorf("%+v, %v", v, err)
	}
	if err := os.Remove(filepath.Join(".", "3")); err != nil {
		t.Fatal(err)
	}
	if _, err := p.judgeFile(schemaOptions{}, schemas.Ours(), d, &files[2]); err == nil || !strings.Contains(err.Error(), "--check 3: ") {
		t.Errorf("a file that is gone: %v", err)
	}
}
