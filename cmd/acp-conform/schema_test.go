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
		first, last   string
	}{
		{"", []string{"session/prompt client request stable PromptRequest", "session/prompt agent result stable PromptResponse",
			"session/update agent notification stable SessionNotification", "session/fork client request unstable ForkSessionRequest",
			"proxy/initialize proxy result unstable InitializeProxyResponse"},
			[]string{"tool_call/cancel"}, "Edition v1-unstable, as published on 2026-11-02 in @agentclientprotocol/sdk 2.4.0", "38 methods of edition v1-unstable; `acp-conform schema METHOD` prints the schemas of one\n"},
		{"--stable-only", []string{"session/load client request stable LoadSessionRequest"}, []string{"unstable", "session/fork"}, "Edition v1, as ", "25 methods of edition v1; `acp-conform schema --stable-only METHOD` "},
		{"--protocol 2 --stable-only", []string{"tool_call/cancel client request stable CancelToolCallRequest"}, []string{"session/load"}, "Edition v2, as ", "18 methods of edition v2; `acp-conform schema --protocol 2 --stable-only METHOD` "},
	} {
		s := call(t, append([]string{"schema"}, strings.Fields(c.args)...)...)
		if s.code != result.ExitOK || s.stderr != "" {
			t.Errorf("%s: exit code %d, %s", c.args, s.code, s.stderr)
		}
		first, table, _ := strings.Cut(regexp.MustCompile(`(?m)^ +| +$`).ReplaceAllString(s.stdout, ""), "\n\n")
		table, last, _ := strings.Cut(table, "\n\n")
		contains(t, c.args, regexp.MustCompile(` +`).ReplaceAllString(table, " ")+"\n", c.want...)
		for _, w := range c.without {
			if strings.Contains(table, w) {
				t.Errorf("%s lists %s", c.args, w)
			}
		}
		if !strings.HasPrefix(first, c.first) || !strings.HasPrefix(last, c.last) {
			t.Errorf("%s begins with %s and ends with %s", c.args, first, last)
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
		{"session/prompt --kind result", "v1-unstable", "PromptResponse result agent", "PromptResponse", "",
			`{"stopReason":"end_turn"}`, `{"stopReason":"stop"}`},
		{"session/prompt --sender client --format json", "v1-unstable", "PromptRequest request client", "PromptRequest", "",
			`{"sessionId":"s","prompt":[]}`, `{"prompt":[]}`},
		{"$/cancel_request --kind notification --stable-only", "v1", "CancelRequestNotification notification agent, CancelRequestNotification notification client",
			"CancelRequestNotification", "", `{"requestId":1}`, `{}`},
		{"mcp/message --sender client --kind notification", "v1-unstable", "MessageMcpNotification notification client", "MessageMcpNotification", "",
			`{"serverId":"s","requestId":"r","method":"m"}`, `{}`},
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
				Source  string                     `json:"x-acp-source"`
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
			if doc.Schema != "https://json-schema.org/draft/2020-12/schema" || doc.Edition != c.edition || doc.Source != releaseOf || strings.Join(parts, ", ") != c.parts || ref != c.ref {
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
		{"session/prompt session/new", []string{"takes one METHOD, but 2 were given", "files to be judged follow --check"}},
		{"session/prompt --format text", []string{"--format", "always printed as JSON"}},
		{"--format yaml", []string{"text, json"}},
		{"--protocol 3", []string{"--protocol 3: there is no such version", "1 and 2"}},
		{"--protocol x", []string{"--protocol x: give a whole number; `acp-conform schema --help` lists"}},
		{"--protocol v2", []string{"--protocol v2: give a whole number: --protocol 2;"}},
		{"--protocol vv", []string{"--protocol vv: give a whole number;"}},
		{"--protocol 99999999999999999999", []string{"a whole number that is not so large"}},
		{"--check - session/prompt", []string{"there is none called session/prompt", "--method session/prompt"}},
		{"--check - ToolCall --method initialize", []string{"there is none called ToolCall", "--definition ToolCall"}},
		{"--check -", []string{"--check: add what it is judged by", "--method", "--definition", "`acp-conform schema` lists"}},
		{"--check= --method initialize", []string{"an empty name is given", "- for stdin"}},
		{"--check - --check - --method initialize", []string{"stdin is named twice"}},
		{"--check - - --method initialize", []string{"stdin is named twice"}},
		{"--check - --method initialize --format yaml", []string{"--format yaml", "text, json"}},
		{"--check - --method initialize --definition Error", []string{"--definition and --method: leave out one of them"}},
		{"--check - --kind result --definition Error", []string{"--definition and --kind"}},
		{"--check - --sender agent --definition Error", []string{"--definition and --sender"}},
		{"--method initialize", []string{"--method goes with --check", "`acp-conform schema initialize` prints"}},
		{"--definition Error --protocol 2", []string{"--definition goes with --check", "`acp-conform schema --protocol 2 Error` prints"}},
		{"--kind result", []string{"--kind goes with a METHOD", "or with --check"}},
		{"--sender agent", []string{"--sender goes with a METHOD"}},
		{"session/promt --kind result", []string{`has no method "session/promt" (did you mean "session/prompt"?)`}},
		{"session/prompt --kind reslt", []string{"--kind reslt: there are request, notification, result"}},
		{"session/prompt --kind notification", []string{"session/prompt has no notification in edition v1-unstable; it has: result of the agent, request of the client"}},
		{"session/prompt --sender proxy", []string{"session/prompt has no part of the proxy"}},
		{"mcp/message --sender client", []string{"in more ways than one: notification of the client, result of the client"}},
		{"ToolCall --kind result", []string{"ToolCall is a definition"}},
		{"--check - --method initialise", []string{`has no method "initialise" (did you mean "initialize"?)`}},
		{"--check - --method ToolCall", []string{`has no method "ToolCall" (that is a definition: --definition ToolCall)`}},
		{"--check - --definition session/new", []string{`has no definition "session/new" (that is a method: --method session/new)`}},
		{"--check - --definition Toolcall", []string{`has no definition "Toolcall" (did you mean "ToolCall"?)`}},
		{"--check - --definition ForkSessionRequest --stable-only", []string{"it is unstable; leave out --stable-only"}},
		{"--check - --definition _meta", []string{`has no definition "_meta"`}},
		{"--check - --method session/fork --stable-only", []string{"it is unstable; leave out --stable-only"}},
		{"--check - --method session/load --protocol 2", []string{"add --protocol 1"}},
		{"--check - --method initialize --kind reslt", []string{"--kind reslt: there are request, notification, result", `did you mean "result"?`}},
		{"--check - --method initialize --sender me", []string{"--sender me: there are client, agent, proxy"}},
		{"--check - --method session/cancel --kind result", []string{"session/cancel has no result in edition v1-unstable; it has: notification of the client (choose with"}},
		{"--check - --method initialize --kind notification", []string{"initialize has no notification in edition", "it has: result of the agent, request of the client"}},
		{"--check - --method initialize --sender agent", []string{"initialize has no params of the agent in", "it has: result of the agent, request of the client"}},
		{"--check - --method mcp/message", []string{"in more ways than one: request of the agent, notification of the client", "--kind or --sender"}},
		{"--check - --method proxy/successor --sender proxy", []string{"in more ways than one: notification of the proxy, request of the proxy"}},
		{"--check no/such --method initialize", []string{"--check no/such: no such file or directory", "- for stdin"}},
		{"--check . --method initialize", []string{"--check .: this is a directory"}},
		{"--check schema.go no/such --method initialize", []string{"--check no/such: no such file or directory"}},
		{"--schema= ", []string{"--schema: no directory is named", "v1/schema.json"}},
		{"--rules x", []string{"unknown flag: --rules", "write -- schema"}},
		{"--chek x", []string{"did you mean --check?"}},
	} {
		t.Run(c.args, func(t *testing.T) { refused(t, append([]string{"schema"}, strings.Fields(c.args)...), c.want...) })
	}
}

func TestHelpOfSchema(t *testing.T) {
	s := call(t, "schema", "--help")
	contains(t, "the help", s.stdout, "Without --kind params are judged", "only needed where both sides", "(its params, which is the default)", "client, agent or proxy", "3 if this program itself failed")
	for _, line := range strings.Split(s.stdout, "\n") {
		if len(line) > helpWidth+1 {
			t.Errorf("longer than a line: %s", line)
		}
	}
}

// The examples of the help are accepted as they stand.
func TestExamplesOfSchemaAreAccepted(t *testing.T) {
	valid := map[string]string{"method session/new": `{"cwd":"/","mcpServers":[]}`, "method session/prompt": `{"stopReason":"end_turn"}`,
		"definition ToolCall": `{"toolCallId":"c","title":"t"}`}
	n := 0
	for _, line := range strings.Split(schemaExamples, "\n") {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "  ")
		line, _, _ = strings.Cut(line, " | ")
		line, _, _ = strings.Cut(line, " < ")
		stdin := ""
		for by, part := range valid {
			if strings.Contains(line, "--"+by) {
				stdin = part
			}
		}
		args := strings.Fields(strings.NewReplacer("params.json", "-", "call.json", "-").Replace(line))[1:]
		if s := callWith(t, stdin, args...); s.code != result.ExitOK {
			t.Errorf("%s: exit code %d, %s%s", line, s.code, s.stdout, s.stderr)
		}
		n++
	}
	if n != 7 {
		t.Error(fmt.Sprint(n, " examples"))
	}
}
