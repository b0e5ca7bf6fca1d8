package fakeagent

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/schemas"
)

// statusHidden are those that show only where there are two connections or two processes, or in a process.
var statusHidden = map[string]bool{"status-subscribes": true, "status-keeps-files-open": true, "locks-sessions": true, "status-steals-lock": true}

// addsMembers are variants that write members where the schema has none.
var addsMembers = []string{"status-marker-future"}

// Every fault and variant shows in the versions that it is in. What a variant writes is valid there, and what a fault tells the
// client without being asked is, too: what is wrong is that it tells it.
func TestEveryStatusFaultAndVariantShows(t *testing.T) {
	for _, version := range []int{1, 2} {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			usual := &tape{}
			clean := statusScript(version, t, Config{OnLine: usual.hear})
			usual.check(t, edition(version))
			if again := statusScript(version, t, Config{}); again != clean {
				t.Fatalf("two runs differ:\n%s", firstDifference(clean, again))
			}
			if open := statusScript(version, t, Config{StatusVocabulary: "open"}); open == clean {
				t.Error("the vocabulary changes nothing")
			}
			for _, f := range tried(statusFaults()) {
				t.Run(f.Name, func(t *testing.T) {
					shows(version, t, f, Config{Faults: []string{f.Name}}, clean).beyond(usual).calls().check(t, edition(version))
				})
			}
			for _, f := range tried(Variants()) {
				if !slices.Contains(f.Protocols, 2) && !strings.HasPrefix(f.Name, "status-") {
					continue
				}
				t.Run(f.Name, func(t *testing.T) {
					tp := shows(version, t, f, Config{Variants: []string{f.Name}}, clean).beyond(usual)
					if slices.Contains(f.Protocols, version) && !slices.Contains(addsMembers, f.Name) {
						tp.check(t, edition(version))
					}
				})
			}
		})
	}
}

func edition(version int) *schemas.Edition { return schemas.Ours().Edition(version, false) }

// shows runs the script with a fault or variant; the tape is empty where it does not exist.
func shows(version int, t *testing.T, f Fault, cfg Config, clean string) *tape {
	tp, here := &tape{}, slices.Contains(f.Protocols, version)
	if !here && version == 2 {
		return tp
	}
	cfg.OnLine = tp.hear
	got := statusScript(version, t, cfg)
	if os.Getenv("SHOW") != "" {
		t.Log(firstDifference(clean, got))
	}
	switch {
	case here && got == clean && !statusHidden[f.Name]:
		t.Errorf("%q changes nothing: %s", f.Name, f.Description)
	case !here && version == 1 && got != clean:
		t.Errorf("%q is nothing of this version, but changes something: %s", f.Name, firstDifference(clean, got))
	case !here:
		return &tape{}
	}
	return tp
}

// beyond leaves out what the agent says in another tape, too.
func (tp *tape) beyond(other *tape) *tape {
	said := map[taped]bool{}
	for _, l := range other.lines {
		said[l] = l.from == FromAgent
	}
	return &tape{slices.DeleteFunc(tp.lines, func(l taped) bool { return said[l] })}
}

// calls leaves only the requests and notifications of the agent that are not its own inventions.
func (tp *tape) calls() *tape {
	kept := &tape{}
	for _, l := range tp.lines {
		var f frame2
		_ = json.Unmarshal([]byte(l.line), &f)
		if l.from == FromAgent && f.Method != "" && !strings.HasPrefix(f.Method, "_") {
			kept.lines = append(kept.lines, l)
		}
	}
	return kept
}
