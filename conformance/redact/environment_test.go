package redact

import (
	"strings"
	"testing"
)

// Variables, and whether their value is a secret.
func TestNamesOfVariables(t *testing.T) {
	for value, names := range map[string]map[string]bool{
		"session/prompt": {"AUTH_METHOD": false, "OAUTH_TOKEN_TYPE": false, "AUTH_TYPE": false, "AUTH_METHODS": false, "SSH_AUTH_SOCK": false, "SECRET_NAME": false, "TOKEN_EXPIRES_IN": false,
			"TOKEN_EXPIRY": false, "AUTH_TIMEOUT_MS": false, "SECRET_TTL": false, "TOKEN_COUNT": false, "TOKEN_LIMIT": false, "PASSWORD_FILE": false, "KEY_PATH": false,
			"SECRETS_DIR": false, "TOKEN_URL": false, "AUTH_PROVIDER": false, "MAX_TOKENS": false, "MAX_TOKEN": false, "TOKEN_SCOPE": false, "PASSWORD_MIN_LENGTH": false,
			// and those that are
			"VAULT_SECRET_ID": true, "AWS_ACCESS_KEY_ID": true, "MY_TOKENS": true, "AUTH_TOKEN": true, "NAME_TOKEN": true, "TYPE_SECRET": true, "URL_KEY": true, "DB_AUTH": true},
		"100000": {"MAX_THINKING_TOKENS": false, "TOKENS": false, "maxTokens": false, "PIN_SECRET": true, "API_TOKEN": true},
	} {
		for name, secret := range names {
			if got := New([]string{name + "=" + value}, nil, "").String("x "+value) != "x "+value; got != secret {
				t.Errorf("%s=%s is a secret: %t, want %t", name, value, got, secret)
			}
		}
	}
}

// The password of an address is a secret by itself, whatever the variable is called.
func TestPasswordsOfAddresses(t *testing.T) {
	r := New([]string{"DATABASE_URL=postgres://u:p4ssw0rdlong@h/db", "HTTPS_PROXY=http://me:two%40words@h", "A_SECRET_URL=https://me:hunter2222@h/a-path",
		"SOME_URL=postgres://postgres:postgres@h", "OTHER_URL=amqp://x:password@h", "SHORT_URL=amqp://x:short@h"}, []string{"agent", "--db=mysql://root:argv-pass@h"}, "")
	for text, want := range map[string]string{
		"no login with p4ssw0rdlong": "no login with [redacted]", "two%40words two@words": "[redacted] [redacted]", "hunter2222 at /a-path": "[redacted] at /a-path", "argv-pass": Mask,
		"postgres, password and short": "postgres, password and short", "postgres://postgres:postgres@h": "postgres://postgres:[redacted]@h",
	} {
		if got := r.String(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if got := strings.Join(r.Words([]string{"agent", "--db=mysql://root:argv-pass@h"}), " "); got != "agent --db=mysql://root:[redacted]@h" {
		t.Errorf("%q", got)
	}
}
