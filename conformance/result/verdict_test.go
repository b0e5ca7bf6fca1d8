package result

import "testing"

func TestWorst(t *testing.T) {
	o := func(s ...Severity) (all []Observation) {
		for _, v := range s {
			all = append(all, Observation{Severity: v})
		}
		return all
	}
	for _, tt := range []struct {
		occasions int
		seen      []Observation
		want      Verdict
	}{
		{0, nil, NotObserved},
		{1, nil, Pass},
		{1, o(Noted), Pass},
		{0, o(Noted), NotObserved},
		{1, o(Warned, Noted), Warn},
		{2, o(Warned, Failed, Noted), Fail},
		{1, o(Failed, Warned), Fail},
	} {
		if got := Worst(tt.occasions, tt.seen); got != tt.want {
			t.Errorf("%d occasions, %v: %s, want %s", tt.occasions, tt.seen, got, tt.want)
		}
	}
}

// The first row of the table that applies wins.
func TestPrecedence(t *testing.T) {
	rule := func(v Verdict) Outcome { return Outcome{ID: "x." + string(v), Verdict: v} }
	owed := Outcome{ID: "owed", Verdict: NotObserved, Owed: true}
	good := Survey{Handshake: true, Session: true}
	mute := Survey{Handshake: true, SessionReason: "no"}
	for _, tt := range []struct {
		name    string
		run     Run
		policy  Policy
		verdict RunVerdict
		code    int
	}{
		{"interrupted outranks all", Run{Interrupt: true, Rules: []Outcome{rule(Fail)}}, Policy{Strict: true}, Interrupted, 130},
		{"no handshake outranks failures", Run{Rules: []Outcome{rule(Fail)}}, Policy{}, Inconclusive, 3},
		{"failure outranks no session", Run{Survey: mute, Rules: []Outcome{rule(Fail)}}, Policy{}, Nonconformant, 1},
		{"failure outranks error", Run{Survey: good, Rules: []Outcome{rule(Error), rule(Fail)}}, Policy{}, Nonconformant, 1},
		{"no session", Run{Survey: mute, Rules: []Outcome{rule(Pass)}}, Policy{}, Inconclusive, 3},
		{"no session allowed", Run{Survey: mute, Rules: []Outcome{rule(Pass)}}, Policy{AllowNoSession: true}, Conformant, 0},
		{"nothing concluded", Run{Survey: good, Rules: []Outcome{rule(Skipped), rule(NotObserved)}}, Policy{}, Inconclusive, 3},
		{"error", Run{Survey: good, Rules: []Outcome{rule(Pass), rule(Error)}}, Policy{}, Inconclusive, 3},
		{"incomplete", Run{Survey: good, Rules: []Outcome{rule(Pass), owed}}, Policy{}, Incomplete, 0},
		{"incomplete, strict", Run{Survey: good, Rules: []Outcome{rule(Pass), owed}}, Policy{Strict: true}, Incomplete, 1},
		{"warned", Run{Survey: good, Rules: []Outcome{rule(Warn)}}, Policy{}, Conformant, 0},
		{"warned, strict", Run{Survey: good, Rules: []Outcome{rule(Warn)}}, Policy{Strict: true}, Conformant, 1},
		{"conformant, strict", Run{Survey: good, Rules: []Outcome{rule(Pass), rule(Skipped)}}, Policy{Strict: true}, Conformant, 0},
	} {
		tt.run.Conclude(tt.policy)
		if tt.run.Verdict != tt.verdict || tt.run.ExitCode != tt.code {
			t.Errorf("%s: %s, exit %d", tt.name, tt.run.Verdict, tt.run.ExitCode)
		}
		if (tt.run.ExitReason == "") != (tt.verdict == Conformant && tt.code == 0 || tt.verdict == Nonconformant) {
			t.Errorf("%s: the reason is %q", tt.name, tt.run.ExitReason)
		}
	}
}
