package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// An agent that is busy for ever is shown while it is, in every format that shows hangs, and without secrets.
func TestAHangIsShown(t *testing.T) {
	dir := t.TempDir()
	agent, file := filepath.Join(dir, "busy-agent"), func(name string) string { return filepath.Join(dir, name) }
	script := "#!/bin/sh\necho 'the key is hang-secret-123' >&2\nread line\nsh -c 'while :; do :; done' busy --token hang-secret-456 --again hang-secret-789 &\nwait\n"
	if err := os.WriteFile(agent, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BUSY_API_KEY", "hang-secret-123")
	s := call(t, "--start-timeout", "1s", "--rules", "init", "--report", "text="+file("txt"), "--report", "html="+file("html"), "--report", "json="+file("json"), agent, "--password", "hang-secret-789")
	if s.code != result.ExitInconclusive {
		t.Errorf("exit code %d", s.code)
	}
	r := readRun(t, file("json"))
	if len(r.Hangs) != 1 || len(r.Hangs[0].Processes) != 2 || r.Hangs[0].Processes[1].CPUMs == 0 {
		t.Fatalf("%+v", r.Hangs)
	}
	for _, name := range []string{"txt", "html", "json"} {
		text := readFile(t, file(name))
		contains(t, name, text, "the answer to initialize (id 1)", "busy-agent", "while :; do :; done", "the key is [redacted]", "--token [redacted]")
		if strings.Contains(text, "hang-secret") {
			t.Errorf("%s holds a secret", name)
		}
	}
}
