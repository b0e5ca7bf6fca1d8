package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/judge"
	"github.com/acp-conform/acp-conform/conformance/result"
)

// beClient is a client of these tests that shakes hands and comes to an end of a kind.
func beClient(kind string) {
	argv, err := splitWords(os.Getenv(judge.AgentVariable))
	if err != nil {
		os.Exit(9)
	}
	agent := exec.Command(argv[0], argv[1:]...)
	in, _ := agent.StdinPipe()
	out, _ := agent.StdoutPipe()
	if agent.Start() != nil {
		os.Exit(9)
	}
	lines := bufio.NewReader(out)
	call := func(id int, method, params string) string {
		_, _ = fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
		answer, _ := lines.ReadString('\n')
		return answer
	}
	if kind != "is mute" {
		hello := call(1, "initialize", `{"protocolVersion":`+os.Getenv(judge.ProtocolVariable)+`,"clientCapabilities":{},"capabilities":{},"info":{"name":"c","version":"1"}}`)
		endLike(kind, func(method string) bool {
			return (method == "session/list" || strings.Contains(hello, `"status":{`)) && call(2, method, `{"sessionId":"`+os.Getenv(judge.SessionVariable)+`"}`) != ""
		})
	}
	_ = in.Close()
	if kind == "is mute" {
		time.Sleep(time.Hour)
	}
	_ = agent.Wait()
}

// endLike is what such a client does after the handshake; does sends a request if the agent allows it.
func endLike(kind string, does func(method string) bool) {
	switch kind {
	case "hangs":
		time.Sleep(time.Hour)
	case "floods":
		for {
			_, _ = io.WriteString(os.Stdout, strings.Repeat("x", 1<<20)+"\n")
		}
	case "dies":
		fmt.Fprintln(os.Stderr, "segmentation fault")
		os.Exit(70)
	case "dies of status":
		does("session/list")
		if does("session/status") {
			os.Exit(70)
		}
	}
}

// What is said of a client that came to no good end is true, and it is not called conformant.
func TestClientsThatEndBadly(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind    string
		timeout string
		verdict result.RunVerdict
		code    int
		want    []string
		never   string // what would be untrue
	}{
		{"is mute", "1s", result.Inconclusive, result.ExitInconclusive, []string{"started the agent, and did not send initialize", "did not end within its time"}, "did not start"},
		{"hangs", "2s", result.Inconclusive, result.ExitInconclusive, []string{"agreed on version 1", "did nothing after that", "did not end within its time"}, "none was agreed"},
		{"dies", "20s", result.Inconclusive, result.ExitInconclusive, []string{"agreed on version 1", "did nothing after that", "code 70", "segmentation fault"}, "none was agreed"},
		{"floods", "20s", result.Inconclusive, result.ExitInconclusive, []string{"agreed on version 1", "printed to its stdout without an end"}, "within its time"},
		{"dies of status", "20s", result.Nonconformant, result.ExitFailed, []string{"FAIL status.client.unknown-value-no-crash", "code 70", "where nothing is odd, too"}, "CONFORMANT: "},
	} {
		t.Run(c.kind, func(t *testing.T) {
			t.Parallel()
			s, r := judgedClient(t, "--protocol", "1", "--timeout", c.timeout, self, "agent:client", c.kind)
			if s.code != c.code || r.Verdict != c.verdict {
				t.Errorf("exit code %d, verdict %s: %s", s.code, r.Verdict, r.ExitReason)
			}
			text := strings.Join(strings.Fields(s.stdout), " ")
			contains(t, "the text", text, c.want...)
			if strings.Contains(strings.ReplaceAll(text, "NONCONFORMANT", ""), c.never) {
				t.Errorf("the text says %q:\n%s", c.never, s.stdout)
			}
		})
	}
}

// A client that never asks is called incomplete, which --strict counts.
func TestClientThatShowsTooLittle(t *testing.T) {
	for _, c := range []struct {
		flag string
		code int
	}{{"--strict", result.ExitFailed}, {"--verbose", result.ExitOK}} {
		s, r := judgedClient(t, c.flag, "--protocol", "1", "--rules", "status.client.gate,status.client.marker-sibling-isolation", "@reference", "--variant", "client-never-asks")
		if s.code != c.code || r.Verdict != result.Incomplete || strings.Contains(r.ExitReason, "agent") {
			t.Errorf("%s: exit code %d, verdict %s: %s", c.flag, s.code, r.Verdict, r.ExitReason)
		}
	}
}

func TestClientThatCannotBeStarted(t *testing.T) {
	s, r := judgedClient(t, "./no-such-driver")
	if s.code != result.ExitInconclusive || r.ExitReason != "the client could not be started" {
		t.Errorf("exit code %d: %s", s.code, r.ExitReason)
	}
	contains(t, "the text", s.stdout, "./no-such-driver: no such file or directory. Check the path", "exit code 3: the client could not be started")
}

// Of scripts that were not selected nothing is said but that.
func TestClientScriptsThatAreSelected(t *testing.T) {
	s, r := judgedClient(t, "--script", "unknown", "--rules", "status.client.gate", "@reference")
	if s.code != result.ExitInconclusive || r.Rules[0].Owed || !strings.Contains(r.Rules[0].Reason, "not selected") {
		t.Errorf("exit code %d, owed %v: %s", s.code, r.Rules[0].Owed, r.Rules[0].Reason)
	}
	s, r = judgedClient(t, "--script", "value-empty,plain", "@reference", "--fault", "client-dies-of-words")
	if ids := fell(r); s.code != result.ExitFailed || len(ids) != 1 || !strings.Contains(r.Rules[4].Rerun, "--script value-empty,plain") {
		t.Errorf("exit code %d: %v, %s", s.code, ids, r.Rules[4].Rerun)
	}
	contains(t, "the first line", s.stderr, "in up to 2 scripts")
	for _, o := range r.Rules {
		if o.Verdict == result.NotObserved && o.Owed && o.ID != "status.client.unknown-value" {
			t.Errorf("%s is owed: %s", o.ID, o.Reason)
		}
	}
}

// A command line in which flags rule each other out, or name what belongs to the other side, says what to write.
func TestClientCommandLinesThatMakeNoSense(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"client", "--list", "--report", "json"}, []string{"--list", "--report", "leave out one"}},
		{[]string{"client", "--list", "./driver"}, []string{"--list", "./driver", "leave out one"}},
		{[]string{"client", "--jobs", "0", "x"}, []string{"--jobs 0", "positive number", "leave out the flag"}},
		{[]string{"client", "--timeout", "0", "x"}, []string{"--timeout 0s", "positive time such as 30s"}},
		{[]string{"client", "--script", "stray-state", "--protocol", "2", "x"}, []string{"--script stray-state", "--protocol 1"}},
		{[]string{"client", "--rules", "status.client.v1-ignores-state", "--protocol", "2", "x"}, []string{"leave out --protocol 2"}},
		{[]string{"--jobs", "0", "x"}, []string{"--jobs 0", "positive number", "leave out the flag"}},
		{[]string{"--timeout", "0", "x"}, []string{"--timeout 0s", "positive time such as 30s"}},
		{[]string{"--start-timeout", "0s", "x"}, []string{"--start-timeout 0s", "positive time"}},
		{[]string{"selftest", "--jobs", "0"}, []string{"--jobs 0", "positive number"}},
		{[]string{"--rules", "status.client.*", "@fake"}, []string{"about clients", "`acp-conform client --rules 'status.client.*' ./driver`"}},
		{[]string{"--rules", "transport,!status.client.gate", "@fake"}, []string{"acp-conform client --rules status.client.gate ./driver"}},
		{[]string{"client", "--rules", "transport", "x"}, []string{"about agents", "`acp-conform --rules transport ./my-agent`"}},
		{[]string{"@fake", "--variant", "client-loads"}, []string{"`acp-conform client @reference --variant client-loads`"}},
		{[]string{"fake-agent", "--fault", "client-dies-of-words"}, []string{"`acp-conform client @reference --fault client-dies-of-words`"}},
		{[]string{"client", "@reference", "--fault", faultNames(false)[0]}, []string{"`acp-conform @fake --fault " + faultNames(false)[0] + "`"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) { refused(t, c.args, c.want...) })
	}
}

// The lists say of each name how it is tried: the command behind it is one that works.
func TestClientNamesAreToldApart(t *testing.T) {
	for _, args := range [][]string{{"faults"}, {"faults", "--variants"}} {
		kind := map[int]string{1: "fault", 2: "variant"}[len(args)]
		agents, clients, _ := strings.Cut(call(t, args...).stdout, "`acp-conform @fake --"+kind+" NAME` judges the fake agent with one")
		if strings.Contains(agents, " client-loads ") || strings.Contains(agents, " client-dies-of-words ") {
			t.Errorf("%q: what is the reference client's stands with what is the fake agent's", args)
		}
		contains(t, "the second part", clients, "  client-", "`acp-conform client @reference --"+kind+" NAME` judges the reference client with one")
	}
	contains(t, "an area", call(t, "explain", "status").stdout, "`acp-conform client --rules status ./driver` a client")
	contains(t, "a rule", call(t, "explain", "status.client.gate").stdout, "owed")
	if s := call(t, "explain", "transport").stdout; strings.Contains(s, "client --rules") {
		t.Errorf("an area without clients:\n%s", s)
	}
}
