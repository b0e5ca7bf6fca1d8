package interop

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// chromium finds the browser, and skips the test where there is none.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium here; install it, on Debian with: apt-get install chromium")
	return ""
}

// A page works as a file, in both colours, with the keyboard, for a screen reader and without scripts, and asks nobody for anything.
func TestAPageInABrowser(t *testing.T) {
	script := node(t, "playwright-core", "page.mjs")
	browser := chromium(t)
	for name, args := range map[string][]string{
		"a rule is broken":      {"--rules", "cancel,transport,init", "@fake", "--fault", "cancel-ends-turn"},
		"it was waited in vain": {"--rules", "cancel,init,jsonrpc.version-field", "--limit", "rule-time=2s", acpConform, "fake-agent", "--fault", "prompt-unanswered", "--fault", "jsonrpc-missing"},
	} {
		t.Run(name, func(t *testing.T) { aPage(t, script, browser, args) })
	}
}

func aPage(t *testing.T, script []string, browser string, args []string) {
	t.Helper()
	page := filepath.Join(t.TempDir(), "report.html")
	asJSON := filepath.Join(t.TempDir(), "report.json")
	out, err := exec.Command(acpConform, append([]string{"--quiet", "--report", "html=" + page, "--report", "json=" + asJSON}, args...)...).CombinedOutput()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	var want struct{ Counts map[string]int }
	text, err := os.ReadFile(asJSON)
	if err == nil {
		err = json.Unmarshal(text, &want)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(script[0], append(script[1:], page, browser)...)
	cmd.Stderr = os.Stderr
	out, err = cmd.Output()
	if err != nil {
		t.Fatalf("page.mjs: %v\n%s", err, out)
	}
	var found struct {
		Requests, Console, Violations []string
		Steps                         map[string]any
	}
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatal(err)
	}
	for what, list := range map[string][]string{"asked the network": found.Requests, "the console says": found.Console, "axe-core finds": found.Violations} {
		if len(list) > 0 {
			t.Errorf("%s:\n%s", what, strings.Join(list, "\n"))
		}
	}
	all := 0
	for _, n := range want.Counts {
		all += n
	}
	s := found.Steps
	for step, right := range map[string]any{"all": all, "withoutScripts": all, "failed": want.Counts["fail"], "found": 1, "said": fmt.Sprintf("1 of %d rules", all),
		"expanded": true, "linked": true, "saidOfLinked": fmt.Sprintf("1 of %d rules", all), "filtersWithoutScripts": false} {
		if fmt.Sprint(s[step]) != fmt.Sprint(right) {
			t.Errorf("%s: %v, want %v", step, s[step], right)
		}
	}
	if s["background light"] == s["background dark"] {
		t.Errorf("both colours are %v", s["background light"])
	}
	if raw, _ := s["raw"].(string); !strings.Contains(raw, `"sessionId"`) {
		t.Errorf("the raw message reads %q", raw)
	}
}
