package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// ends runs the program on an agent that is a process, and gives what it printed.
func ends(t *testing.T, code int, args ...string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	if got := run(t.Context(), nil, args, strings.NewReader(""), &stdout, &stderr); got != code {
		t.Fatalf("%s\nended with %d, want %d:\n%s%s", strings.Join(args, " "), got, code, stdout.String(), stderr.String())
	}
	return stdout.String() + stderr.String()
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A baseline is written, excuses what is known, tells of what is new and of what is mended, and shrinks.
func TestABaselineFromItsFirstLineToItsLast(t *testing.T) {
	list := filepath.Join(t.TempDir(), "known.yaml")
	judge := func(code int, fault string, flags ...string) string {
		args := append([]string{"--rules", "cancel,transport.utf8"}, flags...)
		args = append(args, "@fake")
		if fault != "" {
			args = append(args, "--fault", fault)
		}
		return ends(t, code, args...)
	}
	judge(result.ExitFailed, "cancel-ends-turn")
	judge(result.ExitOK, "cancel-ends-turn", "--write-baseline", list)
	if text := readFile(t, list); !strings.Contains(text, "- rule: cancel.stop-reason-cancelled\n    reason: not looked into yet") {
		t.Fatalf("the baseline reads\n%s", text)
	}
	judge(result.ExitOK, "cancel-ends-turn", "--baseline", list)
	banner := filepath.Join(t.TempDir(), "banner.yaml")
	closed := []string{"@fake", "--fault", "stdout-banner", "--variant", "auth-required"} // breaks a rule before anybody asks for a session
	ends(t, result.ExitOK, append([]string{"--rules", "transport", "--write-baseline", banner}, closed[:3]...)...)
	ends(t, result.ExitInconclusive, append([]string{"--rules", "transport", "--baseline", banner}, closed...)...)
	ends(t, result.ExitOK, append([]string{"--rules", "transport", "--allow-no-session", "--baseline", banner}, closed...)...)
	if out := judge(result.ExitFailed, "invalid-utf8", "--baseline", list); !strings.Contains(out, "transport.utf8") || !strings.Contains(out, "stale") {
		t.Errorf("what is new and what is mended is not told:\n%s", out)
	}
	if out := judge(result.ExitFailed, "invalid-utf8", "--write-baseline", list, "--shrink-only"); !strings.Contains(out, "may only shrink") {
		t.Errorf("a new entry was not refused:\n%s", out)
	}
	if text := readFile(t, list); strings.Contains(text, "rule:") {
		t.Errorf("it did not shrink:\n%s", text)
	}
	judge(result.ExitOK, "", "--baseline", list)
	before := readFile(t, list)
	if out := judge(result.ExitInconclusive, "exits-at-once", "--quiet", "--write-baseline", list); !strings.Contains(out, "nothing was written, because the run is inconclusive: the agent never shook hands;") {
		t.Errorf("that nothing was written is not told:\n%s", out)
	}
	if readFile(t, list) != before {
		t.Error("a run that says nothing changed the baseline")
	}
	for _, bad := range [][]string{{"--shrink-only"}, {"--baseline", filepath.Join(t.TempDir(), "none.yaml")}, {"--write-baseline", filepath.Join(t.TempDir(), "none", "x.yaml")}} {
		judge(result.ExitUsage, "", bad...)
	}
	if err := os.WriteFile(list, []byte("known:\n- rule: nothing\n  reason: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := judge(result.ExitUsage, "", "--baseline", list); !strings.Contains(out, list+":2: there is no rule") {
		t.Errorf("a bad baseline: %s", out)
	}
}

func TestTwoRunsAreCompared(t *testing.T) {
	dir := t.TempDir()
	before, after := filepath.Join(dir, "before.json"), filepath.Join(dir, "after.json")
	ends(t, result.ExitOK, "--rules", "cancel", "--report", "json="+before, "@fake")
	ends(t, result.ExitFailed, "--rules", "cancel", "--report", "json="+after, "@fake", "--fault", "cancel-ends-turn")
	if out := ends(t, result.ExitFailed, "compare", before, after); !strings.Contains(out, "rules became worse") || !strings.Contains(out, "cancel.stop-reason-cancelled") {
		t.Errorf("compare says\n%s", out)
	}
	if out := ends(t, result.ExitOK, "compare", after, before); !strings.Contains(out, "no rule became worse") {
		t.Errorf("the other way round it says\n%s", out)
	}
	ends(t, result.ExitOK, "compare", "--format", "json", before, before)
	dead, empty := filepath.Join(dir, "dead.json"), filepath.Join(dir, "empty.json")
	ends(t, result.ExitInconclusive, "--rules", "cancel", "--report", "json="+dead, "@fake", "--fault", "exits-at-once")
	if out := ends(t, result.ExitFailed, "compare", before, dead); !strings.Contains(out, "the new build was not judged: the agent never shook hands") {
		t.Errorf("of an agent that no longer starts it says\n%s", out)
	}
	ends(t, result.ExitOK, "compare", dead, dead)
	if err := os.WriteFile(empty, []byte(`{"schema":"`+result.Schema+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	ends(t, result.ExitUsage, "compare", before, empty)
	some, others, client := filepath.Join(dir, "some.json"), filepath.Join(dir, "others.json"), filepath.Join(dir, "client.json")
	ends(t, result.ExitOK, "--rules", "cancel.double", "--report", "json="+some, "@fake")
	ends(t, result.ExitOK, "--rules", "transport.utf8", "--report", "json="+others, "@fake")
	ends(t, result.ExitOK, "client", "--quiet", "--script", "plain", "--protocol", "1", "--report", "json="+client, "@reference")
	if out := ends(t, result.ExitFailed, "compare", some, after); !strings.Contains(out, "which are not in the older run") {
		t.Errorf("of rules that are not in the older report it says\n%s", out)
	}
	for other, want := range map[string]string{others: "have no rule in common; compare", client: "have no rule in common: one is about a client"} {
		if out := ends(t, result.ExitUsage, "compare", before, other); !strings.Contains(out, want) || strings.Count(out, "\n") != 1 {
			t.Errorf("of other rules it says\n%s", out)
		}
	}
	ends(t, result.ExitFailed, "compare", "--format", "markdown", before, after)
	for _, bad := range [][]string{{before}, {before, filepath.Join(dir, "none.json")}, {before, "--format", "xml", after}, {before, os.Args[0]}} {
		ends(t, result.ExitUsage, append([]string{"compare"}, bad...)...)
	}
}

// flagged are secrets that only the command line tells, in words of their own.
var flagged = []string{"--password", "a-flagged-secret-1", "--user", "somebody:a-flagged-secret-2", "--api-key", "a flagged secret 3"}

// Everything is written at once, and no secret stands anywhere: not in a report, and not in a transcript.
func TestAllReportsAtOnceWithoutSecrets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the agent of this test is a shell script")
	}
	dir := t.TempDir()
	const secret, key = "a-planted-secret-0123", "sk-proj-PLANTEDPLANTEDPLANTED0123"
	const body, escaped = "MIIEplantedPLANTED0123456789plantedPLANTED0123456789plantedPLANTED01", "rtchen33"
	t.Setenv("PLANTED_API_TOKEN", secret)
	t.Setenv("PLANTEDPASSWORD", "pässwörtchen33")
	t.Setenv("PLAIN_TOKEN", "nonconformant") // an ordinary word: it takes no report apart
	t.Setenv("OTHER_TOKEN", "conform/report")
	t.Setenv("HOME", filepath.Join(dir, "home-of-somebody"))
	t.Setenv(stepSummary, filepath.Join(dir, "summary.md"))
	fault := filepath.Join(dir, "agent")
	script := "#!/bin/sh\nread line\necho '" + `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"` + secret + `","version":"` + key + `"},"agentCapabilities":{}}}` + "'\necho 'banner " + secret + " " + key + " in $HOME '\"$HOME $*\"\necho \"$@\" " + secret + " " + key + " >&2\nprintf '%s\\n' '-----BEGIN PRIVATE KEY-----' " + body + " pLaNtEdEnD9== '-----END PRIVATE KEY-----' >&2\n" +
		"printf '%s\\n' '" + `{"x":"p\u00e4ssw\u00f6rtchen33\n` + key + `"}` + "'\ncat >/dev/null\n"
	if err := os.WriteFile(fault, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	args := []string{"--rules", "transport.stdout-only-acp,init", "--timeout", "1s", "--keep", filepath.Join(dir, "kept"), "--report", "github"}
	for _, format := range []string{"text", "json", "jsonl", "html", "junit", "markdown", "badge"} {
		args = append(args, "--report", format+"="+filepath.Join(dir, "report."+format))
	}
	out := ends(t, result.ExitFailed, append(append(args, "--report", "badge="+filepath.Join(dir, "badge.svg")), append([]string{fault, "--token", secret, "--api-key=" + key}, flagged...)...)...)
	seen := 0
	look := func(name, text string) {
		seen++
		for _, s := range []string{secret, key, "home-of-somebody", body, "pLaNtEdEnD9", escaped, "flagged"} {
			if strings.Contains(text, s) {
				t.Errorf("%q stands in %s", s, name)
			}
		}
	}
	look("the output", out)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path != fault {
			look(path, readFile(t, path))
		}
		return err
	})
	if err != nil || seen < 12 {
		t.Errorf("%d texts were looked at, %v", seen, err)
	}
	if !strings.Contains(readFile(t, filepath.Join(dir, "report.text")), "[redacted]") {
		t.Error("nothing was redacted")
	}
	contains(t, "the report", readFile(t, filepath.Join(dir, "report.json")), `"schema": "acp-conform/report/1"`, `"verdict": "nonconformant"`)
	kept := ends(t, result.ExitFailed, append([]string{"--no-redact", "--rules", "transport.stdout-only-acp", "--timeout", "1s", "--report", "json"}, fault)...)
	if !strings.Contains(kept, secret) {
		t.Error("--no-redact redacts")
	}
}

// The fuzzer keeps secrets to itself as well, and its scripts can be played again.
func TestFuzzingWithoutSecrets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the agent of this test is a shell script")
	}
	dir := t.TempDir()
	const secret, key = "a-planted-secret-0123", "sk-proj-PLANTEDPLANTEDPLANTED0123"
	t.Setenv("PLANTED_API_TOKEN", secret)
	agent, kept := filepath.Join(dir, "agent"), filepath.Join(dir, "kept")
	script := "#!/bin/sh\nread line\necho '" + `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"` + secret + `","version":"` + key + `"},"agentCapabilities":{}}}` +
		"'\necho \"$@\" " + secret + " " + key + " >&2\necho \"$@\"\necho 'no message but " + secret + " and " + key + "'\nwhile read -r line; do id=$(printf '%s' \"$line\" | sed -n 's/.*\"id\":\\([^,}]*\\).*/\\1/p'); [ -n \"$id\" ] && echo '{\"jsonrpc\":\"2.0\",\"id\":'\"$id\"',\"error\":{\"code\":-32601,\"message\":\"no\"}}'; done\n"
	if err := os.WriteFile(agent, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	fuzz := func(flags ...string) string {
		args := append([]string{"fuzz", "--scripts", "2", "--findings", "1", "--timeout", "1s", "--jobs", "1"}, flags...)
		return ends(t, result.ExitFailed, append(append(args, agent, "--token", secret, "--api-key="+key), flagged...)...)
	}
	json, file := filepath.Join(dir, "fuzz.json"), filepath.Join(kept, "fuzz-1.json")
	texts := map[string]string{"the output": fuzz("--keep", kept, "--report", "text", "--report", "json="+json)}
	texts["the report"], texts["the script"] = readFile(t, json), readFile(t, file)
	texts["the replay"] = fuzz("--script", file)
	for name, text := range texts {
		for _, s := range []string{secret, key, "flagged"} {
			if strings.Contains(text, s) {
				t.Errorf("%q stands in %s:\n%s", s, name, text)
			}
		}
	}
	contains(t, "the output", texts["the output"], "fuzzing "+agent+" --token [redacted] --api-key=[redacted] --password [redacted] --user somebody:[redacted] --api-key [redacted] for", "FAILURE 1")
	if out := fuzz("--keep", kept, "--no-redact"); strings.Count(out, secret) < 2 {
		t.Errorf("--no-redact redacts:\n%s", out)
	}
}

// Of a client no secret is kept either, and none in what the fake agent writes down by itself.
func TestJudgingAClientWithoutSecrets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the client of this test is a shell script")
	}
	dir := t.TempDir()
	const secret, key = "a-planted-secret-0123", "sk-proj-PLANTEDPLANTEDPLANTED0123"
	t.Setenv("PLANTED_API_TOKEN", secret)
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"` + secret + `","version":"` + key + `"},"clientCapabilities":{}}}`
	client, own := filepath.Join(dir, "client"), filepath.Join(dir, "own.jsonl")
	script := "#!/bin/sh\necho '" + hello + "' | sh -c \"$ACP_CONFORM_AGENT\"\necho '{\"step\":\"list\",\"error\":\"" + secret + " " + key + "'\"$*\"'\"}'\n"
	if err := os.WriteFile(client, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	judged := func(kept string, flags ...string) string {
		s := call(t, append(append([]string{"client", "--protocol", "1", "--script", "plain", "--keep", kept, "--report", "json", "--report", "text=" + kept + ".txt"}, flags...),
			append([]string{client, "--token", secret, "--api-key=" + key}, flagged...)...)...)
		transcripts, err := filepath.Glob(filepath.Join(kept, "*.jsonl"))
		if err != nil || len(transcripts) == 0 {
			t.Fatalf("no transcript is kept: %v, exit code %d, %s", err, s.code, s.stderr)
		}
		text := s.stdout + s.stderr + readFile(t, kept+".txt")
		for _, name := range transcripts {
			text += readFile(t, name)
		}
		return text
	}
	texts := map[string]string{"what is written about a client": judged(filepath.Join(dir, "kept"))}
	for _, flag := range []string{"--no-redact=false", "--no-redact"} {
		p := callWith(t, hello+"\n", "fake-agent", "--transcript", own, flag)
		if p.code != 0 {
			t.Fatalf("fake-agent %s: exit code %d, %s", flag, p.code, p.stderr)
		}
		texts["the fake agent's transcript with "+flag] = readFile(t, own)
	}
	texts["what is written with --no-redact"] = judged(filepath.Join(dir, "bare"), "--no-redact")
	for name, text := range texts {
		for _, s := range []string{secret, key, "flagged"} {
			if s == "flagged" && strings.Contains(name, "fake agent's") {
				continue // it has another command line
			}
			if want := strings.HasSuffix(name, "--no-redact"); strings.Contains(text, s) != want {
				t.Errorf("that %q stands in %s is %v, not %v", s, name, !want, want)
			}
		}
	}
}
