package redact

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// settings are secrets as files of settings, headers and messages have them, and prose beside them.
var settings = []struct{ text, want string }{
	{"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws_secret_access_key = [redacted]"},
	{"password = hunter2hunter2\nuser = me", "password = [redacted]\nuser = me"},
	{"password =swordfish\nuser = me", "password =[redacted]\nuser = me"},
	{"password\t=\tswordfish # of db", "password\t=\t[redacted] # of db"},
	{"GROQ_KEY = abcdefgh", "GROQ_KEY = [redacted]"},
	{"GROQ_KEY: abcd-efgh-12", "GROQ_KEY: [redacted]"},
	{"password : hunter2hunter2", "password : [redacted]"},
	{"client_secret: correcthorsebatterystaple", "client_secret: [redacted]"},
	{"password: MySwordfish", "password: [redacted]"},
	{"password: hunter2", "password: [redacted]"},
	{"password: sword!fish", "password: [redacted]"},
	{"Invalid token abcd1234efgh.", "Invalid token [redacted]"},
	{"token qwrtpsdfghjklzxc", "token [redacted]"},
	{"Authorization: Bearer swordfish", "Authorization: Bearer [redacted]"},
	{"Authorization: basic swordfish", "Authorization: basic [redacted]"},
	{"Authorization=Bearer abcdefg1", "Authorization=Bearer [redacted]"},
	{"proxy-authorization: Basic abcdefgh", "proxy-authorization: Basic [redacted]"},
	// in lists and objects
	{`{"passwords":["xhunter2","hunter 3"],"n":"four"}`, `{"passwords":["[redacted]","[redacted]"],"n":"four"}`},
	{`{"password":{"value":"xhunter2","n":1,"deep":[{"x":"hunter3"}]},"n":"four"}`, `{"password":{"value":"[redacted]","n":1,"deep":[{"x":"[redacted]"}]},"n":"four"}`},
	{`{'api_keys': ['hunter22', b'hunter33'], 'n': 'four'}`, `{'api_keys': ['[redacted]', b'[redacted]'], 'n': 'four'}`},
	{`{"password":{"type":"string","description":"of the user","enum":["some","many"],"default":"hunter22"}}`,
		`{"password":{"type":"string","description":"of the user","enum":["some","many"],"default":"[redacted]"}}`},
	{`{"secret":[[],{},[true,null,1,"hunter22"]],"n":["four"]}`, `{"secret":[[],{},[true,null,1,"[redacted]"]],"n":["four"]}`},
	{`{"secret":["hunter22","hunt`, `{"secret":["[redacted]","[redacted]`},
	{`{"tokens":["hello","world","ab12cd34"]}`, `{"tokens":["hello","world","[redacted]"]}`},
}

func TestSettings(t *testing.T) {
	r := redactor()
	for _, c := range settings {
		text, want := c.text, c.want
		for depth := range 3 {
			if got := r.String(text); got != want {
				t.Errorf("%s, %d deep, became\n%s, want\n%s", text, depth, got, want)
			}
			text, want = inLine(t, text), inLine(t, want)
		}
	}
}

// Prose, programs and names that only contain the word stay.
func TestProseStays(t *testing.T) {
	r := redactor()
	for _, text := range []string{
		"Invalid token provided", "Invalid token provided.", "A Basic implementation", "token expiration", "password: required field", "Bearer of bad news", "Bearer authentication",
		"basic end-to-end walkthrough", "token session/cancelled", "TOKEN EXPIRATION", "Unexpected token identifier1234 in JSON", "token: undefined", "authorization: required first",
		"api_key: missing", "secret: unavailable", "token 2026-12-01T04:17:28Z", "Invalid token\n2026-12-01 something", "invalid token: TokenExpiredError", "Bearer error=invalid_token",
		"token authentication-required", "token https://example.org/docs", "use --token instead", "--password required.", "token 12345678 of 23456789", "token: 100000 of 200000",
		"token = getToken()", "const apiKey = process.env.API_KEY;", "token := strings.TrimSpace(x)", "token := readtoken", "if token == abcdefgh", "token => something1", "token = undefined",
		`{"maxToken":"100000","progressToken":"progress-12345","nextPageToken":"page-12345","eos_token":"<|endoftext|>"}`, "max_token=100000", "total-token: 12345678",
		`{"properties":{"password":{"type":"string","title":"A password"},"token":{"type":"string"}},"required":["password","token"]}`,
		`{"token_type":"something1","tokenType":"something1","password_file":"something1","secretName":"something1","tokenExpiresAt":"something1"}`,
		"OAUTH_TOKEN_TYPE=something1 AUTH_METHOD=session/prompt SECRET_NAME=something1 TOKEN_TTL=something1",
	} {
		if got := r.String(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
		if line := inLine(t, text); r.String(line) != line {
			t.Errorf("%s became\n%s", line, r.String(line))
		}
	}
}

// What an agent tells of itself holds lists and objects, too.
func TestMembersBelowTheNameOfASecret(t *testing.T) {
	for text, want := range map[string]string{
		`{"passwords":["xhunter2"],"password":{"value":"xhunter2","type":"plain","n":1},"tokens":["word","ab12cd34"],"x":{"a":["word"]}}`: `{"passwords":["[redacted]"],"password":{"value":"[redacted]","type":"plain","n":1},"tokens":["word","[redacted]"],"x":{"a":["word"]}}`,
		`{"secret":{"type":{"a":"word"},"x":[null,"abc",["hunter22"]]}}`:                                                                  `{"secret":{"type":{"a":"word"},"x":[null,"abc",["[redacted]"]]}}`,
	} {
		var told map[string]any
		if err := json.Unmarshal([]byte(text), &told); err != nil {
			t.Fatal(err)
		}
		got, _ := json.Marshal(redactor().Run(result.Run{Agent: result.Agent{Capabilities: told}}).Agent.Capabilities)
		var sorted any
		_ = json.Unmarshal([]byte(want), &sorted)
		if wanted, _ := json.Marshal(sorted); string(got) != string(wanted) {
			t.Errorf("they became\n%s, want\n%s", got, wanted)
		}
	}
}

// Texts that are made to take long do not.
func TestTextsThatAreFullOfNames(t *testing.T) {
	r := New([]string{"A_KEY=aaaaaa", "B_KEY=1000001"}, nil, "")
	for _, piece := range []string{`{"token":`, `"token":["`, `"secret":{"`, "token = ", "xEAAA", " SG.", "key-", "a", "token: ", `[1000001,`, "21000001", "-----BEGIN PRIVATE KEY-----\n", "Bearer ", "https://u:", `\`, "?sig=", "--user=a@:b/", "AKIA0123456789ABCDEF,--------------------"} {
		_ = r.String(strings.Repeat(piece, 50_000/len(piece)))
	}
}
