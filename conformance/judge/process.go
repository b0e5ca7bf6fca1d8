package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// The variables in which a client finds what it has to do.
const (
	AgentVariable    = "ACP_CONFORM_AGENT"    // the command line of the agent to start
	ScriptVariable   = "ACP_CONFORM_SCRIPT"   // the name of the script
	ActionsVariable  = "ACP_CONFORM_ACTIONS"  // what the user does: visit, look, peek or many
	ProtocolVariable = "ACP_CONFORM_PROTOCOL" // the only version that the agent speaks
	SessionVariable  = "ACP_CONFORM_SESSION"  // the session that the user comes back to
)

// Process plays scripts with a client that is a command: for each script it is started anew, in a process group, a HOME and a
// working directory of its own.
type Process struct {
	Command []string
	Env     []string // added to its environment
	Session string   // the session that every script has
	// Agent is the command line of the agent for a script. The agent writes what it reads and writes to files that begin with the
	// path of its transcripts and end in ".jsonl", and notes there how long the file is that its client prints to (see Printed).
	Agent   func(s Script, protocol int, transcripts, printed string) string
	Dir     string        // an existing directory for what is temporary
	Timeout time.Duration // for one script
}

// agentGrace is how long the agents of a client that has ended may take to read what it has sent, and to end.
const agentGrace = time.Second

// Play is for Config.Play.
func (p Process) Play(ctx context.Context, s Script, protocol int) (t Take, err error) {
	dir, err := os.MkdirTemp(p.Dir, "script-")
	if err != nil {
		return t, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for _, sub := range []string{"home", "work", "agent"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			return t, err
		}
	}
	transcripts := filepath.Join(dir, "agent")
	stdout, err := os.Create(filepath.Join(dir, "printed"))
	if err != nil {
		return t, err
	}
	defer func() { _ = stdout.Close() }()
	env := append(slices.Clone(p.Env), AgentVariable+"="+p.Agent(s, protocol, filepath.Join(transcripts, "connection"), stdout.Name()),
		ScriptVariable+"="+s.Name, ActionsVariable+"="+s.Actions, ProtocolVariable+"="+strconv.Itoa(protocol), SessionVariable+"="+p.Session)
	peer, err := wire.Command(p.Command)(ctx, wire.Launch{For: s.Name, Env: env, Dir: filepath.Join(dir, "work"), Home: filepath.Join(dir, "home"), Stdout: stdout})
	var not *wire.NotStarted
	if errors.As(err, &not) {
		t.Problem = notStarted(not)
		return t, nil
	} else if err != nil {
		return t, err
	}
	t.run(ctx, peer, p.Timeout, transcripts, stdout)
	if ctx.Err() != nil { // what was ended by us is held against nobody
		return Take{}, ctx.Err()
	}
	printed, err := os.ReadFile(stdout.Name())
	if err != nil {
		return t, err
	}
	t.Steps = ReadSteps(printed)
	files, _ := os.ReadDir(transcripts)
	t.Started = len(files) > 0
	t.Connections, err = readConnections(transcripts)
	return t, err
}

// run waits for the end of the client, or brings it about, and leaves nothing behind.
func (t *Take) run(ctx context.Context, peer wire.Peer, limit time.Duration, transcripts string, stdout *os.File) {
	_ = peer.Input().Close()
	exit := awaitClient(ctx, peer, limit, stdout)
	t.ExitAt = time.Now()
	if !exit.TimeLimit && !exit.Flooded {
		awaitAgents(ctx, transcripts)
	}
	end := peer.End(0)
	if c, ok := peer.Output().(io.Closer); ok {
		_ = c.Close()
	}
	exit.Code, exit.Signal, exit.Stderr = end.Exit.Code, end.Exit.Signal, lastLines(peer.Stderr())
	t.Exit = &exit
}

// notStarted says what to do about a client that could not be started.
func notStarted(e *wire.NotStarted) string {
	hint := "Check the path; everything behind the first word is passed to the client as an argument."
	if errors.Is(e.Err, os.ErrPermission) {
		hint = "The file is there but not executable: try `chmod +x`, or start it with its interpreter."
	}
	return fmt.Sprintf("%s: %v. %s", strings.Join(e.Argv, " "), e.Err, hint)
}

// printedMost is how much a client may print: one that never stops is ended like one that never ends.
const printedMost = 64 << 20

// awaitClient waits until the client has ended by itself, or says why it has to be ended.
func awaitClient(ctx context.Context, peer wire.Peer, limit time.Duration, stdout *os.File) rules.ClientExit {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-peer.Exited():
			return rules.ClientExit{}
		case <-tick.C:
			if info, err := stdout.Stat(); err == nil && info.Size() > printedMost {
				return rules.ClientExit{Flooded: true}
			}
		case <-timer.C:
			return rules.ClientExit{TimeLimit: true}
		case <-ctx.Done():
			return rules.ClientExit{TimeLimit: true}
		}
	}
}

// awaitAgents gives the agents that the client started the time to read its last lines: each says at the end of its transcript
// that it has ended.
func awaitAgents(ctx context.Context, transcripts string) {
	limit := time.NewTimer(agentGrace)
	defer limit.Stop()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !agentsEnded(transcripts) {
		select {
		case <-tick.C:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

func agentsEnded(transcripts string) bool {
	files, _ := filepath.Glob(filepath.Join(transcripts, "*.jsonl"))
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		lines := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
		f, err := wire.Decode(lines[len(lines)-1])
		if err != nil || f.From != wire.Suite {
			return false
		}
	}
	return true
}

// readConnections reads the transcripts of all agents that the client started, in the order in which they began.
func readConnections(transcripts string) ([][]wire.Frame, error) {
	files, err := filepath.Glob(filepath.Join(transcripts, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	var all [][]wire.Frame
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("a transcript of the fake agent cannot be read: %w", err)
		}
		var frames []wire.Frame
		for line := range bytes.Lines(b) {
			f, err := wire.Decode(line)
			if err != nil {
				break // cut off when the agent was ended by force
			}
			frames = append(frames, f)
		}
		if len(frames) > 0 {
			all = append(all, frames)
		}
	}
	slices.SortFunc(all, func(a, b []wire.Frame) int { return a[0].At.Compare(b[0].At) })
	return all, nil
}

const (
	shownLines = 5   // of a client's stderr
	shownBytes = 600 // of these
)

// lastLines are the last lines of a stderr.
func lastLines(b []byte) string {
	s := strings.TrimSpace(strings.ToValidUTF8(string(b), "�"))
	lines := strings.Split(s, "\n")
	s = strings.Join(lines[max(0, len(lines)-shownLines):], "\n")
	for len(s) > shownBytes || len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return s
}
