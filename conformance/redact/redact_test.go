package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
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
	// behind an escape of JSON or of a terminal, and behind an underscore
	{`{"text":"the key:\nsk-proj-ABCDEFGHIJKLMNOP1234"}`, "ABCDEFGHIJKLMNOP"},
	{`{"text":"\tghp_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"}`, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
	{`{"text":"\rAKIAABCDEFGHIJKLMNOP\nx"}`, "ABCDEFGHIJKLMNOP"},
	{`{"text":"\nBearer abcdefgh12345678"}`, "abcdefgh12345678"},
	{`{"text":"\u001b[31msk-proj-ABCDEFGHIJKLMNOP1234"}`, "ABCDEFGHIJKLMNOP"},
	{`{"text":"\u2028glpat-ABCDEFGHIJKLMNOPQRST"}`, "ABCDEFGHIJKLMNOPQRST"},
	{"\x1b[1;31mhf_ABCDEFGHIJKLMNOPQRSTUVWX\x1b[0m", "ABCDEFGHIJKLMNOPQRSTUVWX"},
	{"key_AKIAABCDEFGHIJKLMNOP_x", "ABCDEFGHIJKLMNOP"},
	{`{"text":"\n--token abcdef123456"}`, "abcdef123456"},
	{"MY_TOKEN: abcdefgh-98", "abcdefgh-98"},
	{"MYSQL_PWD=abcdef888888 ./my-agent", "abcdef888888"},
	{"API_KEY2=abcdef999999 ./my-agent", "abcdef999999"},
	// values of variables
	{"x pgpassword-01 x", "pgpassword-01"}, {"x db-pass-02 x", "db-pass-02"}, {"x mysql-pwd-03 x", "mysql-pwd-03"}, {"x mytoken-04 x", "mytoken-04"},
	{"x api-key2-05 x", "api-key2-05"}, {"x github-token1-06 x", "github-token1-06"}, {"x dbpasswd-07 x", "dbpasswd-07"}, {"x theirsecrets-08 x", "theirsecrets-08"},
	{"x gcp-credential-09 x", "gcp-credential-09"}, {"x /abc/defSECRET44 x", "defSECRET44"},
	// and as JSON escapes them
	{"pässwörtchen33", "wörtchen33"}, {`{"x":"p\u00e4ssw\u00f6rtchen33"}`, "rtchen33"}, {`{"x":"p\u00E4ssw\u00F6rtchen33"}`, "rtchen33"},
	{`{"x":"{\"y\":\"p\\u00e4ssw\\u00f6rtchen33\"}"}`, "rtchen33"}, {`{"x":"\/abc\/defSECRET44"}`, "defSECRET44"}, {`{"x":"{\"y\":\"quote\\\"and\\\\slash\"}"}`, `and\\\\slash`},
}

func redactor() *Redactor {
	return New([]string{"MY_API_KEY=top-secret-value-1", `DB_PASSWORD=quote"and\slash`, "PATH=/usr/bin:/bin", "KEYBOARD=de-latin1", "SSH_AUTH_SOCK=/tmp/ssh/agent.1",
		"PGPASSWORD=pgpassword-01", "DB_PASS=db-pass-02", "MYSQL_PWD=mysql-pwd-03", "MYTOKEN=mytoken-04", "API_KEY2=api-key2-05", "GITHUB_TOKEN1=github-token1-06",
		"DBPASSWD=dbpasswd-07", "theirsecrets=theirsecrets-08", "GCP_CREDENTIAL_JSON=gcp-credential-09", "AWS_SECRET_ACCESS_KEY=/abc/defSECRET44", "PASSPHRASE=pässwörtchen33",
		"PWD=/src/here", "OLDPWD=/src/there", "GIT_ASKPASS=ask-by-window", "MAX_OUTPUT_TOKENS=3456789", "KEY_DIR=/keys/are/here", "KEYMAP=qwertz", "MONKEY=capuchin",
		"TOKENIZERS_PARALLELISM=sometimes", "TLS_KEY=" + os.TempDir()}, nil, "/home/someone")
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
		"de-latin1", "/usr/bin:/bin", "/tmp/ssh/agent.1", "/src/here", "/src/there", "ask-by-window", "/keys/are/here", "qwertz", "capuchin", "sometimes", os.TempDir(),
		`{"tokenCount":"123456789"}`, `{"key":"ArrowDown","auth":"required"}`, `{"author":"Somebody"}`,
		`authentication: the agent asks for a login first`,
	} {
		if got := r.String(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

func TestTheHomeDirectory(t *testing.T) {
	for _, c := range []struct{ home, text, want string }{
		{"/home/someone", `"/home/someone/project" and /home/someone`, `"~/project" and ~`},
		{"/root", "/root? `/root` /root. /root| /root: (/root) /root!", "~? `~` ~. ~| ~: (~) ~!"},
		{"/root", "/root:/root /root", "~:~ ~"},
		{"/root/", `{"cwd":"/root","x":"\n/root/a\t/root","y":"\u001b[31m/root"}`, `{"cwd":"~","x":"\n~/a\t~","y":"\u001b[31m~"}`},
		{"/root", "file:///root/a -I/root/b --dir=/root/.c /root...", "file://~/a -I~/b --dir=~/.c ~..."},
		{"/root", "“/root”", "“~”"},
		{"/root", `{"x":"\/root\/a"}`, `{"x":"~\/a"}`},
		{"/root", "/rooted /root-2 /root_2 /root.bak /tmp/root/x //root ./root a/root /rootß", "/rooted /root-2 /root_2 /root.bak /tmp/root/x //root ./root a/root /rootß"},
		{"/rev", "/tmp/rev/x and /rev/x", "/tmp/rev/x and ~/x"},
		{"/home/someone", "/home/someone-else/x", "/home/someone-else/x"},
		{"/home/jürgen", `{"x":"/home/j\u00fcrgen/y"}`, `{"x":"~/y"}`},
		{`C:\Users\x`, `C:\Users\x\y and "C:\\Users\\x\\y"`, `~\y and "~\\y"`},
		{"/", "/ and /x", "/ and /x"},
		{"", "/x", "/x"},
	} {
		if got := New(nil, nil, c.home).String(c.text); got != c.want {
			t.Errorf("the home directory %s: %q became %q, want %q", c.home, c.text, got, c.want)
		}
	}
}

func BenchmarkLine(b *testing.B) {
	r := redactor()
	const line = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess_0123456789abcdef","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Some words about the task, and where it stands."}}}}`
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		_ = r.String(line)
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

// A value of several lines is taken out although its lines come one by one; what others say, too, is not.
func TestValuesOfSeveralLines(t *testing.T) {
	value := "first line 00pw\r\n  second-line-00pw\nthe\nordinary\n-----BEGIN CERTIFICATE-----\n{\"type\": \"text\",\n \"private\": \"third/line-00pw\\nand on\"}\n"
	lines := New([]string{"A_PAT=fourth-00pw", "DEPLOY_KEY=" + value, "MOTD=" + value + "\nharmless-00"}, nil, "").Lines()
	for text, want := range map[string]string{
		"stderr: first line 00pw": "stderr: " + Mask, "  second-line-00pw": "  " + Mask, `{"x":"third\/line-00pw\\nand on"}`: `{"x":"` + Mask + `"}`, "fourth-00pw": Mask,
		"the": "the", "ordinary": "ordinary", "-----BEGIN CERTIFICATE-----": "-----BEGIN CERTIFICATE-----", `{"type": "text",`: `{"type": "text",`, "harmless-00": "harmless-00",
	} {
		if got := string(lines([]byte(text))); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
