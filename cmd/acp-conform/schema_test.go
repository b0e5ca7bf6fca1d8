package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/acp-conform/acp-conform/conformance/result"
)

func TestListOfMethods(t *testing.T) {
	for _, c := range []struct {
		args          string
		want, without []string
		last          string
	}{
		{"", []string{"session/prompt client request stable PromptRequest", "session/prompt agent result stable PromptResponse",
			"session/update agent notification stable SessionNotification", "session/fork client request unstable ForkSessionRequest",
			"proxy/initialize proxy result unstable InitializeProxyResponse"},
			[]string{"tool_call/cancel"}, "38 methods of edition v1-unstable; `acp-conform schema METHOD` prints the schemas of one"},
		{"--stable-only", []string{"session/load client request stable LoadSessionRequest"}, []string{"unstable", "session/fork"}, "25 methods of edition v1; "},
		{"--protocol 2 --stable-only", []string{"tool_call/cancel client request stable CancelToolCallRequest"}, []string{"session/load"}, "18 methods of edition v2; "},
	} {
		s := call(t, append([]string{"schema"}, strings.Fields(c.args)...)...)
		if s.code != result.ExitOK || s.stderr != "" {
			t.Errorf("%s: exit code %d, %s", c.args, s.code, s.stderr)
		}
		table, last, _ := strings.Cut(regexp.MustCompile(`(?m)^ +| +$`).ReplaceAllString(s.stdout, ""), "\n\n")
		contains(t, c.args, regexp.MustCompile(` +`).ReplaceAllString(table, " ")+"\n", c.want...)
		for _, w := range c.without {
			if strings.Contains(table, w) {
				t.Errorf("%s lists %s", c.args, w)
			}
		}
		if !strings.HasPrefix(last, c.last) {
			t.Errorf("%s ends with %s", c.args, last)
		}
	}
}

// What is printed is one document that a validator can use without anything else.
func TestPrintedSchemas(t *testing.T) {
	for _, c := range []struct {
		args, edition string
		parts         string // definition, kind and sender
		ref           string
		use           string // a definition of the document
		valid, not    string
	}{
		{"session/prompt", "v1-unstable", "PromptResponse result agent, PromptRequest request client", "", "PromptRequest",
			`{"sessionId":"s","prompt":[{"type":"text","text":"x"}]}`, `{"sessionId":"s","prompt":[{"type":"txt","text":"x"}]}`},
		{"session/prompt", "v1-unstable", "PromptResponse result agent, PromptRequest request client", "", "PromptResponse",
			`{"stopReason":"end_turn"}`, `{"stopReason":"stop"}`},
		{"session/cancel --stable-only", "v1", "CancelNotification notification client", "CancelNotification", "",
			`{"sessionId":"s"}`, `{"sessionId":null}`},
		{"mcp/message", "v1-unstable", "MessageMcpRequest request agent, MessageMcpNotification notification client, MessageMcpResponse result client", "", "MessageMcpRequest",
			`{"serverId":"s","requestId":"r","method":"m"}`, `{}`},
		{"PromptResponse --format json", "v1-unstable", "PromptResponse result agent", "PromptResponse", "",
			`{"stopReason":"cancelled"}`, `{}`},
		{"ToolCallLocation", "v1-unstable", "", "ToolCallLocation", "",
			`{"path":"/a","line":4294967295}`, `{"path":"/a","line":4294967296}`},
		{"session/update --protocol 2 --stable-only", "v2", "UpdateSessionNotification notification agent", "UpdateSessionNotification", "",
			`{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"running"}}`, `{"sessionId":"s","update":{"sessionUpdate":"state_update"}}`},
	} {
		t.Run(c.args+" "+c.use, func(t *testing.T) {
			s := call(t, append([]string{"schema"}, strings.Fields(c.args)...)...)
			if s.code != result.ExitOK || s.stderr != "" {
				t.Fatalf("exit code %d, %s", s.code, s.stderr)
			}
			var doc struct {
				Schema  string                     `json:"$schema"`
				Edition string                     `json:"x-acp-edition"`
				Parts   []listedPart               `json:"x-acp-parts"`
				Ref     string                     `json:"$ref"`
				Defs    map[string]json.RawMessage `json:"$defs"`
			}
			if err := json.Unmarshal([]byte(s.stdout), &doc); err != nil {
				t.Fatal(err)
			}
			var parts []string
			for _, p := range doc.Parts {
				parts = append(parts, p.Definition+" "+p.Kind+" "+p.Sender)
			}
			ref := strings.TrimPrefix(doc.Ref, "#/$defs/")
			if doc.Schema != "https://json-schema.org/draft/2020-12/schema" || doc.Edition != c.edition || strings.Join(parts, ", ") != c.parts || ref != c.ref {
				t.Errorf("%+v", doc)
			}
			for _, m := range regexp.MustCompile(`"\$ref": "([^"]*)"`).FindAllStringSubmatch(s.stdout, -1) {
				if name, ok := strings.CutPrefix(m[1], "#/$defs/"); !ok || doc.Defs[name] == nil {
					t.Errorf("%s leads nowhere", m[1])
				}
			}
			judgesLikeUs(t, s.stdout, c.use, c.valid, c.not)
		})
	}
}

// judgesLikeUs lets a validator that knows nothing of us judge by a document, or by one definition in it.
func judgesLikeUs(t *testing.T, doc, name, valid, not string) {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("doc.json", strings.NewReader(doc)); err != nil {
		t.Fatal(err)
	}
	at := "doc.json"
	if name != "" {
		at += "#/$defs/" + name
	}
	s, err := compiler.Compile(at)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{valid: true, not: false} {
		var v any
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWrongUseOfSchema(t *testing.T) {
	for _, c := range []struct {
		args string
		want []string
	}{
		{"session/promt", []string{`edition v1-unstable has no method or definition "session/promt" (did you mean "session/prompt"?)`, "`acp-conform schema` lists"}},
		{"prompt", []string{`did you mean "session/prompt"?`}},
		{"toolcall", []string{`did you mean "ToolCall"?`}},
		{"_meta", []string{`no method or definition "_meta"`}},
		{"tool_call/cancl --protocol 2 --stable-only", []string{`edition v2 has`, `did you mean "tool_call/cancel"?`, "`acp-conform schema --protocol 2 --stable-only` lists"}},
		{"session/fork --stable-only", []string{"session/fork is not in the stable edition v1: it is unstable; leave out --stable-only"}},
		{"session/fork --stable-only --protocol 2", []string{"not in the stable edition v2"}},
		{"ForkSessionRequest --stable-only", []string{"it is unstable"}},
		{"session/load --protocol 2", []string{"session/load is not in version 2 of the protocol, but in version 1: add --protocol 1"}},
		{"tool_call/cancel", []string{"but in version 2: add --protocol 2"}},
		{"session/prompt session/new", []string{"takes one METHOD, but 2 were given"}},
		{"session/prompt --format text", []string{"--format", "always printed as JSON"}},
		{"--format yaml", []string{"text, json"}},
		{"--protocol 3", []string{"--protocol 3: there is no such version", "1 and 2"}},
		{"--protocol x", []string{"--protocol", "schema --help"}},
		{"--check - session/prompt", []string{"leave out one of them", "--method session/prompt"}},
		{"--check -", []string{"--check: add what it is judged by", "--method", "`acp-conform schema` lists"}},
		{"--check= --method initialize", []string{"--check: no file is named"}},
		{"--check - --method initialize --format json", []string{"--format goes with the list", "--check prints text"}},
		{"--method initialize", []string{"--method goes with --check", "acp-conform schema METHOD"}},
		{"session/prompt --kind result", []string{"--kind goes with --check"}},
		{"--sender agent", []string{"--sender goes with --check"}},
		{"--check - --method initialise", []string{`has no method "initialise" (did you mean "initialize"?)`}},
		{"--check - --method ToolCall", []string{`has no method "ToolCall" (that is a definition)`}},
		{"--check - --method session/fork --stable-only", []string{"it is unstable; leave out --stable-only"}},
		{"--check - --method session/load --protocol 2", []string{"add --protocol 1"}},
		{"--check - --method initialize --kind reslt", []string{"--kind reslt: there are request, notification, result", `did you mean "result"?`}},
		{"--check - --method initialize --sender me", []string{"--sender me: there are client, agent, proxy"}},
		{"--check - --method session/cancel --kind result", []string{"session/cancel has no such part", "it has: notification of the client"}},
		{"--check - --method initialize --kind notification", []string{"it has: result of the agent, request of the client"}},
		{"--check - --method initialize --sender agent", []string{"it has: result of the agent, request of the client"}},
		{"--check - --method mcp/message", []string{"in more ways than one: request of the agent, notification of the client", "--kind or --sender"}},
		{"--check - --method proxy/successor --sender proxy", []string{"in more ways than one: notification of the proxy, request of the proxy"}},
		{"--check no/such --method initialize", []string{"--check no/such: no such file or directory", "- for stdin"}},
		{"--check . --method initialize", []string{"--check .: is a directory"}},
		{"--schema= ", []string{"--schema: no directory is named", "v1/schema.json"}},
		{"--rules x", []string{"unknown flag: --rules", "write -- schema"}},
		{"--chek x", []string{"did you mean --check?"}},
	} {
		t.Run(c.args, func(t *testing.T) { refused(t, append([]string{"schema"}, strings.Fields(c.args)...), c.want...) })
	}
}

// The examples of the help are accepted as they stand.
func TestExamplesOfSchemaAreAccepted(t *testing.T) {
	valid := map[string]string{"session/new": `{"cwd":"/","mcpServers":[]}`, "session/prompt": `{"stopReason":"end_turn"}`}
	n := 0
	for _, line := range strings.Split(schemaExamples, "\n") {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "  ")
		line, _, _ = strings.Cut(line, " | ")
		line, _, _ = strings.Cut(line, " < ")
		stdin := ""
		for method, part := range valid {
			if strings.Contains(line, "--method "+method) {
				stdin = part
			}
		}
		args := strings.Fields(strings.Replace(line, "params.json", "-", 1))[1:]
		if s := callWith(t, stdin, args...); s.code != result.ExitOK {
			t.Errorf("%s: exit code %d, %s%s", line, s.code, s.stdout, s.stderr)
		}
		n++
	}
	if n != 5 {
		t.Error(fmt.Sprint(n, " examples"))
	}
}
