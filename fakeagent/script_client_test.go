package fakeagent

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestScriptsAreDescribed(t *testing.T) {
	names := map[string]bool{}
	for _, s := range Scripts() {
		switch {
		case names[s.Name]:
			t.Errorf("%s is there twice", s.Name)
		case s.Subject != "client" || s.Description == "" || strings.HasSuffix(s.Description, "."):
			t.Errorf("%s is about %q: %q", s.Name, s.Subject, s.Description)
		case !slices.Contains(ScriptActions(), s.Actions):
			t.Errorf("%s has the actions %q", s.Name, s.Actions)
		case len(s.Protocols) == 0:
			t.Errorf("%s belongs to no version", s.Name)
		}
		names[s.Name] = true
	}
	if _, err := New(Config{Script: "plian"}); err == nil || !strings.Contains(err.Error(), `"plain"`) {
		t.Errorf("an unknown script: %v", err)
	}
}

// played sends requests to the agent that plays a script, and gives the answers by id.
func played(t *testing.T, script string, version int, requests ...string) map[string]json.RawMessage {
	t.Helper()
	a, err := New(Config{Script: script, Dir: t.TempDir(), Pace: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	hello := `{"protocolVersion":` + strconv.Itoa(version) + `,"info":{"name":"t","version":"1"}}`
	var in strings.Builder
	for i, r := range append([]string{"initialize " + hello}, requests...) {
		method, params, _ := strings.Cut(r, " ")
		in.WriteString(`{"jsonrpc":"2.0","id":` + strconv.Itoa(i) + `,"method":"` + method + `","params":` + params + "}\n")
	}
	var out bytes.Buffer
	if err := a.Serve(t.Context(), strings.NewReader(in.String()), &out); err != nil {
		t.Fatal(err)
	}
	answers := map[string]json.RawMessage{}
	for line := range strings.Lines(out.String()) {
		var m struct {
			ID            json.RawMessage
			Method        string
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if m.Method == "" {
			answers[string(m.ID)] = append(m.Result, m.Error...)
		}
	}
	return answers
}

func TestScriptsAnswerAsTheySay(t *testing.T) {
	const (
		status = `session/status {"sessionId":"sess_script"}`
		resume = `session/resume {"sessionId":"sess_script","cwd":"/"}`
		prompt = `session/prompt {"sessionId":"sess_script","prompt":[{"type":"text","text":"x"}]}`
	)
	for _, c := range []struct {
		script  string
		version int
		request string // the last of them
		want    string // in its answer
		before  []string
	}{
		{"plain", 1, `session/list {}`, `"sessionId":"sess_script"`, nil},
		{"plain", 2, status, `{"status":"inactive"}`, nil},
		{"plain", 2, status, `{"state":{"state":"idle"},"status":"active"}`, []string{resume}},
		{"plain", 1, prompt, `"code":-32002`, nil},
		{"no-marker", 1, status, `"code":-32601`, nil},
		{"marker-true", 1, status, `"code":-32601`, nil},
		{"marker-bad-meta", 2, status, `{"status":"inactive"}`, nil},
		{"value-vendor", 1, status, `{"status":"_vendor_hot"}`, []string{resume}},
		{"value-other-vocabulary", 1, status, `{"status":"open"}`, nil},
		{"result-null", 2, status, `{"status":null}`, nil},
		{"active", 1, status, `{"status":"active"}`, nil},
		{"active", 2, status, `{"state":{"state":"idle"},"status":"active"}`, nil},
		{"active", 2, prompt, `"code":-32002`, []string{status}},
		{"active", 2, prompt, `"messageId"`, []string{status, resume}},
		{"state-omitted", 2, status, `{"status":"active"}`, nil},
		{"state-text", 2, status, `{"state":"idle","status":"active"}`, nil},
		{"stray-state", 1, status, `{"state":{"state":"idle"},"status":"active"}`, nil},
		{"resume-gone", 1, resume, `"code":-32002`, nil},
		{"resume-fails", 2, resume, `"code":-32603`, nil},
		{"prompt-gone", 1, prompt, `"code":-32002`, []string{resume}},
		{"lazy", 1, `session/status {"sessionId":"never-seen"}`, `{"status":"inactive"}`, nil},
		{"lazy", 2, resume, `"code":-32002`, []string{status}},
		{"unknown", 1, status, `"data":{"sessionId":"sess_script"}`, nil},
		{"unknown-null-data", 2, status, `"data":null`, nil},
		{"late-answers", 2, `session/status {"sessionId":"sess_script_2"}`, `{"status":"inactive"}`, []string{status}},
		{"late-answers", 1, `session/status {"sessionId":"nobody"}`, `"code":-32002`, nil},
	} {
		t.Run(c.script+" "+strconv.Itoa(c.version)+" "+c.request, func(t *testing.T) {
			requests := append(slices.Clone(c.before), c.request)
			got := played(t, c.script, c.version, requests...)[strconv.Itoa(len(requests))]
			if !strings.Contains(string(got), c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// The answers of the script with ten sessions come in the reverse order of the requests, also before all have been asked about.
func TestScriptAnswersLate(t *testing.T) {
	a, err := New(Config{Script: "late-answers", Dir: t.TempDir(), Pace: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	in := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}` + "\n"
	for i := 1; i <= 3; i++ {
		in += `{"jsonrpc":"2.0","id":` + strconv.Itoa(i) + `,"method":"session/status","params":{"sessionId":"sess_script"}}` + "\n"
	}
	var out bytes.Buffer
	if err := a.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	first, last := strings.Index(out.String(), `"id":3`), strings.Index(out.String(), `"id":1`)
	if first < 0 || last < first {
		t.Errorf("%s", out.String())
	}
}
