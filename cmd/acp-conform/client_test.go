package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"go.uber.org/goleak"

	"github.com/acp-conform/acp-conform/conformance/judge"
	"github.com/acp-conform/acp-conform/conformance/judge/reference"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// judgedClient judges a client and reads the JSON report.
func judgedClient(t *testing.T, args ...string) (said, result.Run) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "r.json")
	s := call(t, append([]string{"client", "--env", quickExit, "--report", "json=" + file}, args...)...)
	return s, readRun(t, file)
}

// quickExit keeps a process that was built with the race detector from sleeping for a second before it ends.
const quickExit = "GORACE=atexit_sleep_ms=0"

// fell are the rules that fail or warn.
func fell(r result.Run) (ids []string) {
	for _, o := range r.Rules {
		if o.Verdict == result.Fail || o.Verdict == result.Warn {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

func TestClientReference(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, vocabulary := range fakeagent.StatusVocabularies() {
		args, n := []string{"--status-vocabulary", vocabulary}, len(rules.Client())
		if vocabulary != "active" { // all rules are tried with these words in process
			args, n = append(args, "--rules", "status.client.resume-before-prompt,status.client.unrecognised-state"), 2
		}
		s, r := judgedClient(t, append(args, "@reference")...)
		if s.code != result.ExitOK || r.Verdict != result.Conformant || len(r.Rules) != n || r.Subject != "client" {
			t.Errorf("%s: exit code %d, verdict %s, %d rules about %q\n%s", vocabulary, s.code, r.Verdict, len(r.Rules), r.Subject, s.stdout)
		}
		for _, o := range r.Rules {
			if o.Verdict != result.Pass || o.Reason != "" || o.Subject != "client" {
				t.Errorf("%s: %s: %s %s %s", vocabulary, o.ID, o.Subject, o.Verdict, o.Reason)
			}
		}
		contains(t, "the text", s.stdout, "the client calls itself", "protocol versions 1 and 2", "CONFORMANT")
		if strings.Contains(s.stdout, "agent") {
			t.Errorf("the text speaks of an agent:\n%s", s.stdout)
		}
	}
}

func TestClientWithFaults(t *testing.T) {
	for _, c := range []struct {
		fault, rule string
		verdict     result.Verdict
		flags       []string
	}{
		{"client-takes-any-marker", "status.client.invalid-marker", result.Fail, nil},
		{"client-dies-of-words", "status.client.unknown-value-no-crash", result.Fail, []string{"--protocol", "1"}},
		{"client-waits-for-updates", "status.client.no-update-expectation", result.Fail, []string{"--protocol", "1", "--timeout", "3s"}},
		{"client-ends-turn-by-snapshot", "status.client.idle-snapshot-does-not-end-running", result.Fail, nil},
		{"client-resumes-for-ever", "status.client.snapshot-errors", result.Fail, []string{"--protocol", "2"}},
		{"client-matches-by-order", "status.client.result-by-id", result.Fail, nil},
		{"client-probes-without-pause", "status.client.no-probe-storm", result.Warn, nil},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			s, r := judgedClient(t, append(append(c.flags, "--rules", c.rule), "@reference", "--fault", c.fault)...)
			code := map[result.Verdict]int{result.Fail: result.ExitFailed, result.Warn: result.ExitOK}[c.verdict]
			if len(r.Rules) != 1 || r.Rules[0].Verdict != c.verdict || s.code != code || r.ExitCode != code {
				t.Fatalf("exit code %d\n%s", s.code, s.stdout)
			}
			words, err := splitWords(r.Rules[0].Rerun)
			if err != nil || len(words) < 2 || words[0] != programName {
				t.Fatalf("the rerun line is %q", r.Rules[0].Rerun)
			}
			if again := call(t, words[1:]...); again.code != code {
				t.Errorf("%s: exit code %d\n%s", r.Rules[0].Rerun, again.code, again.stdout)
			}
		})
	}
}

// The reports on clients keep to the schema of reports, too.
func TestClientReportsKeepToTheSchema(t *testing.T) {
	schema, err := jsonschema.Compile("../../reports/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--script", "idle-snapshot", "@reference"},
		{"--rules", "status.client.gate", "@reference", "--fault", "client-asks-unadvertised"},
		{"./no-such-driver"},
	} {
		s := call(t, append([]string{"client", "--env", quickExit, "--report", "json"}, args...)...)
		var v any
		if err := json.Unmarshal([]byte(s.stdout), &v); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%q: %#v", args, err)
		}
	}
}

// With warnings that count, the exit code is another one, and the verdict is not.
func TestClientStrict(t *testing.T) {
	s, r := judgedClient(t, "--strict", "--rules", "status.client.non-string-status", "@reference", "--fault", "client-takes-no-word")
	if s.code != result.ExitFailed || r.Verdict != result.Conformant {
		t.Errorf("exit code %d, verdict %s", s.code, r.Verdict)
	}
}

func TestClientLegalVariants(t *testing.T) {
	for _, name := range []string{"client-prints-nothing", "client-loads", "client-exits-with-3", "client-leaves-early"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, r := judgedClient(t, "--protocol", "1", "--script", "active,resume-gone,value-empty,late-answers", "@reference", "--variant", name)
			if ids := fell(r); len(ids) > 0 || s.code == result.ExitFailed {
				t.Errorf("exit code %d: %v", s.code, ids)
			}
		})
	}
}

func TestClientsThatComeToNothing(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		client []string
		want   []string
	}{
		{"does not exist", []string{"./no-such-driver"}, []string{"could not be started", "./no-such-driver"}},
		{"starts no agent", []string{"@reference", "--variant", "client-never-starts-agent"}, []string{"did not start the agent", "ACP_CONFORM_AGENT"}},
		{"exits at once", []string{self, "agent:exits"}, []string{"did not start the agent", "code 7", "nothing to do"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, r := judgedClient(t, c.client...)
			if s.code != result.ExitInconclusive || r.Verdict != result.Inconclusive || len(fell(r)) > 0 {
				t.Errorf("exit code %d, verdict %s, %v", s.code, r.Verdict, fell(r))
			}
			contains(t, "the problem", strings.Join(strings.Fields(r.Problem), " "), c.want...)
			contains(t, "the text", s.stdout, "INCONCLUSIVE")
		})
	}
}

func TestClientKeepsTranscripts(t *testing.T) {
	dir := t.TempDir()
	s, r := judgedClient(t, "--keep", dir, "--quiet", "--protocol", "1", "--script", "active", "@reference")
	if s.code != result.ExitOK || s.stdout != "" || s.stderr != "" || r.Transcript != dir {
		t.Errorf("exit code %d, transcripts in %q, stdout %q, stderr %q", s.code, r.Transcript, s.stdout, s.stderr)
	}
	var names []string
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		names = append(names, f.Name())
	}
	if want := []string{"active-v1.jsonl", "plain-v1.jsonl"}; !slices.Equal(names, want) {
		t.Fatalf("%v, want %v", names, want)
	}
	b, err := os.ReadFile(filepath.Join(dir, "active-v1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		var entry struct {
			Seq      int
			From, At string
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Seq != i+1 || entry.At == "" {
			t.Errorf("line %d: %s", i+1, line)
		}
	}
	contains(t, "the transcript", string(b), `"from":"client"`, `"from":"agent"`, "session/status", `\"step\":\"status\"`)
}

func TestClientBadCommandLines(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"client"}, []string{"no client is given", "@reference"}},
		{[]string{"client", ""}, []string{"is empty"}},
		{[]string{"client", "@refernce"}, []string{"@refernce", "@reference"}},
		{[]string{"client", t.TempDir()}, []string{"is a directory"}},
		{[]string{"client", "--protocol", "3", "x"}, []string{"--protocol 3", "1, 2 or both"}},
		{[]string{"client", "--rules", "status.clinet.gate", "x"}, []string{"--rules", "status.client.gate"}},
		{[]string{"client", "--rules", "transport", "x"}, []string{"--rules", "transport"}},
		{[]string{"client", "--script", "actve", "x"}, []string{"--script", "\"active\"", "--list"}},
		{[]string{"client", "--status-vocabulary", "live", "x"}, []string{"active, open"}},
		{[]string{"client", "--timeout", "0s", "x"}, []string{"--timeout", "30s"}},
		{[]string{"client", "--jobs", "-1", "x"}, []string{"--jobs"}},
		{[]string{"client", "--env", "X", "x"}, []string{"NAME=VALUE"}},
		{[]string{"client", "--report", "xml", "x"}, []string{"--report xml"}},
		{[]string{"client", "--report", "json=/no/such/folder/r.json", "x"}, []string{"/no/such/folder/r.json"}},
		{[]string{"client", "--keep", "/dev/null/x", "x"}, []string{"--keep"}},
		{[]string{"client", "@reference", "--falt", "x"}, []string{"--fault"}},
		{[]string{"client", "@reference", "--fault", "client-dies-of-word"}, []string{"client-dies-of-words"}},
		{[]string{"client", "@reference", "loads"}, []string{"--fault loads"}},
		{[]string{"fake-agent", "--script", "plian"}, []string{"--script", "plain"}},
		{[]string{"fake-agent", "--protocol", "3"}, []string{"--protocol 3"}},
		{[]string{"fake-agent", "--transcript", "/no/such/folder/t"}, []string{"--transcript"}},
		{[]string{"reference-client"}, []string{"ACP_CONFORM_AGENT", "@reference"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) { refused(t, c.args, c.want...) })
	}
}

// Agents are never judged by rules about clients, whatever is selected.
func TestClientRulesAreNotForAgents(t *testing.T) {
	refused(t, []string{"--rules", "status.client.gate", "@fake"}, "status.client.gate")
	refused(t, []string{"--rules", "status.client.*", "@fake"}, "status.client.*")
}

func TestClientIsInTheLists(t *testing.T) {
	contains(t, "the rules", call(t, "rules").stdout, "status.client.gate")
	contains(t, "the faults", call(t, "faults").stdout, reference.Faults()[0].Name)
	contains(t, "the variants", call(t, "faults", "--variants").stdout, reference.Variants()[0].Name)
	contains(t, "the scripts", call(t, "client", "--list").stdout, scriptNames()...)
	contains(t, "a rule", call(t, "explain", "status.client.gate").stdout, "binds", "clients", "no-marker", "client --rules status.client.gate", "--fault client-asks-unadvertised")
	contains(t, "a fault", call(t, "explain", "client-asks-unadvertised").stdout, "reference client", "status.client.gate", "client @reference --fault client-asks-unadvertised")
	contains(t, "a variant", call(t, "explain", "client-loads").stdout, "legal variant of the reference client")
	var all []struct{ ID, Subject string }
	if err := json.Unmarshal([]byte(call(t, "rules", "--format", "json").stdout), &all); err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if strings.HasPrefix(r.ID, "status.client.") != (r.Subject == "client") {
			t.Errorf("%s is about an %s", r.ID, r.Subject)
		}
	}
}

func TestClientCommandLinesAreSplit(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{"a  b\tc\n", []string{"a", "b", "c"}},
		{`'a b' c\ d "e f" g''h ''`, []string{"a b", "c d", "e f", "gh", ""}},
		{`'it'\''s'`, []string{"it's"}},
		{"", nil},
	} {
		if got, err := splitWords(c.line); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, %v", c.line, got, err)
		}
	}
	for _, bad := range []string{"'a", `"a`, `a\`} {
		if got, err := splitWords(bad); err == nil {
			t.Errorf("%q: %q", bad, got)
		}
	}
}

// The command line of the agent has no word that would need a quote, also where this program's name has.
func TestClientAgentNeedsNoQuotes(t *testing.T) {
	words, err := plainSelf(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if line := strings.Join(words, " "); strings.ContainsAny(line, `'"\`) {
		t.Errorf("%s", line)
	}
}

// The page that tells what a driver does lists every script as it is.
func TestClientScriptsAreDocumented(t *testing.T) {
	b, err := os.ReadFile("../../conformance/judge/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range fakeagent.Scripts() {
		contains(t, "the page", string(b), "| `"+s.Name+"` | "+s.Actions+" | "+s.Description+" |")
	}
	if n := strings.Count(string(b), " | visit | ") + strings.Count(string(b), " | look | ") + strings.Count(string(b), " | peek | ") + strings.Count(string(b), " | many | "); n != len(fakeagent.Scripts()) {
		t.Errorf("it lists %d scripts, there are %d", n, len(fakeagent.Scripts()))
	}
	for _, v := range []string{judge.AgentVariable, judge.ActionsVariable, judge.ScriptVariable, judge.ProtocolVariable, judge.SessionVariable} {
		contains(t, "the page", string(b), "`"+v+"`")
		contains(t, "the help", call(t, "client", "--help").stdout, v)
	}
}
