package reports

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/baseline"
	"github.com/acp-conform/acp-conform/conformance/result"
)

// of is a run with these rules that shook hands and opened a session, concluded by a policy and held against a baseline, if there is one.
func of(p result.Policy, known *baseline.File, rules ...result.Outcome) result.Run {
	r := result.Run{Survey: result.Survey{Handshake: true, Session: true}, Rules: rules}
	r.Conclude(p)
	if known != nil {
		known.Apply(&r, p, time.Date(2025, 1, 2, 0, 0, 0, 0, time.UTC))
	}
	return r
}

// Whoever reads the cases of a JUnit report sees red where the exit code is not 0, and only there, and finds out why.
func TestJUnitIsRedWhereTheRunFailed(t *testing.T) {
	kept, broken, warned := outcome("a.kept", result.Pass, nil), outcome("a.broken", result.Fail, withCancel), outcome("a.warned", result.Warn, withDeliberate)
	unseen, failed := outcome("a.unseen", result.NotObserved, owed("no turn\nat all")), outcome("a.error", result.Error, reason("a bug"))
	strict, lax := result.Policy{Strict: true}, result.Policy{}
	knows := func(rules ...string) *baseline.File {
		f := &baseline.File{Name: "known.yaml"}
		for _, id := range rules {
			f.Entries = append(f.Entries, baseline.Entry{Rule: id, Reason: "we know", Expires: map[bool]time.Time{true: time.Unix(0, 0).UTC()}[id == "a.expired"]})
		}
		return f
	}
	interrupted, never, closed := unstarted(), result.Run{Problem: "The run could not be made: no room", ExitReason: "no room"}, of(lax, nil, kept)
	interrupted.Interrupt, closed.Survey.Session, closed.Survey.SessionReason = true, false, "it wants a login"
	for _, r := range []*result.Run{&interrupted, &never, &closed} {
		r.Conclude(lax)
	}
	for _, c := range []struct {
		name           string
		run            result.Run
		exit           int
		failure, fault string // what the case of the run says, "" = it is none
	}{
		{"all is well", of(lax, nil, kept, warned), 0, "", ""},
		{"incomplete", of(lax, nil, kept, unseen), 0, "", ""},
		{"a broken rule", of(lax, nil, kept, broken), 1, "", ""},
		{"a known failure", of(lax, knows("a.broken"), kept, broken), 0, "", ""},
		{"a known warning", of(strict, knows("a.warned"), kept, warned), 0, "", ""},
		{"a failure that is not known", of(lax, knows("a.other"), kept, broken), 1, "", ""},
		{"stale entries", of(lax, knows("a.kept", "a.expired"), kept), 1, "stale: a.kept: the rule passes now|stale: a.expired: it expired on 1970-01-01", ""},
		{"a stale entry beside a known failure", of(lax, knows("a.kept", "a.broken"), kept, broken), 1, "stale: a.kept: ", ""},
		{"a stale entry beside a new failure", of(lax, knows("a.kept"), kept, broken), 1, "stale: a.kept: ", ""},
		{"--strict and a warning", of(strict, nil, kept, warned), 1, "--strict: 1 warned|warned: a.warned: a request before initialize got no answer", ""},
		{"--strict and an unknown warning", of(strict, knows("a.broken"), kept, broken, warned), 1, "1 rule is not kept that known.yaml does not know|warned: a.warned: ", ""},
		{"--strict and something owed", of(strict, nil, kept, unseen), 1, "--strict: not observed|not observed: a.unseen: no turn", ""},
		{"an agent that never came", unstarted(), 3, "", "inconclusive: the agent never shook hands|ModuleNotFoundError: No module named 'acp'"},
		{"no session", closed, 3, "", "no session could be opened: it wants a login"},
		{"an error of the suite", of(lax, nil, kept, failed), 3, "", "the suite failed in 1 rule"},
		{"no run", never, 3, "", "The run could not be made: no room"},
		{"an interrupt", interrupted, 130, "", "interrupted: the run was interrupted"},
	} {
		t.Run(c.name, func(t *testing.T) { checkRun(t, c.run, c.exit, c.failure, c.fault) })
	}
}

func checkRun(t *testing.T, r result.Run, exit int, failure, fault string) {
	t.Helper()
	var s junitSuites
	if err := xml.Unmarshal([]byte(written(t, JUnit, r)), &s); err != nil {
		t.Fatal(err)
	}
	if r.ExitCode != exit || (s.Failures+s.Errors > 0) != (exit != 0) {
		t.Errorf("exit code %d, want %d: %d failures, %d errors", r.ExitCode, exit, s.Failures, s.Errors)
	}
	var c junitCase
	if len(s.Suites) > 0 && s.Suites[0].Cases[0].Name == theRun {
		c = s.Suites[0].Cases[0]
	}
	for want, p := range map[string]*junitProblem{"failure|" + failure: c.Failure, "error|" + fault: c.Error} {
		kind, want, _ := strings.Cut(want, "|")
		if (want != "") != (p != nil) {
			t.Errorf("%s of the run: %+v, want %q", kind, p, want)
			continue
		}
		for part := range strings.SplitSeq(want, "|") {
			if p != nil && !strings.Contains(p.Message+"\n"+p.Text, part) {
				t.Errorf("%q is not in %+v", part, p)
			}
		}
	}
}
