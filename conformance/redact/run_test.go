package redact

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// pem is a private key that is none, line by line.
var pem = []string{"-----BEGIN OPENSSH PRIVATE KEY-----", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gt",
	"ZWQyNTUxOQAAACDXplantedX1planted2plantedplantedplantedplantedAAAAJgAAAA", "BAshortPLANTED9==", "-----END OPENSSH PRIVATE KEY-----"}

// A private key is taken out whether its lines come together or one by one, and where the first or the last of them are missing.
func TestAPrivateKeyOfManyLines(t *testing.T) {
	r := redactor()
	for _, c := range []struct{ from, to int }{{0, 5}, {0, 4}, {0, 2}, {1, 5}, {2, 5}, {1, 3}, {3, 5}, {1, 2}} {
		part := pem[c.from:c.to]
		text := append(append([]string{"all is well at first"}, part...), "and after it all is well", `{"jsonrpc":"2.0"}`, "the end")
		run := result.Run{Problem: strings.Join(text, "\n"), Hangs: []result.Hang{{Stderr: text}}, Rules: []result.Outcome{{Evidence: []result.Observation{{}}}}}
		one, frames := r.Lines(), &run.Rules[0].Evidence[0].Frames
		together := string(r.Lines()([]byte(run.Problem + "\n")))
		var oneByOne []string
		for _, l := range text {
			oneByOne = append(oneByOne, string(one([]byte(l))))
			run.Timeline = append(run.Timeline, result.Moment{Kind: "stderr", What: "stderr: " + l})
			*frames = append(*frames, result.Frame{From: "agent", Line: l}, result.Frame{From: "client", Line: "{}"})
		}
		clean := r.Run(run)
		texts := map[string]string{"a problem": clean.Problem, "the stderr of a hang": fmt.Sprint(clean.Hangs), "together": together}
		if c.from < 3 { // a short line by itself looks like any word
			texts["line by line"], texts["a timeline"], texts["frames"] = fmt.Sprint(oneByOne), fmt.Sprint(clean.Timeline), fmt.Sprint(clean.Rules)
		}
		for where, got := range texts {
			for _, l := range part {
				if strings.Contains(got, l) {
					t.Errorf("lines %d to %d, %s: %q stays in\n%s", c.from, c.to, where, l, got)
				}
			}
			for _, l := range []string{"all is well at first", "and after it all is well", `{"jsonrpc":"2.0"}`, "the end"} {
				if !strings.Contains(got, l) {
					t.Errorf("lines %d to %d, %s: %q is missing in\n%s", c.from, c.to, where, l, got)
				}
			}
		}
	}
}

// Checksums, long paths and words are no lines of a key.
func TestWhatIsNoLineOfAKey(t *testing.T) {
	text := strings.Join([]string{strings.Repeat("0123456789abcdef", 4), strings.Repeat("/usr/local/share", 4), strings.Repeat("A", 64), "-----BEGIN CERTIFICATE-----", ""}, "\n")
	if got := redactor().String(text); got != text {
		t.Errorf("%q became %q", text, got)
	}
}

// A secret that is a word of the suite takes no report apart.
func TestTheSuitesOwnWordsStay(t *testing.T) {
	seen := result.Observation{Severity: result.Failed, Explanation: "conform", Oracle: "conform", SeenIn: "conform", Frames: []result.Frame{{From: "message", Line: "conform"}}}
	rule := result.Outcome{ID: "cancel.conform", Area: "cancel", Level: "conform", Title: "conform", Ref: "conform", Verdict: result.NotObserved, Reason: "conform", Stability: "unstable",
		Evidence: []result.Observation{seen}}
	run := result.Run{Schema: result.Schema, Tool: result.Tool{Name: "acp-conform"}, Verdict: result.Nonconformant, Counts: map[result.Verdict]int{result.NotObserved: 1},
		Protocol: result.Protocol{StatusVocabulary: "active"}, Frames: result.Frames{Edition: "v1-unstable"},
		Agent:    result.Agent{Command: []string{"conform"}, Info: &result.Info{Name: "nonconformant"}},
		Timeline: []result.Moment{{Kind: "message", What: "unstable"}},
		Baseline: &result.Baseline{Known: []string{"cancel.conform"}, Stale: []result.Stale{{Rule: "cancel.conform", Why: "conform"}}},
		Rules:    []result.Outcome{rule}}
	want := run
	want.Agent = result.Agent{Command: []string{Mask}, Info: &result.Info{Name: Mask}}
	want.Timeline = []result.Moment{{Kind: "message", What: Mask}}
	want.Baseline = &result.Baseline{Known: []string{"cancel.conform"}, Stale: []result.Stale{{Rule: "cancel.conform", Why: Mask}}}
	seen.Explanation, seen.Frames = Mask, []result.Frame{{From: "message", Line: Mask}}
	rule.Reason, rule.Evidence = Mask, []result.Observation{seen}
	want.Rules = []result.Outcome{rule}
	clean := New([]string{"A_TOKEN=conform", "B_TOKEN=nonconformant", "C_TOKEN=not-observed", "D_TOKEN=cancel", "E_TOKEN=unstable", "F_TOKEN=message", "G_TOKEN=active"}, nil, "").Run(run)
	if !reflect.DeepEqual(clean, want) {
		t.Errorf("the run became\n%+v\nwant\n%+v", clean, want)
	}
	for of, names := range own {
		for _, name := range names {
			if _, ok := of.FieldByName(name); !ok {
				t.Errorf("%s has no field %s", of, name)
			}
		}
	}
}

// Reasons of exit codes that are fixed words stay; what the agent said in them does not.
func TestReasonsOfExitCodes(t *testing.T) {
	secrets := New([]string{"A_TOKEN=session", "B_TOKEN=protocol", "C_TOKEN=shook hands", "D_TOKEN=warned", "E_TOKEN=interrupted"}, nil, "")
	met := result.Survey{Handshake: true, Session: true}
	for _, c := range []struct {
		run    result.Run
		policy result.Policy
		want   string // "" = it stays as it is
	}{
		{run: result.Run{Interrupt: true}},
		{run: result.Run{Protocol: result.Protocol{Negotiated: 7}}},
		{run: result.Run{}},
		{run: result.Run{Survey: met}},
		{run: result.Run{Survey: met, Rules: []result.Outcome{{Verdict: result.Pass}, {Verdict: result.Error}}}},
		{run: result.Run{Survey: met, Rules: []result.Outcome{{Verdict: result.Pass}, {ID: "session.x", Verdict: result.NotObserved, Owed: true}}}, policy: result.Policy{Strict: true}},
		{run: result.Run{Survey: met, Rules: []result.Outcome{{Verdict: result.Warn}}}, policy: result.Policy{Strict: true}},
		{run: result.Run{Survey: result.Survey{Handshake: true, SessionReason: "my session"}}, want: "no session could be opened: my " + Mask},
	} {
		c.run.Conclude(c.policy)
		if got := secrets.Run(c.run).ExitReason; got != cmp.Or(c.want, c.run.ExitReason) {
			t.Errorf("%q became %q", c.run.ExitReason, got)
		}
	}
	if got := secrets.Run(result.Run{ExitReason: "no such session"}).ExitReason; got != "no such "+Mask {
		t.Errorf("another reason: %q", got)
	}
}

// A line that is sent again keeps its meaning.
func TestValues(t *testing.T) {
	r := New([]string{"A_TOKEN=top-secret-1", "B_TOKEN=session/prompt"}, nil, "/home/someone")
	for text, want := range map[string]string{
		`{"method":"session/prompt","x":"top-secret-1"}`: `{"method":"session/prompt","x":"` + Mask + `"}`,
		`{"token":"abcdefgh","cwd":"/home/someone/x"}`:   `{"token":"abcdefgh","cwd":"~/x"}`,
	} {
		if got := r.Values(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
	var none *Redactor
	if got := none.Values("top-secret-1") + none.Shown("top-secret-1…"); got != "top-secret-1top-secret-1…" {
		t.Errorf("no redactor changed it: %q", got)
	}
}

func TestATextThatWasCutToShowIt(t *testing.T) {
	if got := redactor().Shown("stderr: top-secret-val…"); got != "stderr: "+Mask+"…" {
		t.Errorf("%q", got)
	}
}
