package conformance_test

import (
	"strings"
	"testing"
)

func TestTestPassesTwiceInOneProcess(t *testing.T) {
	out, ok := child{Part: "test", Rules: []string{"transport", "jsonrpc"}}.run(t, "-test.count=2", "-test.v")
	if !ok {
		t.Errorf("the correct fake does not pass:\n%s", out)
	}
	if n := strings.Count(out, "--- PASS: TestAgent/jsonrpc.version-field"); n != 2 {
		t.Errorf("the rule passed %d times:\n%s", n, out)
	}
}

func TestTestFailsWithTheEvidence(t *testing.T) {
	out, ok := child{Part: "test", Faults: []string{"jsonrpc-missing"}, Rules: []string{"jsonrpc"}}.run(t, "-test.v")
	if ok {
		t.Error("a rule was broken and the test passed")
	}
	wantParts(t, out,
		"--- FAIL: TestAgent/jsonrpc.version-field",
		"jsonrpc.version-field: fail",
		"lines of the conversation of survey:",
		"agent: {",
		"reference: https://",
		"found: ",
		`rerun: go test -run '^TestAgent$/^jsonrpc\.version-field$'`,
		"--- PASS: TestAgent/jsonrpc.exactly-one-response")
}

func TestTestMarksWhatWasBadOnPurpose(t *testing.T) {
	out, _ := child{Part: "test", Faults: []string{"parse-error-code"}, Rules: []string{"jsonrpc.parse-error"}}.run(t, "-test.v")
	wantParts(t, out, "client: (bad on purpose) ")
}

func TestTestTellsWarnings(t *testing.T) {
	const id = "transport.no-stdout-before-request"
	c := child{Part: "test", Faults: []string{"speaks-first"}, Rules: []string{id}}
	out, ok := c.run(t, "-test.v")
	if !ok {
		t.Errorf("a warning fails:\n%s", out)
	}
	wantParts(t, out, id+": warn", "--- PASS: TestAgent/"+id)

	c.Strict = true
	out, ok = c.run(t, "-test.v")
	if ok {
		t.Error("a warning passes although the test is strict")
	}
	wantParts(t, out, id+": warn", "--- FAIL: TestAgent/"+id)
}

func TestTestSkipsWithTheReason(t *testing.T) {
	c := child{Part: "test", Variants: []string{"auth-required"}, Rules: []string{"transport"}}
	const skip, reason = "--- SKIP: TestAgent/transport.stdin-eof-during-turn", "skipped: the agent asks for authentication first"
	out, ok := c.run(t, "-test.v")
	if ok {
		t.Error("no session opened and the test passed")
	}
	wantParts(t, out, skip, reason, "inconclusive: no session could be opened")

	c.AllowNoSession = true
	out, ok = c.run(t, "-test.v")
	if !ok {
		t.Errorf("no session is allowed and yet the test fails:\n%s", out)
	}
	wantParts(t, out, skip, reason)
}

func TestTestFailsWithoutHandshake(t *testing.T) {
	out, ok := child{Part: "test", Faults: []string{"exits-at-once"}}.run(t, "-test.v")
	if ok {
		t.Error("no handshake and the test passed")
	}
	wantParts(t, out, "inconclusive: the agent never shook hands", "did not answer initialize")
}

func TestTestRefusesAWrongConfig(t *testing.T) {
	out, ok := child{Part: "test", Rules: []string{"jsonrpc.version-filed"}}.run(t)
	if ok {
		t.Error("a pattern that matches nothing passed")
	}
	wantParts(t, out, `did you mean "jsonrpc.version-field"?`)
}

func TestTestStopsBeforeItsDeadline(t *testing.T) {
	out, ok := child{Part: "test", Mute: true}.run(t, "-test.timeout=2s")
	if ok || strings.Contains(out, "panic:") {
		t.Errorf("the deadline passed:\n%s", out)
	}
	wantParts(t, out, "--- FAIL: TestAgent", "interrupted: the run was interrupted")
	if strings.Contains(out, "did not answer initialize") {
		t.Errorf("the deadline is held against the agent:\n%s", out)
	}
}
