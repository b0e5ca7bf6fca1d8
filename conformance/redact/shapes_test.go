package redact

import (
	"encoding/json"
	"strings"
	"testing"
)

// Secrets of providers, made up; they are put together here, or those who look for lost secrets would find these. $h stands for 64
// hexadecimal digits, $a for 64 letters and digits.
var provided = []string{
	"SG.$a.$a", "dop_v1_$h", "pypi-AgEI$a", "dckr_pat_$a", "glsa_$a_$h", "lin_api_$a", "shpat_$h", "shpca_$h", "shppa_$h", "shpss_$h",
	"ATATT3$a", "tskey-auth-$a-$a", "tskey-api-$a-$a", "hf_$a", "npm_$a", "glpat-$a", "glrt-$a", "xoxb-1-$a", "xapp-1-$a", "xoxe.xoxp-1-$a",
	"sk-$a", "sk-ant-api03-$a", "AIza$a", "ya29.$a", "GOCSPX-$a", "rk_live_$a", "whsec_$a", "key-$h", "sq0atp-$a", "EAAA$a",
	"dapi$h", "ntn_$a", "hvs.$a", "pul-$h", "sbp_$h", "NRAK-ABCDEFGHIJKLMNOPQRSTUVWXYZ012", "figd_$a", "rubygems_$h", "r8_$a", "gsk_$a", "dp.pt.$a", "dt0c01.ABC.$A",
	"12345678:AA$r", "abcdefgh012345.atlasv1.$a", "abc8Q~$a",
}

func madeUp(pattern string) string {
	const all = "Ab3dE5gHiJ7lMnOpQ9sTuVwXyZ01aBcDeF2hIjKl4NoPqR6tUvWxY8z0a1B2c3D4"
	return strings.NewReplacer("$h", strings.Repeat("0123456789abcdef", 4), "$a", all, "$A", strings.ToUpper(all), "$r", all[:33]).Replace(pattern)
}

func TestSecretsOfProviders(t *testing.T) {
	r := redactor()
	for _, pattern := range provided {
		secret := madeUp(pattern)
		for _, c := range []struct{ before, after string }{{"", ""}, {"the ", " is"}, {"\x1b[31m", "\x1b[0m"}, {"(", ")"}, {"\n", "\n"}} {
			text, want := c.before+secret+c.after, c.before+Mask+c.after
			if got := r.String(text); got != want {
				t.Errorf("%q became %q", text, got)
			}
			if got := r.String(inLine(t, text)); got != inLine(t, want) {
				t.Errorf("%s became %s", inLine(t, text), got)
			}
		}
		if text := "in x" + secret; strings.Contains(r.String(text), Mask) && !strings.Contains(secret[1:], ".") && !strings.Contains(secret, "Q~") {
			t.Errorf("%q is in the middle of a word", secret)
		}
	}
	for text, want := range map[string]string{
		"DefaultEndpointsProtocol=https;AccountName=me;AccountKey=" + madeUp("$a") + "==;EndpointSuffix=x": "DefaultEndpointsProtocol=https;AccountName=me;AccountKey=[redacted];EndpointSuffix=x",
		"https://h/c?sv=2022&sig=" + madeUp("$a") + "%3D&se=1":                                             "https://h/c?sv=2022&sig=[redacted]&se=1",
		"https://h/c?sig=" + madeUp("$a"):                                                                  "https://h/c?sig=[redacted]",
		"https://h/c?a=b&X-Amz-Signature=" + madeUp("$h"):                                                  "https://h/c?a=b&X-Amz-Signature=[redacted]",
	} {
		if got := r.String(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
		if got := r.String(inLine(t, text)); got != inLine(t, want) {
			t.Errorf("%s became %s", inLine(t, text), got)
		}
	}
	for _, text := range []string{"MSG.of a word", "the key-value store", "monkey-0123", "msg.text.end", "design=oak&x", "glsa_short", "pul-request", "AAAABBBB", "npm_config_registry=https://x", "hf_hub_download"} {
		if got := r.String(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// A token goes as a whole though a part of it is the value of a variable, and so does what overlaps in another way.
func TestSecretsThatOverlap(t *testing.T) {
	r := New([]string{"APP_KEY=abcdef", "B_KEY=defghi", "C_TOKEN=password", "D_KEY=hunter"}, nil, "")
	for text, want := range map[string]string{
		"ghp_abcdefghijklmnopqrstuvwxyz01":                  "[redacted]",
		"x ghp_ABCDEFGHIJKLMNOPQRSTUVWabcdef x":             "x [redacted] x",
		"xabcdefghix":                                       "x[redacted]x",
		"abcdefabcdef":                                      "[redacted]",
		"https://u:1abcdef2@h":                              "https://u:[redacted]@h",
		"password=swordfish":                                "[redacted]=[redacted]",
		"x-token: hunter1":                                  "x-token: [redacted]",
		"Bearer ghp_abcdefghijklmnopqrstuvwxyz":             "Bearer [redacted]",
		"-----BEGIN PRIVATE KEY-----abcdef\nready (abcdef)": "[redacted]\nready ([redacted])",
	} {
		if got := r.String(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if got := r.Cut("ghp_ABCDEFGHIJKLMNOPQRSTUVWabcd"); got != Mask {
		t.Errorf("a token that is cut became %q", got)
	}
	if got := r.Values("a-abcdefghi"); got != "a-abcdefghi" { // they are ordinary words
		t.Errorf("%q", got)
	}
}

// What was a number of JSON is a string of it afterwards.
func TestNumbersThatAreSecrets(t *testing.T) {
	r := New([]string{"API_TOKEN=1000001"}, nil, "")
	for text, want := range map[string]string{
		`{"id":1000001}`: `{"id":"[redacted]"}`,
		`{"id": 1000001 , "x":[1000001,-1000001,1.1000001e3]}`: `{"id": "[redacted]" , "x":["[redacted]","[redacted]","[redacted]"]}`,
		`[1000001,"1000001"]`:              `["[redacted]","[redacted]"]`,
		`{"id":2100000110000013}`:          `{"id":"[redacted]"}`,
		`{"a":"\",1000001,"}`:              `{"a":"\",[redacted],"}`,
		`{"a":"x: 1000001","b\\":1000001}`: `{"a":"x: [redacted]","b\\":"[redacted]"}`,
	} {
		got := r.String(text)
		if got != want || !json.Valid([]byte(got)) {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
	if got := r.String("said: 1000001, 5\n" + `{"id":1000001}` + "\nid:1000001"); got != "said: [redacted], 5\n"+`{"id":"[redacted]"}`+"\nid:[redacted]" {
		t.Errorf("%q", got)
	}
}
