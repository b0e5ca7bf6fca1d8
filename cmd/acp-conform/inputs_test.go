package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// No report goes where the run reads something, or keeps it, by whatever name: that is found before anything is started.
func TestAReportSparesWhatTheRunReads(t *testing.T) {
	for _, c := range []struct{ file, args, names string }{
		{"known.yaml", "--baseline known.yaml --report json=OTHER agent", "--baseline"},
		{"known.yaml", "--write-baseline known.yaml --report text=OTHER agent", "--write-baseline"},
		{"config.yaml", "--config config.yaml --report jsonl=OTHER agent", "--config"},
		{"schema.json", "--schema . --report html=OTHER agent", "--schema"},
		{"script", "--report junit=OTHER -- sh ./script", "the command line of the agent"},
		{"script", "--report junit=OTHER ./script", "the command line of the agent"},
		{"script", "--cwd . --report junit=OTHER sh script", "the command line of the agent"},
		{"fuzz.json", "fuzz --script fuzz.json --report json=OTHER @fake", "--script"},
		{"script", "fuzz --report json=OTHER ./script", "the command line of the agent"},
		{"script", "client --report json=OTHER ./script", "the command line of the client"},
		{"config.yaml", "--config config.yaml --write-baseline OTHER agent", "--config"},
	} {
		for _, how := range []string{"the same", "another spelling", "a symbolic link", "a hard link"} {
			t.Run(c.args+", "+how, func(t *testing.T) {
				dir := t.TempDir()
				t.Chdir(dir)
				texts := map[string]string{"known.yaml": "# nothing\n", "config.yaml": "# nothing\n", "script": "#!/bin/sh\n", "fuzz.json": `{"schema":"acp-conform/fuzz-script/1","protocol":1,"steps":[{"send":"x","then":""}]}`,
					"schema.json": published(stableMethod)}
				for name, text := range texts {
					if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
						t.Fatal(err)
					}
				}
				other := c.file
				var err error
				switch how {
				case "another spelling":
					other = filepath.Join(dir, "x") + "/../" + c.file
					err = os.Mkdir("x", 0o700)
				case "a symbolic link":
					other, err = "link", os.Symlink(c.file, "link")
				case "a hard link":
					other, err = "link", os.Link(c.file, "link")
				}
				if err != nil {
					t.Skip(err)
				}
				refused(t, strings.Fields(strings.Replace(c.args, "OTHER", other, 1)), other, c.names, "; name a file for each")
				for name, text := range texts {
					if readFile(t, name) != text {
						t.Errorf("%s reads %q", name, readFile(t, name))
					}
				}
			})
		}
	}
}

// A baseline that is not there yet is no place for a report either.
func TestAReportAndANewBaseline(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, other := range []string{"new.yaml", "./new.yaml"} {
		refused(t, []string{"--write-baseline", "new.yaml", "--report", "text=" + other, "./agent"}, "a report would go to "+other+", which is the file that --write-baseline names")
	}
	if left, _ := os.ReadDir("."); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if s, given := dry(t, fine(), "--write-baseline", "new.yaml", "--baseline", os.DevNull, "--report", "json="+os.DevNull, "./agent"); s.code != result.ExitOK || len(given) != 1 {
		t.Errorf("what is no regular file is refused: %s", s.stderr)
	}
}
