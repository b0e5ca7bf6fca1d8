package redact

import (
	"strings"
	"testing"
)

// What follows a path, or a key whose end is missing, is what somebody looks for.
func TestWhatFollowsAKeyStays(t *testing.T) {
	begin, full, end := pem[0], pem[1], pem[4]
	for text, want := range map[string]string{
		"/opt/Projects/acme/Platform/services/agent9/internal/runtime/server\nloading plugins\nError: boom\nport 8080": "/opt/Projects/acme/Platform/services/agent9/internal/runtime/server\nloading plugins\nError: boom\nport 8080",
		"src/GitHub/AcmePlatform/MyServices/AgentNumber99/InternalRuntime/Server":                                      "src/GitHub/AcmePlatform/MyServices/AgentNumber99/InternalRuntime/Server",
		begin + "\nError: boom\nport 8080":                                        Mask + "\nError: boom\nport 8080",
		begin + "\nloading\nplugins":                                              Mask + "\nloading\nplugins",
		begin + "\n" + full + "\nError: boom\nport 8080":                          Mask + "\nError: boom\nport 8080",
		begin + "\n" + full + "\nloading\nplugins":                                Mask + "\nloading\nplugins",
		begin + "\n" + full + "\n/opt/acme/agent9/server\nport":                   Mask + "\n/opt/acme/agent9/server\nport",
		begin + "\n" + full + "\nAAAAC3Nz\nport8080\nport":                        Mask + "\nport8080\nport",
		full + "\n" + full + "\nready\n" + full:                                   Mask + "\nready\n" + Mask,
		begin + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: A,0\n\n" + full:              Mask + "\n\n" + Mask,
		begin + "\n10:00:01 INFO " + full + "\n10:00:02 INFO boom":                Mask + "\n10:00:02 INFO boom",
		"plugins\nError\nBAshortPLANTED9==\n" + end + "\nError":                   "plugins\nError\n" + Mask + "\nError",
		strings.Join(pem, "\r\n") + "\r\nready":                                   Mask + "\r\nready",
		begin + "\n" + strings.Repeat("bm90IGEga2V5IGF0IGFsbC4K", 60) + "\nready": Mask + "\nready",
	} {
		if got := redactor().String(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
		var oneByOne []string
		r := redactor().Lines()
		for line := range strings.SplitSeq(text, "\n") {
			oneByOne = append(oneByOne, string(r([]byte(line))))
		}
		rest := strings.ReplaceAll(strings.ReplaceAll(strings.Join(oneByOne, "\n"), Mask+"\n"+Mask, Mask), Mask+"\n"+Mask, Mask)
		if rest != want && !strings.Contains(text, "PLANTED9") {
			t.Errorf("%q, line by line, became %q, want %q", text, rest, want)
		}
	}
}
