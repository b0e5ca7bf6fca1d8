package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// beAgent is an agent of these tests: the first word says of which kind.
func beAgent(args []string) {
	switch strings.TrimPrefix(args[0], "agent:") {
	case "exits":
		fmt.Fprintln(os.Stderr, "no configuration\nnothing to do")
		os.Exit(7)
	case "silent":
		untilEOF()
	case "mute":
		_ = os.Stdout.Close()
		untilEOF()
	case "wrong-id":
		r := bufio.NewReader(os.Stdin)
		_, _ = r.ReadString('\n')
		fmt.Println(`{"jsonrpc":"2.0","id":4711,"result":{"protocolVersion":1,"agentCapabilities":{}}}`)
		_, _ = r.ReadString(0)
	case "told":
		told(args[1])
	case "client":
		beClient(args[1])
	}
}

func untilEOF() { _, _ = bufio.NewReader(os.Stdin).ReadString(0) }

// told asks the test at the other end of a socket what to do: serve, or hang whatever happens. The socket ends with the
// process, and not before.
func told(socket string) {
	c, err := net.Dial("unix", socket)
	if err != nil {
		os.Exit(9)
	}
	order, _ := bufio.NewReader(c).ReadString('\n')
	if order == "hang\n" {
		signal.Ignore(os.Interrupt, syscall.SIGTERM)
		_, _ = c.Write([]byte("hanging\n"))
		_, _ = c.Read(make([]byte, 1)) // for ever
	}
	a, err := fakeagent.New(fakeagent.Config{Salt: fmt.Sprint(os.Getpid())})
	if err == nil {
		err = a.Serve(context.Background(), os.Stdin, os.Stdout)
	}
	if err != nil {
		os.Exit(8)
	}
}

// judged runs the program in this process and reads its JSON report.
func judged(t *testing.T, args ...string) (said, result.Run) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "r.json")
	s := call(t, append([]string{"--report", "json=" + file}, args...)...)
	return s, readRun(t, file)
}

func readRun(t *testing.T, file string) result.Run {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r result.Run
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatalf("%v: %q", err, b)
	}
	return r
}

func TestAgentsThatNeverShakeHands(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		agent []string
		want  []string
	}{
		{"no such agent", []string{"./no-such-agent"}, []string{"`./no-such-agent` could not be started"}},
		{"not executable", []string{script}, []string{"not executable", "chmod +x"}},
		{"exits at once", []string{self, "agent:exits"}, []string{"status 7", "no configuration", "nothing to do"}},
		{"prints nothing", []string{self, "agent:silent"}, []string{"did not answer initialize", "wrote nothing to stdout", "stderr is empty"}},
		{"closes stdout", []string{self, "agent:mute"}, []string{"did not answer initialize"}},
		{"answers with a wrong id", []string{self, "agent:wrong-id"}, []string{"did not answer initialize", "4711"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, r := judged(t, append([]string{"--start-timeout", "1s"}, c.agent...)...)
			if s.code != result.ExitInconclusive || r.Verdict != result.Inconclusive || r.ExitCode != s.code {
				t.Errorf("exit code %d, verdict %s", s.code, r.Verdict)
			}
			text := strings.Join(strings.Fields(s.stdout), " ")
			contains(t, "the text", text, append(c.want, "INCONCLUSIVE")...)
			contains(t, "the report", strings.Join(strings.Fields(r.Problem), " "), c.want...)
		})
	}
}

func TestTheFakeIsConformant(t *testing.T) {
	s, r := judged(t, "@fake")
	if s.code != result.ExitOK || r.Verdict != result.Conformant {
		t.Errorf("exit code %d, verdict %s\n%s", s.code, r.Verdict, s.stdout)
	}
	var announced int
	_, after, _ := strings.Cut(s.stderr, "at most ")
	if _, err := fmt.Sscan(after, &announced); err != nil || r.Prompts > announced || r.Prompts == 0 {
		t.Errorf("%d prompts were sent; the first line: %s", r.Prompts, s.stderr)
	}
	if len(r.Agent.Command) != 1 || r.Agent.Command[0] != "@fake" {
		t.Errorf("the report calls the agent %q", r.Agent.Command)
	}
}

func TestTheFakeAsAnAgentOfItsOwn(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, r := judged(t, "--home", "temp", "--rules", "init", self, "fake-agent")
	if s.code != result.ExitOK || r.Verdict != result.Conformant {
		t.Errorf("exit code %d, verdict %s\n%s", s.code, r.Verdict, s.stdout)
	}
}

func TestAFaultOfTheProcessIsReal(t *testing.T) {
	s, r := judged(t, "@fake", "--fault", "exits-at-once")
	if s.code != result.ExitInconclusive || r.Survey.Handshake {
		t.Errorf("exit code %d", s.code)
	}
	contains(t, "the problem", r.Problem, "status 1", "no configuration found")
}

func TestAFaultIsFoundAndStrictCountsWarnings(t *testing.T) {
	s, r := judged(t, "--rules", "transport,jsonrpc", "@fake", "--fault", "jsonrpc-missing")
	if s.code != result.ExitFailed || r.Verdict != result.Nonconformant {
		t.Errorf("exit code %d, verdict %s", s.code, r.Verdict)
	}
	contains(t, "the text", s.stdout, "FAIL ", "rerun      acp-conform --rules ", "@fake --fault jsonrpc-missing", "https://")
}

func TestPromptsNoneSendsNone(t *testing.T) {
	s, r := judged(t, "--prompts", "none", "--rules", "transport,init", "@fake")
	if r.Prompts != 0 || s.code == result.ExitFailed {
		t.Errorf("exit code %d, %d prompts", s.code, r.Prompts)
	}
	contains(t, "the first line", s.stderr, "at most 0 prompts")
}

func TestTheFakeAgentServesItsStdin(t *testing.T) {
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}` + "\n"
	var out, errs strings.Builder
	if code := run(t.Context(), nil, []string{"fake-agent", "--without", "loadSession"}, strings.NewReader(in), &out, &errs); code != result.ExitOK {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	contains(t, "stdout", out.String(), `"protocolVersion":1`)
	if strings.Contains(out.String(), `"loadSession":true`) {
		t.Error("it advertises what it was told to leave out")
	}
}

func TestTheSelftestSaysByItsExitCodeWhetherItIsOK(t *testing.T) {
	s := call(t, "selftest", "--rules", "transport.utf8", "--format", "json")
	var rep struct {
		OK     *bool
		Faults []struct{ Name string }
		Rules  []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(s.stdout), &rep); err != nil || rep.OK == nil {
		t.Fatalf("exit code %d, %v: %s", s.code, err, s.stderr)
	}
	if want := map[bool]int{true: result.ExitOK, false: result.ExitFailed}[*rep.OK]; s.code != want {
		t.Errorf("exit code %d, ok %v", s.code, *rep.OK)
	}
}

// The reports of real runs keep to the schema of reports/, not only that of a run made up for a test.
func TestRealReportsKeepToTheSchema(t *testing.T) {
	const mostPage = 1_000_000 // bytes of a page for an ordinary run
	page := filepath.Join(t.TempDir(), "page.html")
	schema, err := jsonschema.Compile("../../reports/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"@fake"},
		{"@fake", "--fault", "cancel-ends-turn"},
		{"@fake", "--fault", "initialize-unanswered"},
		{"@fake", "--fault", "jsonrpc-missing"},
		{"--protocol", "2", "@fake", "--fault", "cancel-ends-turn"},
		{"--pure", "--prompts", "2", "@fake", "--without", "loadSession"},
		{"./no-such-agent"},
	} {
		s := call(t, append([]string{"--report", "json", "--report", "html=" + page}, args...)...)
		var v any
		if err := json.Unmarshal([]byte(s.stdout), &v); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%q: %#v", args, err)
		}
		info, err := os.Stat(page)
		if err != nil || info.Size() > mostPage {
			t.Errorf("%q: the page: %+v, %v", args, info, err)
		}
	}
}
