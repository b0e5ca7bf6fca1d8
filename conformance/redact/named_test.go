package redact

import (
	"encoding/json"
	"strings"
	"testing"
)

// behind are secrets that other things stand next to, in a plain text. All are made up.
var behind = []struct{ text, want string }{
	// one behind the other
	{"DB_PASSWORD=hunter2222\nOPENAI_API_KEY=sk-proj-abcdefghijklmnopqrstuvwx", "DB_PASSWORD=[redacted]\nOPENAI_API_KEY=[redacted]"},
	{"x-api-key: hunter2222\nghp_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "x-api-key: [redacted]\n[redacted]"},
	{"--api-key hunter2222\nAKIAABCDEFGHIJKLMNOP", "--api-key [redacted]\n[redacted]"},
	{"--api-key=hunter2222\r\ntop-secret-value-1", "--api-key=[redacted]\r\n[redacted]"},
	{"GROQ_KEY=hunter2222\tGROQ_KEY=hunter3333", "GROQ_KEY=[redacted]\tGROQ_KEY=[redacted]"},
	{"password: hunter2222\n  token: hunter3333\n", "password: [redacted]\n  token: [redacted]\n"},
	{"TOKEN=hunter2222top-secret-value-1hunter3333 x", "TOKEN=[redacted] x"},
	{"(TOKEN=top-secret-value-1)", "(TOKEN=[redacted])"},
	{"Authorization: Bearer top-secret-value-1", "Authorization: Bearer [redacted]"},
	{"https://u:a-top-secret-value-1@h https://u:top-secret-value-1@h", "https://u:[redacted]@h https://u:[redacted]@h"},
	// in quotes
	{`password: "quoted00pw"`, `password: "[redacted]"`},
	{`secret="two words" and more`, `secret="[redacted]" and more`},
	{`secret='two words' and more`, `secret='[redacted]' and more`},
	{`--token 'two words' and more`, `--token '[redacted]' and more`},
	{`api_key = "with blanks"`, `api_key = "[redacted]"`},
	{`apiKey := "with blanks"`, `apiKey := "[redacted]"`},
	{`Config { api_key: Some("hunter2222"), n: 1 }`, `Config { api_key: Some("[redacted]"), n: 1 }`},
	{`secret="with \" a quote" and more`, `secret="[redacted]" and more`},
	{`{'api_key': 'pydict00pw', 'n': 1}`, `{'api_key': '[redacted]', 'n': 1}`},
	{`{'api_key': b'pydict00pw', 'password': "it's 00pw"}`, `{'api_key': b'[redacted]', 'password': "[redacted]"}`},
	{`{"token" => "hunter2222"}`, `{"token" => "[redacted]"}`},
	{`{"env":{"GROQ_KEY":"hunter2222","GITHUB_PAT":"hunter3333"}}`, `{"env":{"GROQ_KEY":"[redacted]","GITHUB_PAT":"[redacted]"}}`},
	{`{"password":"one \"two\" three","n":"four"}`, `{"password":"[redacted]","n":"four"}`},
	{`{"password":"one two\\","n":"four"}`, `{"password":"[redacted]","n":"four"}`},
	{`{"token":"the end is miss`, `{"token":"[redacted]`},
	// name and value apart
	{`{"env":[{"name":"OPENAI_API_KEY","value":"hunter2222"},{"name": "GROQ_KEY", "value": "hunter3333"}]}`,
		`{"env":[{"name":"OPENAI_API_KEY","value":"[redacted]"},{"name": "GROQ_KEY", "value": "[redacted]"}]}`},
	{`{"name":"Authorization","value":"Bearer hunter2222"}`, `{"name":"Authorization","value":"[redacted]"}`},
	{`{"args":["--api-key","hunter2222","--model","m"]}`, `{"args":["--api-key","[redacted]","--model","m"]}`},
	{`['--token', 'hunter2222']`, `['--token', '[redacted]']`},
	{`["-u","user:hunter2222","--user", "me:hunter3333"]`, `["-u","user:[redacted]","--user", "me:[redacted]"]`},
	{"curl -u user:hunter2222 --proxy-user me:hunter3333 --user='me:hunter 4444' x", "curl -u user:[redacted] --proxy-user me:[redacted] --user='me:[redacted]' x"},
	{"curl -u me@example.org:hunter2222 x", "curl -u me@example.org:[redacted] x"},
	// and other places
	{"Cookie: theme=dark; session=hunter2222; x=y\nHost: h", "Cookie: [redacted]\nHost: h"},
	{"x-api-key:\thunter2222", "x-api-key:\t[redacted]"},
	{"curl -H x-api-key:hunter2222", "curl -H x-api-key:[redacted]"},
	{"Authorization: ApiKey hunter2222", "Authorization: ApiKey [redacted]"},
	{"GITHUB_PAT=hunter2222 ./my-agent", "GITHUB_PAT=[redacted] ./my-agent"},
	{"/callback?token=hunter2222&state=1", "/callback?token=[redacted]&state=1"},
	{`https:\/\/u:slashed00pw@h\/x`, `https:\/\/u:[redacted]@h\/x`},
	{"AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ", "[redacted]"},
	{"https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX x", "https://hooks.slack.com/services/[redacted] x"},
	{`https:\/\/hooks.slack.com\/services\/T00000000\/B00000000\/XXXXXXXXXXXXXXXXXXXXXXXX`, `https:\/\/hooks.slack.com\/services\/[redacted]`},
	{"https://discord.com/api/webhooks/123456789012345678/abcdefgh-IJKLMNOP_qrst", "https://discord.com/api/webhooks/[redacted]"},
	{"gsk_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "[redacted]"},
}

// What is taken out of a text is taken out of a string of JSON as well, and of JSON in such a string, and the line is JSON afterwards.
func TestSecretsBesideOthers(t *testing.T) {
	r := redactor()
	for _, c := range behind {
		if got := r.String(c.text); got != c.want {
			t.Errorf("%q became %q, want %q", c.text, got, c.want)
		}
		text, want := c.text, c.want
		for depth := range 3 {
			text, want = inLine(t, text), inLine(t, want)
			got := r.String(text)
			if !json.Valid([]byte(got)) {
				t.Errorf("%s, %d deep, is no JSON any more: %s", text, depth, got)
			}
			if got != want {
				t.Errorf("%s, %d deep, became\n%s, want\n%s", text, depth, got, want)
			}
		}
	}
}

// inLine is a line of JSON that has a text in it.
func inLine(t *testing.T, text string) string {
	t.Helper()
	b, err := json.Marshal(map[string]any{"content": text, "id": 12345678})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Whatever stands where, a line of JSON is one afterwards, and where a string ends its end is no quote before a value.
func TestLinesOfJSONStayValid(t *testing.T) {
	r := redactor()
	pieces := []string{`password=`, `token: `, `"token":"`, `--api-key `, `'`, `"`, `\`, `\\"`, "\n", "\r\n", `\n`, " ", "abcdef", "abcdef12", Mask, ";", "&", "<", "-u a:", "https://u:", "@h", "é", "\u2028", "}", `]`, ","}
	for i := range pieces {
		for j := range pieces {
			for k := range pieces {
				text := pieces[i] + pieces[j] + pieces[k]
				line := inLine(t, text)
				for _, s := range []string{line, inLine(t, line), `["` + pieces[0] + `",12345678,` + line + `,"x"]`} {
					if got := r.String(s); !json.Valid([]byte(got)) || !strings.Contains(got, "12345678") {
						t.Errorf("%s became\n%s", s, got)
					}
				}
			}
		}
	}
}

// What only reminds of a secret stays, in a text and in a line of JSON.
func TestWhatOnlyHasTheNameOfASecretStays(t *testing.T) {
	r := redactor()
	for _, text := range []string{
		`{"method":"session/new","params":{"cwd":"/src","mcpServers":[{"name":"token-counter","command":"/bin/x","args":["--max-tokens","100000"],"env":[]}]}}`,
		`{"name":"secret-santa","value":"allow_once"}`,
		`{"configId":"token","options":[{"name":"Tokens","value":"many"}]}`,
		`{"tokens":"123456","key":"value","auth":["token","cookie"]}`,
		`["token","session/prompt","secret","session/update"]`,
		`{"text":"Enter the password: ","count":12345678}`,
		`["token=", 12345678, "secret: ", 12345678, "--token ", 12345678]`,
		`SyntaxError: Unexpected token: identifier1234`, `Unexpected token: "session/prompt"`,
		"max_tokens=100000 total-tokens=123456789", "--max-tokens 1000000 --max-tokens=1000000",
		"secret.go:12:34 token:session/prompt urn:ietf:params:oauth:token-type:access_token",
		"docker run -u 100000:100000 --user 123456:123456 image", "git push -u origin main", "git push -u git@example.org:some/where", "user: somebody:else", "-u http://localhost:80808080/x",
		`OPENAI_API_KEY="$OPENAI_API_KEY" ./my-agent`, "--token $MY_TOKEN", "OPENAI_API_KEY=${OPENAI_API_KEY}",
		"if token == \"session/prompt\" {", "the token, a secret and cookies", "--token --model x", "PATH=/usr/bin FORMAT_PATH=/tmp/abcdef LC_COMPAT=abcdefgh",
		"http://localhost:8080\nmail@example.org", "https://hooks.slack.com/docs", "https://discord.com/api/webhooks", "token: [object Object]",
		"a password:\nsomething follows", "the token:\n\nsomething follows", "tokens: 12345678", "secrets: inherited",
	} {
		if got := r.String(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
		if line := inLine(t, text); r.String(line) != line {
			t.Errorf("%s became\n%s", line, r.String(line))
		}
	}
}
