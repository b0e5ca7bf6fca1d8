package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// An agent behind a wrapper that starts slowly is told of, with what to do; a quick one, and one without, are not.
func TestAWrapperThatIsSlowIsToldOf(t *testing.T) {
	for _, c := range []struct {
		words  string
		atMs   int64 // of the answer to initialize; 0 = none came
		millis int64 // of the run
		want   string
	}{
		{"npx some-agent --acp", 4230, 9000, "the agent is started by npx and took 4.2s to answer initialize"},
		{"/usr/bin/npx some-agent", 2000, 9000, "by npx and took 2s"},
		{"npx.cmd some-agent", 3000, 9000, "by npx and took 3s"},
		{"pnpm dlx some-agent", 3000, 9000, "by pnpm dlx and took 3s"},
		{"uv tool run some-agent", 3000, 9000, "uv tool install"},
		{"uvx some-agent", 0, 30100, "did not answer initialize in 30.1s"},
		{"pipx run some-agent", 3000, 9000, "pipx install"},
		{"env FOO=1 npx some-agent", 3000, 9000, "by npx and took 3s"},
		{"env -i PATH=/bin nice uvx some-agent", 3000, 9000, "by uvx and took 3s"},
		{"bash -c npx", 3000, 9000, "by npx and took 3s"},
		{"sh run-npx.sh", 3000, 9000, ""},
		{"env", 3000, 9000, ""},
		{"npx some-agent", 1900, 9000, ""},
		{"uvx some-agent", 0, 100, ""},
		{"pnpm start", 9000, 9000, ""},
		{"pnpm", 9000, 9000, ""},
		{"node agent.js npx", 9000, 9000, ""},
	} {
		r := result.Run{DurationMs: c.millis}
		if c.atMs > 0 {
			r.Timeline = []result.Moment{{Kind: "start", What: "the agent is started"}, {AtMs: c.atMs, Kind: "message", What: "initialize is answered"}}
		}
		diagnose(strings.Fields(c.words), &r)
		if got := strings.Join(r.Hints, "\n"); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.words, got, c.want)
		}
	}
}

func TestASlowWrapperInARun(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	npx := filepath.Join(dir, "npx")
	if err := os.WriteFile(npx, []byte("#!/bin/sh\nsleep 2\nexec \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := call(t, "--rules", "transport.utf8", npx, self, "fake-agent")
	if s.code != result.ExitOK {
		t.Skipf("no shell script can be started here: exit code %d", s.code)
	}
	contains(t, "the report", strings.Join(strings.Fields(s.stdout), " "), "hint: the agent is started by npx and took 2", "start node_modules/.bin/NAME")
}
