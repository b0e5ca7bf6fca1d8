package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

const chunk = `{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}}`

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name, args, part string
		code             int
		want             []string // on stdout; the first one begins it
		without          []string
	}{
		{"a request", "--method session/prompt", `{"sessionId":"s","prompt":[]}`, result.ExitOK,
			[]string{"VALID: PromptRequest of edition v1-unstable (session/prompt, request of the client)\n"}, []string{"Notes", "file"}},
		{"a request by its kind", "--method session/prompt --kind request --sender client --stable-only", `{"sessionId":"s","prompt":[]}`, result.ExitOK,
			[]string{"VALID: PromptRequest of edition v1 ("}, nil},
		{"a result", "--method session/prompt --kind result", `{"stopReason":"end_turn"}`, result.ExitOK,
			[]string{"VALID: PromptResponse of edition v1-unstable (session/prompt, result of the agent)\n"}, nil},
		{"a notification", "--method session/update", chunk, result.ExitOK,
			[]string{"VALID: SessionNotification of edition v1-unstable (session/update, notification of the agent)\n"}, nil},
		{"a method that goes both ways alike", "--method $/cancel_request", `{"requestId":1}`, result.ExitOK,
			[]string{"VALID: CancelRequestNotification "}, nil},
		{"a method that goes both ways, by its sender", "--method mcp/message --sender client", `{}`, result.ExitFailed,
			[]string{"INVALID: MessageMcpNotification ", "notification of the client"}, nil},
		{"version 2", "--protocol 2 --stable-only --method session/update", `{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"running"}}`, result.ExitOK,
			[]string{"VALID: UpdateSessionNotification of edition v2 ("}, nil},
		{"version 2, invalid", "--protocol 2 --method tool_call/cancel", `{"toolCallId":1}`, result.ExitFailed,
			[]string{"INVALID: CancelToolCallRequest of edition v2-unstable (tool_call/cancel, request of the client)\n",
				"\n  /sessionId\n    expected  member \"sessionId\"\n    found     absent\n", "\n  /toolCallId\n    expected  a string\n    found     1\n    in        ToolCallId\n"}, nil},
		{"the unstable edition", "--method session/fork", `{"sessionId":"s","cwd":"/"}`, result.ExitOK,
			[]string{"VALID: ForkSessionRequest of edition v1-unstable "}, nil},

		{"missing", "--method session/cancel", `{}`, result.ExitFailed,
			[]string{"INVALID: CancelNotification ", "\n  /sessionId\n    expected  member \"sessionId\"\n    found     absent\n"}, []string{"    in  "}},
		{"type", "--method session/cancel", `[]`, result.ExitFailed, []string{"INVALID: ", "\n  the value itself\n    expected  an object\n    found     []\n"}, nil},
		{"value", "--method session/prompt --kind result", `{"stopReason":"end_trun"}`, result.ExitFailed,
			[]string{"INVALID: ", "\n  /stopReason\n    expected  one of \"end_turn\", ", "; perhaps\n              \"end_turn\"\n    found     \"end_trun\"\n    in        StopReason\n"}, nil},
		{"range", "--method initialize", `{"protocolVersion":65536}`, result.ExitFailed,
			[]string{"INVALID: ", "\n  /protocolVersion\n    expected  an integer from 0 to 65535\n    found     65536\n"}, nil},
		{"token", "--method initialize", `{"protocolVersion":1.0}`, result.ExitFailed, []string{"INVALID: ", "written with digits alone\n    found     1.0\n"}, nil},
		{"limits", "--method initialize", strings.Repeat("[", 9000), result.ExitFailed,
			[]string{"NOT JUDGED, because a limit of this program is exceeded: InitializeRequest of edition v1-unstable (", "at most 8000 levels of nesting",
				"    remark    a limit of this program, not of the protocol: the value was not looked into\n"}, []string{"tolerant"}},
		{"no JSON", "--method initialize", "{\x1b[2J", result.ExitFailed, []string{"INVALID: ", "expected  one JSON value (", "found     {\\x1b[2J\n"}, []string{"\x1b"}},
		{"two values", "--method session/list", `{} {}`, result.ExitFailed, []string{"INVALID: ", "expected  one JSON value (", "found     {} {}\n"}, nil},
		{"an empty file is not the absence of params", "--method session/list", "", result.ExitFailed,
			[]string{"INVALID: ", "expected  one JSON value (it is empty)\n    found     nothing\n"}, nil},

		{"a definition", "--definition ContentBlock", `{"type":"text","text":"x"}`, result.ExitOK, []string{"VALID: ContentBlock of edition v1-unstable\n"}, []string{"("}},
		{"a definition that is a string", "--definition SessionId --protocol 2", `"s"`, result.ExitOK, []string{"VALID: SessionId of edition v2-unstable\n"}, nil},
		{"an error", "--definition Error --stable-only", `{"code":"1","message":"m"}`, result.ExitFailed,
			[]string{"INVALID: Error of edition v1\n", "\n  /code\n"}, nil},
		{"notes of a definition", "--definition ToolCall --stable-only", `{"toolCallId":"c","titlle":"t","title":"t","locations":[{"path":"x"}]}`, result.ExitOK,
			[]string{"VALID: ", `names the member "titlle"; perhaps "title" is meant`, `/locations/0/path: this should be an absolute path, but is "x"`}, nil},
		{"an unstable member of a definition", "--definition NewSessionRequest --stable-only", `{"cwd":"/","mcpServers":[],"systemPrompt":null}`, result.ExitOK,
			[]string{"VALID: ", `"systemPrompt" is known to the unstable edition only`}, nil},
		{"an empty file by a definition", "--definition ListSessionsRequest", " ", result.ExitFailed, []string{"INVALID: ", "found     nothing\n"}, nil},
		{"many", "--method initialize", `{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":1,"writeTextFile":1},"terminal":1,"auth":1,"session":1,"_meta":1},"clientInfo":1}`,
			result.ExitFailed, []string{"INVALID", "no more than 5 are shown"}, nil},

		{"tolerated", "--method session/update", strings.Replace(chunk, `"text":"x"`, `"text":"x","annotations":7`, 1), result.ExitFailed,
			[]string{"INVALID by the strict reading, though tolerant readers cope: SessionNotification ",
				"\n  /update/content/annotations\n    expected  an object or null\n    found     7\n    in        Annotations\n    tolerant  readers cope: read as absent\n"}, nil},
		{"an item is dropped", "--method session/load --kind result", `{"configOptions":[1]}`, result.ExitFailed,
			[]string{"INVALID by the strict reading, though", "    tolerant  readers cope: item dropped\n"}, nil},
		{"tolerated beside what is not", "--method session/prompt", `{"prompt":[],"_meta":1}`, result.ExitFailed,
			[]string{"INVALID: ", "member \"sessionId\"", "    tolerant  readers cope: read as absent\n"}, nil},

		{"a misspelt member", "--method session/new", `{"cwd":"/","mcpServers":[],"mcp_servers":[]}`, result.ExitOK,
			[]string{"VALID: ", "\n  Notes, which make nothing invalid:\n    the value itself: no definition names the member \"mcp_servers\"; perhaps \"mcpServers\" is meant\n"}, nil},
		{"a member of the unstable edition", "--method session/new", `{"cwd":"/","mcpServers":[],"systemPrompt":null}`, result.ExitOK,
			[]string{"VALID: ", "    the value itself: the member \"systemPrompt\" is known to the unstable edition only\n"}, nil},
		{"a member of the unstable edition, by the stable one", "--stable-only --method session/new", `{"cwd":"/","mcpServers":[],"systemPrompt":null,"x":1}`, result.ExitOK,
			[]string{"VALID: NewSessionRequest of edition v1 ", "\"systemPrompt\" is known to the unstable edition only\n", "names the member \"x\"\n"}, nil},
		{"what a string means", "--method session/new", `{"cwd":"src\u202e","mcpServers":[]}`, result.ExitOK,
			[]string{"VALID: ", "    /cwd: this should be an absolute path, but is \"src\\u202e\"\n"}, nil},
		{"notes beside findings", "--method session/new", `{"cwd":"src"}`, result.ExitFailed, []string{"INVALID: ", "/mcpServers\n", "    /cwd: this should be"}, nil},

		{"no envelope", "--method session/list", `{"jsonrpc":2}`, result.ExitOK, []string{"VALID: ", `names the member "jsonrpc"`}, nil},
		{"an envelope in a list", "--method session/list", `[{"jsonrpc":"2.0","id":1,"method":"session/list"}]`, result.ExitFailed, []string{"INVALID: "}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "part.json")
			if err := os.WriteFile(file, []byte(c.part), 0o600); err != nil {
				t.Fatal(err)
			}
			flags := strings.Fields(c.args)
			s := call(t, append([]string{"schema", "--check", file}, flags...)...)
			if s.code != c.code || s.stderr != "" || !strings.HasPrefix(s.stdout, c.want[0]) {
				t.Errorf("exit code %d, %s%s", s.code, s.stderr, s.stdout)
			}
			contains(t, "stdout", s.stdout, c.want...)
			for _, w := range c.without {
				if strings.Contains(s.stdout, w) {
					t.Errorf("stdout has %q:\n%s", w, s.stdout)
				}
			}
			if piped := callWith(t, c.part, append([]string{"schema", "--check", "-"}, flags...)...); piped != s {
				t.Errorf("on stdin it is another matter: exit code %d, %s%s", piped.code, piped.stderr, piped.stdout)
			}
		})
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("torn") }

func TestCheckOfABrokenStdin(t *testing.T) {
	var errs strings.Builder
	if code := run(t.Context(), nil, []string{"schema", "--check", "-", "--method", "initialize"}, broken{}, io.Discard, &errs); code != result.ExitUsage {
		t.Errorf("exit code %d", code)
	}
	contains(t, "stderr", errs.String(), "stdin cannot be read: torn")
}
