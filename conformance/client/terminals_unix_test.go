//go:build unix

package client

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// sh starts a script with more members of terminal/create and gives the parameters that name the terminal.
func sh(t *testing.T, terms *terminals, script string, more ...any) json.RawMessage {
	t.Helper()
	p := map[string]any{"sessionId": ".", "command": "sh", "args": []string{"-c", script}}
	for i := 0; i < len(more); i += 2 {
		p[more[i].(string)] = more[i+1]
	}
	got, failure := terms.create(asParams(t, p))
	if failure != nil {
		t.Fatal(failure)
	}
	return asParams(t, map[string]any{"sessionId": ".", "terminalId": got.(map[string]string)["terminalId"]})
}

func wantExit(t *testing.T, terms *terminals, id json.RawMessage, want string) {
	t.Helper()
	got, failure := terms.waitForExit(t.Context(), id)
	wantJSON(t, got, failure, want)
}

// printed waits for the end of a script and gives all that it wrote.
func printed(t *testing.T, terms *terminals, id json.RawMessage) string {
	t.Helper()
	wantExit(t, terms, id, `{"exitCode":0,"signal":null}`)
	return outputOf(t, terms, id).Output
}

type outputAnswer struct {
	Output     string
	Truncated  *bool
	ExitStatus json.RawMessage
}

func outputOf(t *testing.T, terms *terminals, id json.RawMessage) (o outputAnswer) {
	t.Helper()
	got, failure := terms.output(id)
	if failure != nil {
		t.Fatal(failure)
	}
	if err := json.Unmarshal(asParams(t, got), &o); err != nil || o.Truncated == nil {
		t.Fatal(got, err)
	}
	return o
}

const killed = `{"exitCode":null,"signal":"SIGKILL"}`

func TestTerminalFromCreateToRelease(t *testing.T) {
	terms, _ := servedTerminals(t, time.Minute)
	got, failure := terms.create(json.RawMessage(`{"sessionId":".","command":"sh","args":["-c","echo out; echo err >&2; exit 3"],"env":null,"cwd":null,"outputByteLimit":null}`))
	wantJSON(t, got, failure, `{"terminalId":"term_1"}`)
	id := json.RawMessage(`{"sessionId":".","terminalId":"term_1"}`)
	wantExit(t, terms, id, `{"exitCode":3,"signal":null}`)
	wantExit(t, terms, id, `{"exitCode":3,"signal":null}`)
	got, failure = terms.output(id)
	wantJSON(t, got, failure, `{"output":"out\nerr\n","truncated":false,"exitStatus":{"exitCode":3,"signal":null}}`)
	got, failure = terms.kill(id)
	wantJSON(t, got, failure, `{}`)
	if n := terms.open(); n != 1 {
		t.Errorf("%d terminals are open, want 1", n)
	}
	got, failure = terms.release(id)
	wantJSON(t, got, failure, `{}`)
	if n := terms.open(); n != 0 {
		t.Errorf("%d terminals are open, want 0", n)
	}
	for _, call := range terminalCalls(t, terms) {
		_, failure := call(id)
		wantCode(t, failure, CodeNotFound, "term_1")
		wantData(t, failure, "terminalId", "term_1")
	}
	got, failure = terms.create(json.RawMessage(`{"sessionId":".","command":"true"}`))
	wantJSON(t, got, failure, `{"terminalId":"term_2"}`)
}

func TestOutputOfARunningCommand(t *testing.T) {
	terms, _ := servedTerminals(t, time.Minute)
	id := sh(t, terms, "printf ready; exec sleep 60")
	for outputOf(t, terms, id).Output != "ready" && t.Context().Err() == nil {
		runtime.Gosched()
	}
	if o := outputOf(t, terms, id); o.ExitStatus != nil || *o.Truncated {
		t.Errorf("got %+v", o)
	}
	if _, failure := terms.kill(id); failure != nil {
		t.Fatal(failure)
	}
	wantExit(t, terms, id, killed)
	if o := outputOf(t, terms, id); o.Output != "ready" || string(o.ExitStatus) != killed {
		t.Errorf("after kill: %+v", o)
	}
}

func TestSignalsAreNamed(t *testing.T) {
	terms, _ := servedTerminals(t, time.Minute)
	wantExit(t, terms, sh(t, terms, "kill -TERM $$"), `{"exitCode":null,"signal":"SIGTERM"}`)
}

func TestOutputIsCutAtACharacter(t *testing.T) {
	terms, _ := servedTerminals(t, time.Minute)
	id := sh(t, terms, `printf 'xx€€€€'`, "outputByteLimit", 10)
	if got := printed(t, terms, id); got != "€€€" {
		t.Errorf("got %q", got)
	}
	if o := outputOf(t, terms, id); !*o.Truncated {
		t.Error("the answer does not say that it is truncated")
	}
	id = sh(t, terms, `head -c 1048577 /dev/zero | tr '\0' y`)
	if got := printed(t, terms, id); len(got) != outputDefault {
		t.Errorf("%d bytes are kept by default", len(got))
	}
}

func TestWorkingDirectory(t *testing.T) {
	terms, dir := servedTerminals(t, time.Minute)
	session, other := filepath.Join(dir, "one"), filepath.Join(dir, "other")
	for _, d := range []string{session, other} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if got := printed(t, terms, sh(t, terms, "pwd", "sessionId", "one")); got != session+"\n" {
		t.Errorf("the session's directory: got %q", got)
	}
	if got := printed(t, terms, sh(t, terms, "pwd", "sessionId", "one", "cwd", other)); got != other+"\n" {
		t.Errorf("a directory of its own: got %q", got)
	}
	_, failure := terms.create(asParams(t, map[string]any{"sessionId": "gone", "command": "true"}))
	wantCode(t, failure, CodeInternal, "no such file")
}

func TestEnvironmentIsWhatWasGiven(t *testing.T) {
	t.Setenv("ACP_CONFORM_TEST_SECRET", "s3cret")
	t.Setenv("LANG", "C")
	terms, _ := servedTerminals(t, time.Minute)
	env := []map[string]string{{"name": "GIVEN", "value": "a=b"}, {"name": "LANG", "value": "C.UTF-8"}}
	lines := strings.Split(printed(t, terms, sh(t, terms, "exec env", "env", env)), "\n")
	for _, want := range []string{"GIVEN=a=b", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH")} {
		if !slices.Contains(lines, want) {
			t.Errorf("%q is missing in %q", want, lines)
		}
	}
	if slices.Contains(lines, "ACP_CONFORM_TEST_SECRET=s3cret") {
		t.Error("our own environment leaks")
	}
}

func TestInputIsEmpty(t *testing.T) {
	terms, _ := servedTerminals(t, time.Minute)
	if got := printed(t, terms, sh(t, terms, "cat")); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestWaitingCanBeCancelled(t *testing.T) {
	terms, _ := servedTerminals(t, time.Minute)
	id := sh(t, terms, "exec sleep 60")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, failure := terms.waitForExit(ctx, id)
	wantCode(t, failure, CodeRequestCancelled, "cancelled")
	if o := outputOf(t, terms, id); o.ExitStatus != nil {
		t.Error("the command ended with the wait")
	}
}

func TestCommandsAreKilledAfterTheLimit(t *testing.T) {
	terms, _ := servedTerminals(t, 50*time.Millisecond)
	wantExit(t, terms, sh(t, terms, "exec sleep 60"), killed)
}

func TestOpenTerminalsAreLimited(t *testing.T) {
	terms, _ := servedTerminals(t, time.Minute)
	var first json.RawMessage
	for i := range openTerminals {
		id := sh(t, terms, "exec sleep 60")
		if i == 0 {
			first = id
		}
	}
	params := json.RawMessage(`{"sessionId":".","command":"true"}`)
	_, failure := terms.create(params)
	wantCode(t, failure, CodeInternal, "32 terminals are open")
	if _, failure := terms.release(first); failure != nil {
		t.Fatal(failure)
	}
	if _, failure := terms.create(params); failure != nil {
		t.Error(failure)
	}
}

func TestCloseEndsEverything(t *testing.T) {
	terms, _ := servedTerminals(t, time.Minute)
	id := sh(t, terms, "exec sleep 60")
	answered := make(chan any)
	go func() {
		got, _ := terms.waitForExit(context.Background(), id)
		answered <- got
	}()
	terms.close()
	wantJSON(t, <-answered, nil, killed)
	if n := terms.open(); n != 1 {
		t.Errorf("%d terminals were not released, want 1", n)
	}
	_, failure := terms.create(json.RawMessage(`{"sessionId":".","command":"true"}`))
	wantCode(t, failure, CodeInternal, "closing")
	terms.close()
}
