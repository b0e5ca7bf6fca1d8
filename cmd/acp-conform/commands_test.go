package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/fakeagent"
	"github.com/acp-conform/acp-conform/schemas"
)

// faultNames lists the faults that need a process of their own, or the others.
func faultNames(process bool) []string {
	var names []string
	for _, f := range fakeagent.Faults() {
		if f.Process == process {
			names = append(names, f.Name)
		}
	}
	return names
}

func TestLists(t *testing.T) {
	for _, c := range []struct {
		args []string
		n    int
		keys string
	}{
		{[]string{"rules"}, len(everyRule()), "id area level basis stability kind subject protocols title ref"},
		{[]string{"faults"}, len(everyFault()), "name description subject protocols"},
		{[]string{"faults", "--variants"}, len(everyVariant()), "name description subject protocols"},
		{[]string{"schema"}, len(schemas.Ours().Edition(1, false).Methods()), "edition method sender kind definition stability"},
		{[]string{"schema", "--stable-only"}, len(schemas.Ours().Edition(1, true).Methods()), "edition method sender kind definition stability"},
		{[]string{"schema", "--protocol", "2"}, len(schemas.Ours().Edition(2, false).Methods()), "edition method sender kind definition stability"},
	} {
		s := call(t, append(c.args, "--format", "json")...)
		var list []map[string]any
		if err := json.Unmarshal([]byte(s.stdout), &list); err != nil || s.code != result.ExitOK {
			t.Fatalf("%q: exit code %d, %v", c.args, s.code, err)
		}
		if len(list) != c.n {
			t.Errorf("%q lists %d of %d", c.args, len(list), c.n)
		}
		for _, entry := range list {
			for _, key := range strings.Fields(c.keys) {
				if v, ok := entry[key]; !ok || v == "" || v == nil {
					t.Errorf("%q: %v has no %s", c.args, entry, key)
				}
			}
			if len(entry) != len(strings.Fields(c.keys)) {
				t.Errorf("%q: %v has other members than %s", c.args, entry, c.keys)
			}
		}
		text := call(t, c.args...)
		contains(t, "the text", text.stdout, list[0][first(list[0])].(string))
		if text.code != result.ExitOK || strings.Count(text.stdout, "\n") < c.n {
			t.Errorf("%q: exit code %d, %s", c.args, text.code, text.stdout)
		}
	}
}

// first is the key by which an entry is called.
func first(entry map[string]any) string {
	for _, key := range []string{"id", "method"} {
		if _, ok := entry[key]; ok {
			return key
		}
	}
	return "name"
}

func TestExplainKnowsEverything(t *testing.T) {
	explained := func(name string) string {
		var out strings.Builder
		p := &program{stdout: &out}
		if err := p.explain(t.Context(), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return out.String()
	}
	texts := map[string]string{} // each is made by runs on the fake agent
	for _, name := range explainable() {
		text := explained(name)
		if texts[name] = text; !strings.HasPrefix(text, name+"\n") || strings.Contains(text, "%!") {
			t.Errorf("%s: %s", name, text)
		}
	}
	for _, r := range conformance.Rules() {
		contains(t, r.ID, texts[r.ID], r.Title, string(r.Level), r.Ref.URL(), r.Advice, "acp-conform --rules "+r.ID)
	}
	if s := call(t, "explain", conformance.Rules()[0].ID); s.code != result.ExitOK || s.stdout != texts[conformance.Rules()[0].ID] {
		t.Errorf("exit code %d: %s", s.code, s.stdout)
	}
}

func TestExplainListsAnArea(t *testing.T) {
	s := call(t, "explain", "transport")
	if s.code != result.ExitOK || !strings.HasPrefix(s.stdout, "transport\n  transport.") {
		t.Errorf("exit code %d: %s%s", s.code, s.stdout, s.stderr)
	}
	for _, r := range conformance.Rules() {
		if got := strings.Contains(s.stdout, "  "+r.ID+" "); got != (r.Area() == "transport") {
			t.Errorf("%s is listed: %v", r.ID, got)
		}
	}
}

func TestExplainDoesNotSayThatEveryBreachFails(t *testing.T) {
	for _, r := range conformance.Rules() {
		want := "a breach warns"
		if r.Fails() {
			want = "a clear breach fails the agent; what is lenient or uncertain only warns"
		}
		if got := strengthOf(r); !strings.HasSuffix(got, ": "+want) {
			t.Errorf("%s: %s", r.ID, got)
		}
	}
}

func TestHelpIsThatOfTheCommand(t *testing.T) {
	for _, c := range []string{"", "rules", "fake-agent", "explain", "schema", "completion"} {
		want := call(t, append(strings.Fields(c), "--help")...)
		if got := call(t, append([]string{"help"}, strings.Fields(c)...)...); got != want {
			t.Errorf("help %s: exit code %d\n%s%s", c, got.code, got.stdout, got.stderr)
		}
	}
}

// The faults in the examples of any help must be there.
func TestFaultsInTheHelpExist(t *testing.T) {
	p := &program{}
	root := p.root()
	for _, c := range append(root.Commands(), root) {
		for _, m := range regexp.MustCompile(`--fault ([a-z-]+)`).FindAllStringSubmatch(c.Example, -1) {
			if !slices.Contains(slices.Concat(namesOf(everyFault()), namesOf(fakeagent.InputFaults())), m[1]) {
				t.Errorf("%s --help: there is no fault %s", c.Name(), m[1])
			}
		}
	}
}

func TestHelp(t *testing.T) {
	s := call(t, "--help")
	if s.code != result.ExitOK || s.stderr != "" {
		t.Fatalf("exit code %d: %s", s.code, s.stderr)
	}
	p := &program{}
	for _, c := range p.root().Commands() {
		if !c.Hidden {
			contains(t, "the help", s.stdout, "  "+c.Name()+" ", c.Short)
		}
		if h := call(t, c.Name(), "--help"); h.code != result.ExitOK || !strings.Contains(h.stdout, c.Name()) {
			t.Errorf("%s --help: exit code %d", c.Name(), h.code)
		}
	}
	contains(t, "the help", s.stdout, "acp-conform @fake", "130", "--report", "--version")
	for _, line := range strings.Split(s.stdout, "\n") {
		if len(line) > helpWidth {
			t.Errorf("longer than a line: %s", line)
		}
	}
	if h := call(t, "@fake", "--help"); h.code != result.ExitOK || !strings.Contains(h.stdout, "--fault") {
		t.Errorf("@fake --help: exit code %d, %s", h.code, h.stderr)
	}
}

// What the help shows must be accepted: every example of the main job is tried without an agent.
func TestExamplesOfTheHelpAreAccepted(t *testing.T) {
	words := regexp.MustCompile(`'[^']*'|\S+`)
	for _, line := range strings.Split(testExamples, "\n") {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "  ")
		var args []string
		for _, w := range words.FindAllString(line, -1)[1:] {
			args = append(args, strings.ReplaceAll(strings.Trim(w, "'"), "result.json", t.TempDir()+"/result.json"))
		}
		if s, _ := dry(t, fine(), args...); s.code != result.ExitOK {
			t.Errorf("%s: exit code %d: %s", line, s.code, s.stderr)
		}
	}
}

func TestVersion(t *testing.T) {
	if s := call(t, "--version"); s.code != result.ExitOK || !regexp.MustCompile(`^acp-conform \S+\n$`).MatchString(s.stdout) {
		t.Errorf("exit code %d: %q", s.code, s.stdout)
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if s := call(t, "completion", shell); s.code != result.ExitOK || !strings.Contains(s.stdout, "acp-conform") {
			t.Errorf("%s: exit code %d", shell, s.code)
		}
	}
	contains(t, "completion of rules", call(t, "__complete", "--rules", "").stdout, "transport.utf8", "transport\n")
	contains(t, "completion of methods", call(t, "__complete", "schema", "").stdout, "session/fork\n", "ToolCall\n")
	contains(t, "completion of --method", call(t, "__complete", "schema", "--protocol", "2", "--method", "").stdout, "tool_call/cancel\n")
	contains(t, "completion of --definition", call(t, "__complete", "schema", "--stable-only", "--definition", "").stdout, "ContentBlock\n")
	contains(t, "completion of --sender", call(t, "__complete", "schema", "--sender", "").stdout, "proxy\n")
	contains(t, "completion of --kind", call(t, "__complete", "schema", "--kind", "").stdout, "notification\n")
	for _, args := range [][]string{{"--schema", ""}, {"schema", "--schema", ""}} {
		if s := call(t, append([]string{"__complete"}, args...)...); s.stdout != ":16\n" { // directories
			t.Errorf("completion of %q: %s", args, s.stdout)
		}
	}
	contains(t, "completion of faults", call(t, "__complete", "fake-agent", "--fault", "").stdout, faultNames(false)[0])
}

func TestProgressIsOneLine(t *testing.T) {
	var b strings.Builder
	g := &progress{w: &b, columns: func() int { return usualColumns }}
	for _, step := range []func(){
		func() { g.begin("survey") },
		func() { g.show(conformance.Event{Rule: "survey"}) },
		func() { g.begin("prompt.order") },
		func() { g.begin("prompt." + strings.Repeat("x", 80)) },
		func() { g.show(conformance.Event{Rule: "prompt.order", Verdict: result.Fail, Done: 3, Total: 9}) },
		func() {
			g.show(conformance.Event{Rule: "prompt." + strings.Repeat("x", 80), Verdict: result.Pass, Done: 4, Total: 9})
		},
		g.clear,
	} {
		step()
	}
	shown := strings.Split(b.String(), clearLine)
	for i, want := range []string{"", "survey", "", "prompt.order", "prompt.order, prompt.xxx", "3/9  1 fail  prompt.xxx", "4/9  1 fail", ""} {
		if i >= len(shown) || !strings.HasPrefix(shown[i], want) || (want == "") != (shown[i] == "") || len([]rune(shown[i])) >= usualColumns {
			t.Fatalf("step %d: %q", i, shown)
		}
	}
}
