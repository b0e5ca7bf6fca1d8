package redact

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// commands are command lines with the secrets in them, and how they are shown.
var commands = []struct {
	words, secrets, want []string
}{
	{[]string{"./agent", "--api-key", "hunter2ARGV"}, []string{"hunter2ARGV"}, []string{"./agent", "--api-key", Mask}},
	{[]string{"./agent", "-password", "hunter two"}, []string{"hunter two"}, []string{"./agent", "-password", Mask}},
	{[]string{"./agent", "--token=it's,hunter2"}, []string{"it's,hunter2"}, []string{"./agent", "--token=" + Mask}},
	{[]string{"./agent", "--groq-key", "hunter2222", "--auth=hunter3333"}, []string{"hunter2222", "hunter3333"}, []string{"./agent", "--groq-key", Mask, "--auth=" + Mask}},
	{[]string{"curl", "-u", "user:hunter2222", "--user", "me:hunter3333", "--proxy-user=me:hunter:4444"}, []string{"hunter2222", "hunter3333", "hunter:4444"},
		[]string{"curl", "-u", "user:" + Mask, "--user", "me:" + Mask, "--proxy-user=me:" + Mask}},
	{[]string{"env", "GROQ_KEY=hunter2&222", "GITHUB_PAT=hunter3333", "./agent"}, []string{"hunter2&222", "hunter3333"}, []string{"env", "GROQ_KEY=" + Mask, "GITHUB_PAT=" + Mask, "./agent"}},
	{[]string{"./agent", "-H", "x-api-key: hunter2222"}, []string{"hunter2222"}, []string{"./agent", "-H", "x-api-key: " + Mask}},
	{[]string{"sh", "-c", "exec ./agent --token hunter2222 --model x"}, []string{"hunter2222"}, []string{"sh", "-c", "exec ./agent --token " + Mask + " --model x"}},
	// and no secrets
	{words: []string{"./agent", "--max-tokens", "100000", "--max-tokens=100000", "--token-file", "/run/token", "--sort-key", "name-of-it"}},
	{words: []string{"./agent", "--api-key", "--model", "gemini", "--auth", "oauth-personal", "--no-key", "command_test.go"}},
	{words: []string{"docker", "run", "-u", "100000:100000", "--user", "someone", "-e", "MY_TOKEN", "image", "key=ArrowDown"}},
	{words: []string{"git", "push", "-u", "https://example.org/abcdef"}},
}

// A secret that only the command line tells stands neither in it nor anywhere else, however it is written there.
func TestSecretsOfACommandLine(t *testing.T) {
	for _, c := range commands {
		r, want := New(nil, c.words, ""), c.want
		if want == nil {
			want = c.words
		}
		var none *Redactor
		for who, other := range map[string]*Redactor{"its own": r, "another": New(nil, nil, "")} {
			if got := other.Words(c.words); !slices.Equal(got, want) {
				t.Errorf("%s redactor: %q became %q, want %q", who, c.words, got, want)
			}
		}
		if got := none.Words(c.words); !slices.Equal(got, c.words) {
			t.Errorf("no redactor changed it: %q", got)
		}
		line, _ := json.Marshal(map[string]any{"argv": c.words})
		run := result.Run{Agent: result.Agent{Command: c.words}, Hangs: []result.Hang{{Processes: []result.Process{{Command: strings.Join(c.words, " ")}}, Stderr: c.words}}, Problem: string(line),
			Rules: []result.Outcome{{Rerun: "'" + strings.ReplaceAll(strings.Join(c.words, "' '"), "it's", `it'\''s`) + "'"}}}
		text := fmt.Sprintf("%+v", r.Run(run))
		for _, secret := range append(c.secrets, `it'\''s,hunter2`) {
			if strings.Contains(text, secret) {
				t.Errorf("%q is still there: %s", secret, text)
			}
		}
		if c.want == nil && text != fmt.Sprintf("%+v", run) {
			t.Errorf("%q is changed in %s", c.words, text)
		}
	}
}

// What an agent tells of itself has names and secrets apart as well.
func TestMembersThatHoldSecrets(t *testing.T) {
	var told, want map[string]any
	for text, v := range map[string]*map[string]any{
		`{"a":{"apiKey":"hunter2222","GROQ_KEY":"hunter3333","tokens":{"n":1},"key":"value","x":null},"env":[{"name":"MY_TOKEN","value":"hunter4444"},{"name":"mode","value":"default"}],"args":["--api-key","hunter5555",null,"--user","me:hunter6666","--max-tokens",5]}`: &told,
		`{"a":{"apiKey":"[redacted]","GROQ_KEY":"[redacted]","tokens":{"n":1},"key":"value","x":null},"env":[{"name":"MY_TOKEN","value":"[redacted]"},{"name":"mode","value":"default"}],"args":["--api-key","[redacted]",null,"--user","me:[redacted]","--max-tokens",5]}`: &want,
	} {
		if err := json.Unmarshal([]byte(text), v); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := json.Marshal(redactor().Run(result.Run{Agent: result.Agent{Capabilities: told}}).Agent.Capabilities)
	if wanted, _ := json.Marshal(want); string(got) != string(wanted) {
		t.Errorf("they became\n%s, want\n%s", got, wanted)
	}
}
