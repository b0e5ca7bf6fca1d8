package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/schemas"
)

// ownLayout is a directory with the schemas of this program.
func ownLayout(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, schemas.Files()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// layout is a directory with these files.
func layout(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A protocol that is arranged as the real one is published, with one method and another one that needs an opt-in.
const (
	stableMethod = `"PingRequest": {"x-method": "ping", "x-side": "agent", "type": "object", "required": ["n"],
		"properties": {"n": {"type": "integer", "format": "uint16"}, "to": {"$ref": "#/$defs/Target"}}},
	"PingResponse": {"x-method": "ping", "x-side": "agent", "type": "object"},
	"Target": {"oneOf": [{"type": "object", "required": ["by"], "properties": {"by": {"type": "string", "const": "name"}}}]}`
	unstableMethod = `, "PongNotification": {"x-method": "pong", "x-side": "client", "type": "object"}`
)

func published(defs string) string { return `{"$defs": {` + defs + `}}` }

func TestSchemasOfADirectory(t *testing.T) {
	full := layout(t, map[string]string{"v1/schema.json": published(stableMethod), "v1/schema.unstable.json": published(stableMethod + unstableMethod)})
	alone := layout(t, map[string]string{"schema.json": published(stableMethod)})
	for _, c := range []struct {
		name, dir, args, stdin string
		code                   int
		want                   []string
	}{
		{"list", full, "", "", result.ExitOK, []string{"Edition v1-unstable of " + full + "\n\n", "unstable  PongNotification", "2 methods of edition v1-unstable; `acp-conform schema --schema " + full + " METHOD`"}},
		{"the stable list", full, "--stable-only", "", result.ExitOK, []string{"1 method of edition v1;"}},
		{"what there is", alone, "", "", result.ExitOK, []string{"1 method of edition v1;"}},
		{"print", full, "ping", "", result.ExitOK, []string{`"x-acp-edition": "v1-unstable"`, `"x-acp-source": "` + full + `"`, `"$ref": "#/$defs/Target"`, `"maximum": 65535`, `"const": "name"`}},
		{"valid", alone, "--check - --method ping", `{"n":1,"to":{"by":"name"}}`, result.ExitOK, []string{"VALID: PingRequest of edition v1 of " + alone + " (ping, request of the client)\n"}},
		{"invalid", full, "--check - --method ping", `{"n":65536,"to":{"by":"nam"}}`, result.ExitFailed,
			[]string{"INVALID: PingRequest of edition v1-unstable", "an integer from 0 to 65535", `expected  "name"`}},
		{"as JSON", alone, "--check - --method ping --format json", `{"n":1}`, result.ExitOK, []string{`"edition":"v1","source":"` + alone + `","definition":"PingRequest"`}},
		{"the list as JSON", alone, "--format json", "", result.ExitOK, []string{`"edition": "v1"`, `"source": "` + alone + `"`}},
		{"our own layout", ownLayout(t), "--check - --method session/cancel", `{}`, result.ExitFailed, []string{"INVALID: CancelNotification of edition v1-unstable of "}},
		{"our own layout, version 2", ownLayout(t), "--protocol 2 --stable-only", "", result.ExitOK, []string{"18 methods of edition v2;"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := callWith(t, c.stdin, append([]string{"schema", "--schema", c.dir}, strings.Fields(c.args)...)...)
			if s.code != c.code || s.stderr != "" {
				t.Errorf("exit code %d, %s", s.code, s.stderr)
			}
			contains(t, "stdout", s.stdout, c.want...)
		})
	}
	refused(t, []string{"schema", "--schema", full, "--stable-only", "pong"}, "pong is not in the stable edition v1 of "+full+": it is unstable; leave out --stable-only")
	// What our own unstable edition has may be in the file that is not there.
	in := filepath.Join(alone, "schema.unstable.json")
	refused(t, []string{"schema", "--schema", alone, "session/fork"}, "session/fork is not in the stable edition v1 of "+alone, "there is no "+in)
	refused(t, []string{"schema", "--schema", alone, "--stable-only", "--check", "-", "--method", "session/fork"}, "there is no "+in)
	refused(t, []string{"schema", "--schema", alone, "--check", "-", "--definition", "ForkSessionRequest"}, "there is no "+in)
	refused(t, []string{"schema", "--schema", full, "session/fork"}, `edition v1-unstable of `+full+` has no method or definition "session/fork"`)
	foldered := layout(t, map[string]string{"v1/schema.json": published(stableMethod)})
	refused(t, []string{"schema", "--schema", foldered, "session/fork"}, "there is no "+filepath.Join(foldered, "v1", "schema.unstable.json"))
}

// A directory that cannot be used is refused before an agent is started, and by the command schema in the same words.
func TestDirectoriesThatHoldNoSchemas(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const advice = "give a directory with v1/schema.json"
	spoilt := ownLayout(t)
	if err := os.WriteFile(filepath.Join(spoilt, "both", "content.json"), []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	only := func(name, text string) string { return layout(t, map[string]string{name: text}) }
	for _, c := range []struct {
		name, dir string
		flags     []string
		want      []string
	}{
		{"missing", "no/such", nil, []string{"no such file or directory", advice}},
		{"a file", file, nil, []string{"not a directory", advice}},
		{"empty", t.TempDir(), nil, []string{"there is no schema.json", advice}},
		{"no JSON", only("v1/schema.json", "{"), nil, []string{"v1/schema.json is not a JSON object"}},
		{"other JSON", only("schema.json", `{"type":"object"}`), nil, []string{"is it a schema of the Agent Client Protocol?"}},
		{"a reference that leads nowhere", only("v1/schema.json", published(strings.Replace(stableMethod, `"Target"`, `"Targets"`, 1))), nil, []string{"Target"}},
		{"not compilable", only("v1/schema.json", published(stableMethod+`, "Odd": {"pattern": "("}`)), nil, []string{"Odd"}},
		{"a broken topic", spoilt, nil, []string{"both/content.json is not a JSON object"}},
		{"another version", only("v2/schema.json", published(stableMethod)), nil, []string{"no definitions of version 1", "v1/schema.json"}},
		{"no stable edition", only("v1/schema.unstable.json", published(stableMethod)), []string{"--stable-only"}, []string{"no stable definitions of version 1", "v1/schema.json"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			flags := append([]string{"--schema", c.dir}, c.flags...)
			want := append(c.want, "acp-conform: --schema "+c.dir+": ")
			refused(t, append(flags, "./agent"), want...)
			refused(t, append([]string{"schema"}, flags...), want...)
			// Where there are files, the layout of the directory is not what is wrong.
			if s := call(t, append([]string{"schema"}, flags...)...); strings.Contains(s.stderr, advice) != slices.Contains(c.want, advice) {
				t.Errorf("the advice: %s", s.stderr)
			}
		})
	}
	refused(t, []string{"--schema", "", "./agent"}, "--schema: no directory is named")
}

func TestTheSuiteIsGivenTheSchemas(t *testing.T) {
	dir := layout(t, map[string]string{"v1/schema.json": published(stableMethod)})
	t.Chdir(filepath.Dir(dir))
	s, given := dry(t, fine(), "--schema", filepath.Base(dir), "./agent")
	if s.code != result.ExitOK || len(given) != 1 {
		t.Fatalf("exit code %d, %s", s.code, s.stderr)
	}
	cfg := given[0]
	if cfg.StableOnly || cfg.Schemas == nil || cfg.Schemas.Edition(1, true).Methods()[0].Method != "ping" {
		t.Errorf("the suite was given %+v", cfg)
	}
	want, errWant := os.Stat(dir)
	got, errGot := os.Stat(cfg.SchemaDir)
	if errWant != nil || errGot != nil || !os.SameFile(want, got) || !filepath.IsAbs(cfg.SchemaDir) {
		t.Errorf("the directory is %s, not %s", cfg.SchemaDir, dir)
	}
	contains(t, "the rerun line", cfg.Rerun([]string{"a.b"}), "--schema "+cfg.SchemaDir)
}

func TestARunByTheSchemasOfADirectory(t *testing.T) {
	dir := ownLayout(t)
	s, r := judged(t, "--schema", dir, "--stable-only", "--rules", "init,transport.utf8", "@fake")
	if s.code != result.ExitOK || r.Frames.Edition != "v1" || r.Frames.Source != dir || r.Frames.Checked == 0 || r.Frames.Invalid > 0 {
		t.Errorf("exit code %d, %+v", s.code, r.Frames)
	}
	contains(t, "the text", s.stdout, " frames compared with edition v1 of "+dir+": all valid")
	for _, o := range r.Rules {
		if o.Stability == "unstable" {
			t.Errorf("%s is unstable", o.ID)
		}
		contains(t, "a rerun line", o.Rerun, "--stable-only --schema "+dir+" @fake")
	}
}

func TestStableOnlyLeavesOutUnstableRules(t *testing.T) {
	first := slices.DeleteFunc(conformance.Rules(), func(r rule.Rule) bool { return !r.For(1) })
	unstable := slices.DeleteFunc(slices.Clone(first), func(r rule.Rule) bool { return r.Stability != rule.Unstable })
	s, _ := dry(t, fine(), "--stable-only", "./agent")
	contains(t, "the first line", s.stderr, "by "+counted(len(first)-len(unstable), "rule"))
	refused(t, []string{"--rules", "status.state.v2-shape", "./agent"}, "no rule matches", "add --protocol 2")
	for _, r := range unstable {
		refused(t, []string{"--stable-only", "--rules", r.ID, "./agent"}, "no rule matches", "leave out --stable-only")
	}
}
