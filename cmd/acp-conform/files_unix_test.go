//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// pipe makes a named pipe that nobody is at.
func pipe(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	return name
}

// What is no file is refused at once, in a line: a device that has no end is not read, and nobody is waited for at a pipe.
func TestWhatIsNoFileIsRefused(t *testing.T) {
	ff := pipe(t)
	schema := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(schema, "v1"), 0o700), syscall.Mkfifo(filepath.Join(schema, "v1", "schema.json"), 0o600)); err != nil {
		t.Fatal(err)
	}
	huge := filepath.Join(t.TempDir(), "huge")
	if err := os.WriteFile(huge, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, mostReport+1); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct{ args, want string }{
		{"--write-baseline /dev/full a", "--write-baseline /dev/full: this is a device"},
		{"--baseline /dev/zero a", "--baseline /dev/zero: this is a device"},
		{"--config /dev/zero a", "--config /dev/zero: this is a device"},
		{"compare /dev/full /dev/null", "compare /dev/full: this is a device"},
		{"schema --check /dev/zero --method initialize", "--check /dev/zero: this is a device"},
		{"fuzz --script /dev/zero @fake", "--script /dev/zero: this is a device"},
		{"--write-baseline " + ff + " a", "--write-baseline " + ff + ": this is a named pipe"},
		{"--baseline " + ff + " a", "--baseline " + ff + ": this is a named pipe"},
		{"--config " + ff + " a", "--config " + ff + ": this is a named pipe"},
		{"--report json=" + ff + " a", "the report " + ff + " cannot be written: this is a named pipe that nobody reads"},
		{"fuzz --report json=" + ff + " @fake", "this is a named pipe that nobody reads"},
		{"compare " + ff + " " + ff, "compare " + ff + ": this is a named pipe"},
		{"schema --method initialize --check " + ff, "--check " + ff + ": this is a named pipe"},
		{"--schema " + schema + " a", "--schema " + schema + ": edition v1: open v1/schema.json: this is a named pipe"},
		{"--baseline " + huge + " a", "--baseline " + huge + ": this is larger than 64 MiB"},
		{"--config " + huge + " a", "--config " + huge + ": this is larger than 64 MiB"},
		{"--write-baseline " + huge + " a", "--write-baseline " + huge + ": this is larger than 64 MiB"},
		{"fuzz --script " + huge + " @fake", "--script " + huge + ": this is larger than 64 MiB"},
		{"compare " + huge + " " + huge, "compare " + huge + ": this is larger than 1024 MiB"},
	} {
		begun := time.Now()
		refused(t, strings.Fields(c.args), c.want, "; ")
		if took := time.Since(begun); took > 30*time.Second {
			t.Errorf("%s: it took %v", c.args, took)
		}
	}
}

// A pipe that a shell hands over is read as any file is, and a named one that somebody reads is written to.
func TestPipesThatSomebodyIsAt(t *testing.T) {
	if _, err := os.Stat("/dev/fd"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	report := filepath.Join(dir, "r.json")
	call(t, short("--quiet", "--report", "json="+report, "@fake")...)
	text := readFile(t, report)
	for _, c := range []struct{ script, want string }{
		{`exec "$0" compare /dev/fd/3 /dev/fd/4 3< <(sleep 0.1; cat r.json) 4< <(cat r.json)`, "no rule changed"},
		{`exec "$0" compare <(cat r.json) r.json`, "no rule changed"},
		{`cat r.json | "$0" compare /dev/stdin r.json`, "no rule changed"},
		{`"$0" --rules transport.utf8 --baseline <(echo 'known:') --config <(echo '# nothing') @fake`, "CONFORMANT"},
		{`"$0" --rules transport.utf8 --quiet --report text=>(cat >copy) @fake; wait $!; cat copy`, "CONFORMANT"},
		{`echo '{}' | "$0" schema --check /dev/stdin --definition ClientCapabilities`, "VALID"},
		{`mkfifo ff; cat ff >read & sleep 0.2; "$0" --rules transport.utf8 --quiet --report text=ff @fake; wait; cat read`, "CONFORMANT"},
	} {
		cmd := command(t)
		cmd.Path, cmd.Args, cmd.Dir = "/bin/bash", []string{"bash", "-c", c.script, cmd.Path}, dir
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v: %s", c.script, err, out)
		}
	}
	if s := callWith(t, "{}", "schema", "--check", "-", "--definition", "ClientCapabilities"); s.code != result.ExitOK || text == "" {
		t.Errorf("stdin: %+v", s)
	}
}
