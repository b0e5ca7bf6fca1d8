//go:build unix

package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// When the context ends, the agents end, the commands that run for them as well, and what is temporary goes: whoever is told so
// need not wait for the rules.
func TestNothingOutlivesAnInterrupt(t *testing.T) {
	temp := t.TempDir()
	fifo := filepath.Join(t.TempDir(), "pid")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told, got := make(chan string, 1), make(chan string, 1)
	var pid int
	holds := acting("a.holds", func(c *rule.Case) {
		c.NewSession().Prompt(client.Text(fifo), true)
		text, err := os.ReadFile(fifo) // until the command has written its id
		if pid, _ = strconv.Atoi(strings.TrimSpace(string(text))); err != nil || pid == 0 {
			t.Errorf("%q, %v", text, err)
		}
		cancel()
		got <- <-told // the rule is slower than whoever wants to be gone
		c.Expect(1).To(Equal(1))
	})
	r, err := Run(ctx, Config{Launch: wire.InProcess(runsCommands), Rules: []rule.Rule{holds}, MaxPrompts: -1, TempDir: temp, AgentsEnded: func() {
		left, _ := os.ReadDir(temp)
		told <- fmt.Sprintf("command runs: %v, temporary: %v", syscall.Kill(pid, 0) == nil, left)
	}})
	if err != nil || r.Verdict != result.Interrupted {
		t.Errorf("%s, %v", r.Verdict, err)
	}
	if s := <-got; s != "command runs: false, temporary: []" {
		t.Error(s)
	}
}

// runsCommands is an agent that does not end a turn whose prompt is a path, but has the client run a command that writes its process
// id there.
func runsCommands(_ context.Context, r io.Reader, w io.Writer) error {
	for in := bufio.NewReader(r); ; {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Prompt []struct{ Text string } }
		}
		_ = json.Unmarshal(line, &m)
		answer, ok := correct[m.Method]
		switch {
		case m.Method == "" || m.ID == nil:
			continue
		case len(m.Params.Prompt) > 0 && strings.HasPrefix(m.Params.Prompt[0].Text, "/"):
			command := fmt.Sprintf("echo $$ > %s; exec sleep 1000", m.Params.Prompt[0].Text)
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":"t","method":"terminal/create","params":{"sessionId":"s","command":"/bin/sh","args":["-c",%q]}}`+"\n", command)
			continue
		case !ok:
			answer = `"error":{"code":-32601,"message":"no such method"}`
		}
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, answer)
	}
}

// A folder of --keep that goes away during the run costs transcripts, and no verdict.
func TestTheFolderForTranscriptsGoes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	removes := acting("a.removes", func(c *rule.Case) {
		c.Expect(os.RemoveAll(dir)).To(Succeed())
	})
	r := runRules(t, correct, func(c *Config) { c.Keep, c.Jobs = dir, 1 }, removes, acting("b.passes", passes))
	if got := verdicts(r); got != "a.removes=pass b.passes=pass" || !strings.Contains(r.TranscriptProblem, "b.passes-1.jsonl") {
		t.Errorf("%s, %q", got, r.TranscriptProblem)
	}
}

// An agent that is being started when the run is interrupted is ended as well, and no other one is started any more.
func TestAnAgentThatIsBeingStartedAtAnInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan string, 1)
	var started []wire.Peer
	launch := func(_ context.Context, l wire.Launch) (wire.Peer, error) {
		if l.For != surveyName {
			cancel()
		}
		p, err := wire.InProcess(correct.serve)(context.WithoutCancel(ctx), l)
		started = append(started, p)
		return p, err
	}
	again := acting("a.again", func(c *rule.Case) {
		c.Client()
		for range 3 {
			c.Connect()
		}
		c.Expect(1).To(Equal(1))
	})
	_, err := Run(ctx, Config{Launch: launch, Rules: []rule.Rule{again}, MaxPrompts: -1, AgentsEnded: func() {
		alive := 0
		for _, p := range started {
			select {
			case <-p.Exited():
			default:
				alive++
			}
		}
		ended <- fmt.Sprintf("%d started, %d alive", len(started), alive)
	}})
	if got := <-ended; err != nil || got != "2 started, 0 alive" {
		t.Errorf("%s, %v", got, err)
	}
}
