package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// planted are secrets in the places where they are met, with what must not be found afterwards. All are made up.
var planted = []struct{ text, secret string }{
	{"the key is top-secret-value-1", "top-secret-value-1"},
	{`{"env":"quote\"and\\slash"}`, `quote\"and\\slash`},
	{"Authorization: Bearer abcdefgh12345678", "abcdefgh12345678"},
	{`{"headers":{"Authorization":"Basic dXNlcjpwYXNzd29yZA=="}}`, "dXNlcjpwYXNzd29yZA"},
	{"sk-proj-ABCDEFGHIJKLMNOPqrstuvwx1234", "ABCDEFGHIJKLMNOP"},
	{"sk_live_ABCDEFGHIJ1234567890", "ABCDEFGHIJ1234567890"},
	{"ghp_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
	{"github_pat_11ABCDEFG0abcdefghijkl_ABCDEFG", "11ABCDEFG0abcdefghijkl"},
	{"glpat-ABCDEFGHIJKLMNOPQRST", "ABCDEFGHIJKLMNOPQRST"},
	{"xoxb-123456789012-ABCDEFGHIJ", "123456789012-ABCDEFGHIJ"},
	{"npm_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
	{"AKIAABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNOP"},
	{"AIzaABCDEFGHIJKLMNOPQRSTUVWXYZ012345678", "ABCDEFGHIJKLMNOPQRST"},
	{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl", "eyJzdWIiOiIxMjM0"},
	{"-----BEGIN RSA PRIVATE KEY-----\nMIIEabcdefgh\n-----END RSA PRIVATE KEY-----", "MIIEabcdefgh"},
	{"https://user:hunter2pass@host/path", "hunter2pass"},
	{`{"apiKey":"abcd-efgh-1234"}`, "abcd-efgh-1234"},
	{`{"line":"{\"client_secret\":\"abcd-efgh-5678\"}"}`, "abcd-efgh-5678"},
	{"my-agent --token abcdef123456 --model x", "abcdef123456"},
	{"OPENROUTER_API_KEY=abcdef654321 ./my-agent", "abcdef654321"},
	{"GROQ_KEY=abcdef777777 ./my-agent", "abcdef777777"},
	{"hf_ABCDEFGHIJKLMNOPQRSTUVWX", "ABCDEFGHIJKLMNOPQRSTUVWX"},
	{"x-api-key: abcdefgh-99", "abcdefgh-99"},
}

func redactor() *Redactor {
	return New([]string{"MY_API_KEY=top-secret-value-1", `DB_PASSWORD=quote"and\slash`, "PATH=/usr/bin:/bin", "KEYBOARD=de-latin1", "SSH_AUTH_SOCK=/tmp/ssh/agent.1"}, "/home/someone")
}

func TestPlantedSecrets(t *testing.T) {
	r := redactor()
	for _, p := range planted {
		if got := r.String(p.text); strings.Contains(got, p.secret) || !strings.Contains(got, Mask) {
			t.Errorf("%q became %q", p.text, got)
		}
		inBytes := r.Base64(base64.StdEncoding.EncodeToString([]byte("\xff" + p.text)))
		if b, _ := base64.StdEncoding.DecodeString(inBytes); strings.Contains(string(b), p.secret) {
			t.Errorf("%q stays in bytes that are not UTF-8", p.secret)
		}
	}
}

// What is no secret stays: a report that hides the evidence is of no use.
func TestWhatIsNoSecretStays(t *testing.T) {
	r := redactor()
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"sess_0123456789abcdef"}}`,
		`{"result":{"authMethods":[{"id":"oauth","name":"Log in"}]}}`,
		`{"outcome":{"outcome":"selected","optionId":"allow_once"}}`,
		`{"usage":{"inputTokens":12,"outputTokens":3456789}}`,
		"Answer session/status from the place where the sessions in memory are kept.",
		"acp-conform --rules auth.required ./my-agent",
		"de-latin1", "/usr/bin:/bin", "/tmp/ssh/agent.1", "/home/someone-else/x",
		`{"tokenCount":"123456789"}`, `{"key":"ArrowDown","auth":"required"}`, `{"author":"Somebody"}`,
		`authentication: the agent asks for a login first`,
	} {
		if got := r.String(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	if got := r.String(`"/home/someone/project" and /home/someone`); got != `"~/project" and ~` {
		t.Errorf("the home directory: %q", got)
	}
}

func TestSecretsThatAreCutOff(t *testing.T) {
	r := redactor()
	if got := r.Cut(`{"x":"top-secret-val`); strings.Contains(got, "top-secret") {
		t.Errorf("the beginning of a secret stays: %q", got)
	}
	if got := r.Cut("nothing"); got != "nothing" {
		t.Errorf("%q", got)
	}
}

func TestRunsAreRedacted(t *testing.T) {
	run := result.Run{Agent: result.Agent{Command: []string{}, Capabilities: map[string]any{}}, Problem: "x"}
	for _, p := range planted {
		run.Agent.Command = append(run.Agent.Command, p.text)
		run.Hangs = append(run.Hangs, result.Hang{Sent: []result.Frame{{Line: p.text}}, Stderr: []string{p.text}, Processes: []result.Process{{Command: p.text}}})
		run.Agent.Capabilities[p.text] = []any{map[string]any{"deep": p.text}, nil, 1.5}
		run.Rules = append(run.Rules, result.Outcome{Reason: p.text, Rerun: p.text, Evidence: []result.Observation{{Explanation: p.text, Actual: p.text,
			Frames: []result.Frame{{Line: p.text}, {Line: p.text, Cut: 5}, {Base64: base64.StdEncoding.EncodeToString([]byte(p.text))}}}}})
	}
	before, _ := json.Marshal(run)
	clean := redactor().Run(run)
	if after, _ := json.Marshal(run); string(after) != string(before) {
		t.Error("the run itself was changed")
	}
	text := fmt.Sprintf("%+v", clean)
	for _, p := range planted {
		if strings.Contains(text, p.secret) {
			t.Errorf("%q is still there", p.secret)
		}
	}
	var none *Redactor
	if got := none.Run(run).Rules[0].Reason; got != planted[0].text {
		t.Errorf("no redactor changed it: %q", got)
	}
}
