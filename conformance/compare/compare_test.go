package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

func run(verdicts ...string) result.Run {
	r := result.Run{Schema: result.Schema, Verdict: result.Conformant, Agent: result.Agent{Command: []string{"./a"}}, Survey: result.Survey{Handshake: true, Session: true}}
	for _, v := range verdicts {
		id, verdict, _ := strings.Cut(v, "=")
		verdict, reason, _ := strings.Cut(verdict, ":")
		r.Rules = append(r.Rules, result.Outcome{ID: id, Verdict: result.Verdict(verdict), Reason: reason})
	}
	return r
}

func runs(t *testing.T, oldName string, old result.Run, newName string, now result.Run) Report {
	t.Helper()
	r, err := Runs(oldName, old, newName, now)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestWhatBecomesOfARule(t *testing.T) {
	for _, tt := range []struct {
		old, now string
		want     Kind
	}{
		{"pass", "fail", Worse}, {"pass", "warn", Worse}, {"warn", "fail", Worse}, {"not-observed", "fail", Worse}, {"skipped", "fail", Worse},
		{"not-observed", "warn", Worse}, {"error", "warn", Worse}, {"", "fail", Worse}, {"", "warn", Worse},
		{"fail", "pass", Better}, {"fail", "warn", Better}, {"warn", "pass", Better},
		{"pass", "not-observed", Unseen}, {"pass", "skipped", Unseen}, {"fail", "skipped", Unseen}, {"pass", "error", Unseen},
		{"skipped", "pass", Seen}, {"not-observed", "pass", Seen},
		{"skipped", "not-observed", Other}, {"skipped:a", "skipped:b", Other}, {"skipped:a", "skipped:a", ""}, {"pass", "pass", ""}, {"fail", "fail", ""},
		{"", "pass", New}, {"", "skipped", New}, {"", "not-observed", New}, {"", "error", New}, {"pass", "", Gone},
	} {
		rules := func(verdict string) result.Run {
			if verdict == "" {
				return run()
			}
			return run("a.b=" + verdict)
		}
		r := runs(t, "old", rules(tt.old), "new", rules(tt.now))
		got := Kind("")
		if len(r.Changes) > 0 {
			got = r.Changes[0].Kind
		}
		if got != tt.want || (r.Worse == 1) != (tt.want == Worse) {
			t.Errorf("%s to %s is %q (%d worse), want %q", tt.old, tt.now, got, r.Worse, tt.want)
		}
		if unlisted := tt.want == Worse && tt.old == ""; (r.Unlisted == 1) != unlisted {
			t.Errorf("%s to %s: %d rules that the older run does not have", tt.old, tt.now, r.Unlisted)
		}
	}
}

func TestCapabilitiesAndTimes(t *testing.T) {
	old, now := run("a.b=pass", "c.d=pass"), run("a.b=pass", "c.d=pass")
	old.Agent.Capabilities = map[string]any{"loadSession": true, "promptCapabilities": map[string]any{"image": true, "audio": false}}
	now.Agent.Capabilities = map[string]any{"promptCapabilities": map[string]any{"image": false, "audio": false}, "new": map[string]any{}}
	old.Rules[0].DurationMs, now.Rules[0].DurationMs = 100, 900
	old.Rules[1].DurationMs, now.Rules[1].DurationMs = 10, 90
	r := runs(t, "old", old, "new", now)
	if got, want := fmt.Sprint(r.Capabilities), `[{loadSession true } {new  {}} {promptCapabilities.image true false}]`; got != want {
		t.Errorf("capabilities %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(r.Timings), `[{a.b 100 ms 900 ms}]`; got != want {
		t.Errorf("timings %s, want %s", got, want)
	}
}

// Every change stands in every form.
func TestAllFormsSayTheSame(t *testing.T) {
	old, now := run("a.worse=pass", "b.better=fail", "c.gone=pass", "d.unseen=pass"), run("a.worse=fail:a reason | with a bar", "b.better=pass", "d.unseen=skipped:no", "e.new=pass")
	old.Tool.Version, now.Tool.Version = "1", "2"
	now.Agent.Capabilities = map[string]any{"x": true}
	r := runs(t, "old.json", old, "new.json", now)
	same := func(s string) string { return s }
	var text, markdown, asJSON bytes.Buffer
	for _, err := range []error{Text(&text, r, same), Markdown(&markdown, r, same), JSON(&asJSON, r)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var again Report
	if err := json.Unmarshal(asJSON.Bytes(), &again); err != nil || fmt.Sprint(again) != fmt.Sprint(r) {
		t.Errorf("the JSON is another report: %v", err)
	}
	for _, out := range []string{text.String(), markdown.String(), asJSON.String()} {
		for _, want := range []string{"a.worse", "b.better", "c.gone", "d.unseen", "e.new", "old.json", "new.json", "a reason | with a bar", "different versions of the suite"} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is missing in\n%s", want, out)
			}
		}
	}
	if !strings.Contains(text.String(), "1 rule became worse") || !strings.Contains(markdown.String(), "1 rule became worse") {
		t.Error("the conclusion is missing")
	}
}

func TestReadRefusesWhatIsNoReport(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"schema":"x"}`} {
		if _, err := Read("f.json", []byte(text)); err == nil || !strings.Contains(err.Error(), "f.json") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, rest := range []string{"", `,"rules":[]`, `,"verdict":"conformant"`} {
		if _, err := Read("f.json", []byte(`{"schema":"`+result.Schema+`"`+rest+`}`)); err == nil || !strings.Contains(err.Error(), "f.json has no rules") {
			t.Errorf("a report without rules: %v", err)
		}
	}
	for _, rest := range []string{`"rules":[{"id":"a.b","verdict":"pass"}]`, `"verdict":"inconclusive"`} {
		if _, err := Read("f.json", []byte(`{"schema":"`+result.Schema+`",`+rest+`}`)); err != nil {
			t.Error(err)
		}
	}
}

// A build of which nothing can be said is worse than one of which something could.
func TestABuildThatIsNotJudged(t *testing.T) {
	same := func(s string) string { return s }
	for _, tt := range []struct {
		old, now result.RunVerdict
		rules    string
		failed   bool
		want     string
	}{
		{result.Conformant, result.Inconclusive, "not-observed", true, "the new build was not judged: why it ended"},
		{result.Nonconformant, result.Interrupted, "not-observed", true, "the new build was not judged: why it ended"},
		{result.Incomplete, result.Inconclusive, "fail", true, "the new build was not judged: why it ended; 1 rule became worse before that"},
		{result.Inconclusive, result.Interrupted, "not-observed", false, "no rule became worse"},
		{result.Inconclusive, result.Conformant, "pass", false, "no rule changed"},
		{result.Conformant, result.Conformant, "fail", true, "1 rule became worse"},
	} {
		old, now := run("a.b=pass"), run("a.b="+tt.rules)
		old.Verdict, now.Verdict, now.ExitReason = tt.old, tt.now, "why it ended\nand more"
		r := runs(t, "old", old, "new", now)
		if r.Failed() != tt.failed || r.Conclusion() != tt.want {
			t.Errorf("%s to %s: %v, %q", tt.old, tt.now, r.Failed(), r.Conclusion())
		}
		var b bytes.Buffer
		if err := Markdown(&b, r, same); err != nil || strings.Contains(b.String(), "❌") != tt.failed {
			t.Errorf("%s to %s: %v, %s", tt.old, tt.now, err, b.String())
		}
	}
	// A rule that both break makes a run nonconformant, and hides nothing of this.
	opens := result.Survey{Handshake: true, Session: true}
	for _, tt := range []struct {
		now  string
		see  result.Survey
		want string
	}{
		{"a.b=fail,c.d=pass", opens, ""},
		{"a.b=fail,c.d=not-observed", opens, ""},
		{"a.b=fail,c.d=not-observed", result.Survey{Handshake: true, SessionReason: "login"}, "no session could be opened: login"},
		{"a.b=fail,c.d=error", opens, "the suite failed in 1 rule"},
	} {
		old, now := run("a.b=fail", "c.d=pass"), run(strings.Split(tt.now, ",")...)
		old.Survey, now.Survey = opens, tt.see
		old.Verdict, now.Verdict = result.Nonconformant, result.Nonconformant
		if got := runs(t, "old", old, "new", now); got.NotJudged != tt.want || got.Failed() != (tt.want != "") {
			t.Errorf("%s: %q", tt.now, got.NotJudged)
		}
		if got := runs(t, "old", now, "new", old); got.Failed() {
			t.Errorf("%s, the other way round: %q", tt.now, got.NotJudged)
		}
	}
	// Nor does the older one have to have been judged whole: a build that does not even start is worse than any that did.
	old, gone := run("a.b=fail", "c.d=error"), run("a.b=not-observed", "c.d=not-observed")
	old.Verdict, gone.Verdict, gone.ExitReason, gone.Survey = result.Nonconformant, result.Inconclusive, "the agent never shook hands", result.Survey{}
	if got := runs(t, "old", old, "new", gone); !got.Failed() || got.NotJudged != gone.ExitReason {
		t.Errorf("a build that does not start: %q", got.NotJudged)
	}
	// Who opened no session before, such as a client, or an agent that needs a login, is judged as it was.
	old, gone = run("a.b=pass"), run("a.b=fail")
	old.Survey.Session, gone.Survey.Session, gone.Verdict = false, false, result.Nonconformant
	if got := runs(t, "old", old, "new", gone); got.NotJudged != "" || !got.Failed() || len(got.Remarks) > 0 {
		t.Errorf("without a session before: %q, %q", got.NotJudged, got.Remarks)
	}
	now := run()
	now.Verdict = result.Interrupted
	if got := runs(t, "old", run(), "new", now).NotJudged; got != "the run is interrupted" {
		t.Errorf("without a reason: %q", got)
	}
}

// A rule that breaks in the newer run and is no part of the older one is the worse for it, and every form says that the older run may have
// been one of other rules.
func TestARuleThatTheOlderRunDoesNotHave(t *testing.T) {
	same := func(s string) string { return s }
	for _, tt := range []struct{ old, now, conclusion, remark string }{
		{"a.b=pass", "a.b=pass c.d=fail", "1 rule became worse, which is not in the older run", "0 rules only in the older run, 1 rule only in the newer one"},
		{"a.b=pass x.y=pass", "a.b=fail c.d=warn", "2 rules became worse, 1 of which is not in the older run", "1 rule only in the older run, 1 rule only in the newer one"},
		{"a.b=fail", "a.b=fail c.d=fail e.f=warn g.h=pass", "2 rules became worse, 2 of which are not in the older run", "0 rules only in the older run, 3 rules only in the newer one"},
	} {
		r := runs(t, "old", run(strings.Fields(tt.old)...), "new", run(strings.Fields(tt.now)...))
		if !r.Failed() || r.Conclusion() != tt.conclusion {
			t.Errorf("%s to %s: %v, %q", tt.old, tt.now, r.Failed(), r.Conclusion())
		}
		var text, markdown, asJSON bytes.Buffer
		for _, err := range []error{Text(&text, r, same), Markdown(&markdown, r, same), JSON(&asJSON, r)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for form, want := range map[*bytes.Buffer][]string{
			&text:     {tt.conclusion, "they are of different selections of rules: " + tt.remark, "(not in the older run)"},
			&markdown: {"❌ ACP: " + tt.conclusion, "they are of different selections of rules: " + tt.remark, "(not in the older run)"},
			&asJSON:   {fmt.Sprintf(`"worse": %d`, r.Worse), fmt.Sprintf(`"unlisted": %d`, r.Unlisted), "they are of different selections of rules: " + tt.remark},
		} {
			for _, w := range want {
				if !strings.Contains(form.String(), w) {
					t.Errorf("%q is missing in\n%s", w, form)
				}
			}
		}
	}
	ended := run("a.b=pass", "c.d=fail")
	ended.Verdict, ended.ExitReason = result.Interrupted, "why"
	if got, want := runs(t, "old", run("a.b=pass"), "new", ended).Conclusion(), "the new build was not judged: why; 1 rule became worse before that, which is not in the older run"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if r := runs(t, "old", run("a.b=pass"), "new", run("a.b=pass")); len(r.Remarks) > 0 {
		t.Errorf("remarks about the same rules: %q", r.Remarks)
	}
}

// Two runs without a common rule cannot be compared, unless one could not be made.
func TestRunsWithoutACommonRule(t *testing.T) {
	client := run("c.d=pass")
	client.Subject = "client"
	for _, tt := range []struct {
		now  result.Run
		want string
	}{
		{run("c.d=pass"), "old.json and new.json have no rule in common; compare two runs of the same rules"},
		{client, "old.json and new.json have no rule in common: one is about a client and one about an agent; compare"},
	} {
		if _, err := Runs("old.json", run("a.b=pass", "a.c=pass"), "new.json", tt.now); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
	none := run()
	none.Verdict = result.Inconclusive
	if r := runs(t, "old.json", run("a.b=pass"), "new.json", none); !r.Failed() {
		t.Error("a run that could not be made is no worse")
	}
	if r := runs(t, "old.json", none, "new.json", run("a.b=pass")); r.Failed() {
		t.Error("a run is worse than one that could not be made")
	}
}
