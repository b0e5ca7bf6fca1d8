package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/selftest"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// shownElsewhere are the rules that are seen broken only when something has not come for seconds, or took longer than something else,
// which a busy machine hides. The table of faults shows them.
var shownElsewhere = []string{"cancel.prompt-latency", "transport.stdin-eof-during-turn", "transport.stdin-eof-exit",
	"status.perf.active-cheap", "status.perf.history-independent"}

// Whoever runs the line by which a rule is said to be seen broken sees it: each line is run as it stands.
func TestWhatExplainShowsIsSeen(t *testing.T) {
	for _, r := range conformance.Rules() {
		if slices.Contains(shownElsewhere, r.ID) {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			line, config := seenLine(r)
			if line == "" {
				t.Fatal("nothing shows the rule broken")
			}
			o := outcomeOf(t, r.ID, line, config)
			if o.Verdict != result.Fail && o.Verdict != result.Warn {
				t.Errorf("%s %s\n%s\n%s", o.Verdict, o.Reason, line, config)
			}
			for _, e := range o.Evidence {
				if strings.Contains(e.Explanation, "it is not certain enough") {
					t.Errorf("the rule does not say why it warns: %s", e.Explanation)
				}
			}
		})
	}
}

// seenLine is the command by which a rule is said to be seen broken, without the name of the program, and what the file of --config
// has to say.
func seenLine(r rule.Rule) (line, config string) {
	return shownLine("see it", func(p *program) { p.see(r) })
}

// shownLine is a command that is shown behind a label, and what the file of --config has to say.
func shownLine(label string, show func(*program)) (line, config string) {
	var out strings.Builder
	show(&program{stdout: &out})
	first, rest, _ := strings.Cut(out.String(), "\n")
	line = strings.TrimPrefix(strings.TrimSpace(first), label)
	line = regexp.MustCompile(` \(and \d+ other faults?\)$`).ReplaceAllString(line, "")
	for i, l := range strings.Split(strings.TrimSpace(rest), "\n") {
		if i > 0 { // the first one says what follows
			config += strings.TrimSpace(l) + "\n"
		}
	}
	return strings.TrimPrefix(strings.TrimSpace(line), programName+" "), config
}

// A fault that needs a variant or a configuration file beside itself is shown with it: as it is said to be run it breaks its rules.
func TestAFaultIsShownWithWhatItNeeds(t *testing.T) {
	for _, name := range []string{"status-extends-life", "status-unadvertised-unanswered", "status-unarchives", "status-starts-login", "status-steals-lock", "status-keeps-files-open"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "status-keeps-files-open" && runtime.GOOS != "linux" {
				t.Skip("open files can be counted on Linux alone")
			}
			faults := fakeagent.Faults()
			f := faults[slices.IndexFunc(faults, func(f fakeagent.Fault) bool { return f.Name == name })]
			line, config := shownLine("run it", func(p *program) { p.runFault("fault", f) })
			broken := selftest.Broken(name)[0]
			line = strings.Replace(line, "--store sessions", "--store "+t.TempDir(), 1)
			if o := outcomeOf(t, broken, "--rules "+broken+" "+line, config); o.Verdict != result.Fail && o.Verdict != result.Warn {
				t.Errorf("%s: %s %s\n%s", broken, o.Verdict, o.Reason, line)
			}
		})
	}
}

// outcomeOf is what becomes of a rule when the command is run.
func outcomeOf(t *testing.T, id, line, config string) result.Outcome {
	t.Helper()
	if config != "" {
		file := filepath.Join(t.TempDir(), configName)
		if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		line = strings.Replace(line, "--config "+configName, "--config "+file, 1)
	}
	s := call(t, append([]string{"--report", "json"}, strings.Fields(line)...)...)
	var run result.Run
	if err := json.Unmarshal([]byte(s.stdout), &run); err != nil {
		t.Fatalf("%s: %v: %s", line, err, s.stderr)
	}
	i := slices.IndexFunc(run.Rules, func(o result.Outcome) bool { return o.ID == id })
	if i < 0 {
		t.Fatalf("%s: the rule is no part of the run", line)
	}
	return run.Rules[i]
}
