package baseline

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// anyRule takes everything with a dot for a rule.
func anyRule(rule string) (exists bool, near string) {
	if rule == "nothng" {
		near = "no.thing"
	}
	return strings.Contains(rule, "."), near
}

const sample = `# what we know
known:
  # the model server is slow
  - rule: a.fails
    reason: see the issue # really
    link: https://example.com/1
    owner: somebody
    expires: 2026-06-30
  - rule: b.passes
    reason: was broken once
  - rule: c.warns
    reason: we mean it
`

func run(verdicts ...string) result.Run {
	r := result.Run{Survey: result.Survey{Handshake: true, Session: true}}
	for _, v := range verdicts {
		id, verdict, _ := strings.Cut(v, "=")
		r.Rules = append(r.Rules, result.Outcome{ID: id, Verdict: result.Verdict(verdict), Owed: verdict == "not-observed"})
	}
	return r
}

func sessionless(r result.Run) result.Run {
	r.Survey.Session = false
	return r
}

func day(s string) time.Time {
	t, err := time.Parse(time.DateTime, s)
	if err != nil {
		panic(err)
	}
	return t
}

func read(t *testing.T, text string) *File {
	t.Helper()
	f, err := Read("known.yaml", []byte(text), anyRule)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestApply(t *testing.T) {
	plain, strict := result.Policy{}, result.Policy{Strict: true}
	for name, tt := range map[string]struct {
		run    result.Run
		policy result.Policy
		now    string
		exit   int
		reason string
	}{
		"a known failure":             {run("a.fails=fail"), plain, "2026-06-30 23:59:59", 0, "1 rule is not kept, as the baseline known.yaml says"},
		"an unknown one":              {run("a.fails=fail", "d.new=fail"), plain, "2026-01-01 00:00:00", 1, "1 rule is not kept that known.yaml does not know: d.new"},
		"one that has expired":        {run("a.fails=fail"), plain, "2026-07-01 00:00:00", 1, "a.fails (it expired on 2026-06-30); fix what breaks the rule, or change or remove `expires`"},
		"expired and not seen":        {run("a.fails=not-observed", "x.y=pass"), plain, "2026-07-01 00:00:00", 1, "a.fails (it expired on 2026-06-30)"},
		"expired and not in the run":  {run("x.y=pass"), plain, "2026-07-01 00:00:00", 1, "a.fails (it expired on 2026-06-30)"},
		"one that passes now":         {run("b.passes=pass"), plain, "2026-01-01 00:00:00", 1, "b.passes (the rule passes now); --write-baseline drops what passes"},
		"both":                        {run("a.fails=fail", "b.passes=pass"), plain, "2026-07-01 00:00:00", 1, "drops what passes; where an entry has expired, fix what"},
		"one that was not seen":       {run("b.passes=not-observed", "x.y=pass"), plain, "2026-01-01 00:00:00", 0, "not observed"},
		"nothing known":               {run("x.y=pass"), plain, "2026-01-01 00:00:00", 0, ""},
		"a known warning":             {run("c.warns=warn"), strict, "2026-01-01 00:00:00", 0, "1 rule is not kept"},
		"an unknown warning":          {run("d.new=warn"), strict, "2026-01-01 00:00:00", 1, "d.new"},
		"an unknown warning, lenient": {run("d.new=warn"), plain, "2026-01-01 00:00:00", 0, ""},
		"strict and incomplete":       {run("a.fails=pass", "x.y=not-observed"), strict, "2026-01-01 00:00:00", 1, "a.fails (the rule passes now)"},
		"strict, incomplete, known":   {run("c.warns=warn", "x.y=not-observed"), strict, "2026-01-01 00:00:00", 1, "--strict"},
		"known, strict, incomplete":   {run("a.fails=fail", "x.y=not-observed"), strict, "2026-01-01 00:00:00", 1, "--strict: not observed"},
		"known, no session":           {sessionless(run("a.fails=fail", "x.y=pass")), plain, "2026-01-01 00:00:00", 3, "no session could be opened"},
		"unknown, no session":         {sessionless(run("a.fails=fail", "d.new=fail")), plain, "2026-01-01 00:00:00", 1, "d.new"},
		"stale, known, no session":    {sessionless(run("a.fails=fail", "b.passes=pass")), plain, "2026-01-01 00:00:00", 3, "no session could be opened"},
		"known, no session, and none needed": {sessionless(run("a.fails=fail", "x.y=pass")), result.Policy{AllowNoSession: true}, "2026-01-01 00:00:00", 0,
			"1 rule is not kept"},
		"known, and the suite failed":  {run("a.fails=fail", "x.y=error"), plain, "2026-01-01 00:00:00", 3, "the suite failed in 1 rule"},
		"an error is no known failure": {run("a.fails=error", "x.y=pass"), plain, "2026-01-01 00:00:00", 3, "the suite failed"},
	} {
		t.Run(name, func(t *testing.T) {
			tt.run.Conclude(tt.policy)
			verdict := tt.run.Verdict
			read(t, sample).Apply(&tt.run, tt.policy, day(tt.now))
			if tt.run.ExitCode != tt.exit || !strings.Contains(tt.run.ExitReason, tt.reason) {
				t.Errorf("exit %d, %q", tt.run.ExitCode, tt.run.ExitReason)
			}
			if tt.run.Verdict != verdict {
				t.Errorf("the verdict changed from %s to %s", verdict, tt.run.Verdict)
			}
		})
	}
}

func TestRefreshKeepsComments(t *testing.T) {
	f := read(t, sample)
	if err := f.Refresh(run("a.fails=fail", "b.passes=pass", "d.new=fail", "e.new=warn"), false, false); err != nil {
		t.Fatal(err)
	}
	got, err := f.Text()
	if err != nil {
		t.Fatal(err)
	}
	want := `# what we know
known:
  # the model server is slow
  - rule: a.fails
    reason: see the issue # really
    link: https://example.com/1
    owner: somebody
    expires: 2026-06-30
  - rule: c.warns
    reason: we mean it
  - rule: d.new
    reason: not looked into yet
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	again := read(t, string(got))
	r := run("a.fails=fail", "b.passes=pass", "d.new=fail")
	r.Conclude(result.Policy{})
	if again.Apply(&r, result.Policy{}, day("2026-01-01 00:00:00")); r.ExitCode != 0 {
		t.Errorf("what was written does not excuse what was seen: %s", r.ExitReason)
	}
}

func TestRefreshMakesAFile(t *testing.T) {
	for _, text := range []string{"", "# only a comment\n", "known:\n", "known: []\n"} {
		f := read(t, text)
		if err := f.Refresh(run("a.b=fail"), false, false); err != nil {
			t.Fatal(err)
		}
		got, err := f.Text()
		if err != nil || !strings.Contains(string(got), "known:\n  - rule: a.b\n    reason: not looked into yet\n") {
			t.Errorf("%q became %q, %v", text, got, err)
		}
		if len(read(t, string(got)).Entries) != 1 {
			t.Errorf("%q cannot be read again", got)
		}
	}
}

func TestShrinkOnlyRefusesNewEntries(t *testing.T) {
	f := read(t, sample)
	err := f.Refresh(run("b.passes=pass", "d.new=fail"), false, true)
	if !errors.Is(err, ErrNew) || !strings.Contains(err.Error(), "d.new") {
		t.Errorf("%v", err)
	}
	if text, _ := f.Text(); strings.Contains(string(text), "b.passes") || strings.Contains(string(text), "d.new") {
		t.Errorf("it did not shrink, or grew:\n%s", text)
	}
}

func TestBadBaselines(t *testing.T) {
	for text, want := range map[string]string{
		"- a\n":                                               "known.yaml:1: a baseline is a mapping",
		"known: []\n---\nknown: []\n":                         "known.yaml:2: a second document begins here; write all entries into one",
		"known: []\n---\n- 'a":                                "known.yaml: ",
		"known: yes\n":                                        "known.yaml:1: known is a list",
		"what: []\n":                                          `known.yaml:1: there is no member "what"`,
		"known:\n- a.b\n":                                     "known.yaml:2: an entry is a mapping",
		"known:\n- rule: a.b\n":                               "known.yaml:2: the entry for a.b gives no reason",
		"known:\n- reason: x\n":                               "known.yaml:2: the entry names no rule",
		"known:\n- rule: nothing\n  reason: x":                `known.yaml:2: there is no rule "nothing"; `,
		"known:\n- rule: nothng\n  reason: x":                 `known.yaml:2: there is no rule "nothng" (did you mean "no.thing"?); `,
		"known:\n- rule: a.b\n  reason: x\n  why: y\n":        `known.yaml:4: there is no member "why"`,
		"known:\n- rule: a.b\n  reason: x\n  expires: soon\n": `known.yaml:4: "soon" is no day`,
		"known:\n- rule: a.b\n  reason: [x]\n":                "known.yaml:3: reason is a text",
		"known:\n- rule: a.b\n  reason: x\n- rule: a.b\n  reason: y\n":         "known.yaml:4: the rule a.b stands in line 2 already",
		"known:\n- rule: a.b\n  reason: x\nknown:\n- rule: c.d\n  reason: x\n": "known.yaml:4: known stands in line 1 already; move all entries into one list",
		"known:\n\nknown:\n":                                              "known.yaml:3: known stands in line 1 already",
		"known:\n- rule: a.b\n  rule: c.d\n  reason: x\n":                 "known.yaml:3: rule stands in line 2 already; leave one of them",
		"known:\n- rule: a.b\n  reason: x\n\n  reason: x\n":               "known.yaml:5: reason stands in line 3 already",
		"known:\n- rule: a.b\n  link: x\n  owner: x\n  link: x\n":         "known.yaml:5: link stands in line 3 already",
		"known:\n- rule: a.b\n  owner: ''\n  owner: x\n":                  "known.yaml:4: owner stands in line 3 already",
		"known:\n- {rule: a.b, expires: 2026-01-01, expires: 2027-01-01}": "known.yaml:2: expires stands in line 2 already",
		"\xff\xfe":                      "known.yaml:1: there are bytes that are no UTF-8; save the file as UTF-8",
		"\xfe\xff":                      "known.yaml:1: there are bytes that are no UTF-8",
		"\xff\xfe\n\x00":                "known.yaml:1: there are bytes that are no UTF-8",
		"# \ufffd\nknown:\n# caf\xe9\n": "known.yaml:3: there are bytes that are no UTF-8",
		"known:\n  - rule: 'a":          "known.yaml: ",
		"known:\n- {rule: a.b, reason: x, expires: 2026-02-30}\n": `"2026-02-30" is no day`,
	} {
		if _, err := Read("known.yaml", []byte(text), anyRule); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
