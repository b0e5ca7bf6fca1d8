package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

const (
	outputDefault = 1 << 20 // bytes of output kept where the agent names no limit
	outputMost    = 2 << 20 // bytes of output kept whatever the agent says: one answer is one line on the wire
)

// terminals runs commands for the agent. See https://agentclientprotocol.com/protocol/v1/terminals.
type terminals struct {
	dir     func(sessionID string) string
	home    string                   // a directory of the run, made when it is needed; "" = the system's for temporary files
	inside  func(path string) *Error // tells whether a command may work there; nil = everywhere
	limit   time.Duration
	most    int                 // how many an agent may leave unreleased
	crossed func(*wire.Crossed) // called when it leaves more; nil = nobody is told
	told    sync.Once
	mu      sync.Mutex
	last    int
	all     map[string]*terminal
	closed  bool
	mark    string // by which what a command leaves behind is found
	running sync.WaitGroup
}

// newTerminals takes the default working directory of a session, the wall time after which a command is killed, and how many
// terminals may be open.
func newTerminals(dir func(sessionID string) string, limit time.Duration, most int, crossed func(*wire.Crossed)) *terminals {
	return &terminals{dir: dir, limit: limit, most: most, crossed: crossed, all: map[string]*terminal{}, mark: wire.NewMark()}
}

// create starts a command and answers with the terminal's id, without waiting for anything that the command does.
func (t *terminals) create(params json.RawMessage) (any, *Error) {
	var p terminalSpec
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, badTerminal("the parameters cannot be read: %v", err)
	}
	cmd, failure := p.build(t)
	if failure != nil {
		return nil, failure
	}
	cmd.Env = append(cmd.Env, wire.Marker+"="+t.mark)
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return nil, &Error{Code: CodeInternal, Message: "this client is closing"}
	case len(t.all) >= t.most:
		t.told.Do(func() {
			if t.crossed != nil {
				t.crossed(&wire.Crossed{Limit: wire.LimitTerminals, Why: fmt.Sprintf("left %d terminals unreleased and asked for another", t.most)})
			}
		})
		return nil, &Error{Code: CodeInternal, Message: fmt.Sprintf("%d terminals are open; release one first", t.most)}
	}
	one := &terminal{cmd: cmd, kept: outputTail{limit: p.outputLimit()}, done: make(chan struct{})}
	out, err := one.start()
	if err != nil {
		return nil, &Error{Code: CodeInternal, Message: fmt.Sprintf("%q cannot be started: %v", *p.Command, err)}
	}
	t.last++
	id := "term_" + strconv.Itoa(t.last)
	t.all[id] = one
	t.running.Add(1)
	go func() {
		defer t.running.Done()
		one.run(out, t.limit)
	}()
	return map[string]string{"terminalId": id}, nil
}

// output gives what the command has written so far, and how it ended once it has.
func (t *terminals) output(params json.RawMessage) (any, *Error) {
	one, failure := t.find(params, false)
	if failure != nil {
		return nil, failure
	}
	var answer struct {
		Output     string           `json:"output"`
		Truncated  bool             `json:"truncated"`
		ExitStatus *terminalOutcome `json:"exitStatus,omitempty"`
	}
	select { // before the output is read: an answer with an exit status has all of it
	case <-one.done:
		answer.ExitStatus = &one.outcome
	default:
	}
	answer.Output, answer.Truncated = one.kept.text(answer.ExitStatus != nil)
	return answer, nil
}

// waitForExit answers when the command has ended, or with an error when nobody waits for the answer any more.
func (t *terminals) waitForExit(ctx context.Context, params json.RawMessage) (any, *Error) {
	one, failure := t.find(params, false)
	if failure != nil {
		return nil, failure
	}
	select {
	case <-one.done:
		return one.outcome, nil
	case <-ctx.Done():
		return nil, &Error{Code: CodeRequestCancelled, Message: "waiting for the command was cancelled"}
	}
}

// kill ends the command; its output and exit status can still be asked for.
func (t *terminals) kill(params json.RawMessage) (any, *Error) {
	one, failure := t.find(params, false)
	if failure != nil {
		return nil, failure
	}
	one.kill()
	return struct{}{}, nil
}

// release ends the command if it still runs, and forgets the terminal.
func (t *terminals) release(params json.RawMessage) (any, *Error) {
	one, failure := t.find(params, true)
	if failure != nil {
		return nil, failure
	}
	one.kill()
	return struct{}{}, nil
}

// close ends every command and waits until all have gone. What was not released still counts as open.
func (t *terminals) close() {
	t.mu.Lock()
	t.closed = true
	for _, one := range t.all {
		one.kill()
	}
	used := t.last > 0
	t.mu.Unlock()
	t.running.Wait()
	if used {
		wire.EndStrays(t.mark)
	}
}

// open is how many terminals the agent has not released.
func (t *terminals) open() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.all)
}

// find looks a terminal up and, with take, makes its id invalid in the same step.
func (t *terminals) find(params json.RawMessage, take bool) (*terminal, *Error) {
	var p struct {
		SessionID  *string `json:"sessionId"`
		TerminalID *string `json:"terminalId"`
	}
	switch err := json.Unmarshal(params, &p); {
	case err != nil:
		return nil, badTerminal("the parameters cannot be read: %v", err)
	case p.SessionID == nil || p.TerminalID == nil:
		return nil, badTerminal("sessionId and terminalId are required")
	}
	id := *p.TerminalID
	t.mu.Lock()
	defer t.mu.Unlock()
	one, ok := t.all[id]
	if !ok {
		data, _ := json.Marshal(map[string]string{"terminalId": id})
		return nil, &Error{Code: CodeNotFound, Message: fmt.Sprintf("there is no terminal %q", id), Data: data}
	}
	if take {
		delete(t.all, id)
	}
	return one, nil
}

func badTerminal(format string, args ...any) *Error {
	return &Error{Code: CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// terminalSpec is what terminal/create asks for. Pointers tell an absent or null member from an empty one.
type terminalSpec struct {
	SessionID *string   `json:"sessionId"`
	Command   *string   `json:"command"`
	Args      []*string `json:"args"`
	Env       []struct {
		Name  *string `json:"name"`
		Value *string `json:"value"`
	} `json:"env"`
	Cwd             *string `json:"cwd"`
	OutputByteLimit *uint64 `json:"outputByteLimit"`
}

func (s *terminalSpec) build(t *terminals) (*exec.Cmd, *Error) {
	if s.SessionID == nil || s.Command == nil || *s.Command == "" {
		return nil, badTerminal("sessionId and command are required")
	}
	var args []string
	for i, a := range s.Args {
		if a == nil {
			return nil, badTerminal("args[%d] is not a string", i)
		}
		args = append(args, *a)
	}
	env, failure := s.environment(t)
	if failure != nil {
		return nil, failure
	}
	cmd := exec.Command(*s.Command, args...)
	cmd.Env = env
	if s.Cwd == nil {
		cmd.Dir = t.dir(*s.SessionID)
		if err := unmoved(cmd.Dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, badTerminal("the directory of the session cannot be used: %v", err)
		}
	} else if cmd.Dir = *s.Cwd; !filepath.IsAbs(cmd.Dir) {
		return nil, badTerminal("the cwd %q is not absolute", cmd.Dir)
	} else if t.inside != nil {
		if failure := t.inside(cmd.Dir); failure != nil {
			return nil, failure
		}
	}
	isolateCommand(cmd)
	return cmd, nil
}

// environment is what a command gets: a few of our own variables, a home of the run, and what the agent asks for.
func (s *terminalSpec) environment(t *terminals) ([]string, *Error) {
	home := t.home
	if home == "" {
		home = os.TempDir()
	} else if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, &Error{Code: CodeInternal, Message: fmt.Sprintf("there is no home for the command: %v", err)}
	}
	env := []string{} // not nil, which would mean all of our own
	for _, name := range homeVariables {
		env = append(env, name+"="+home)
	}
	for _, name := range terminalVariables {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	for i, v := range s.Env {
		if v.Name == nil || v.Value == nil || *v.Name == "" || strings.ContainsAny(*v.Name, "=\x00") || strings.Contains(*v.Value, "\x00") {
			return nil, badTerminal("env[%d] is not a name and a value", i)
		}
		env = append(env, *v.Name+"="+*v.Value)
	}
	return env, nil
}

func (s *terminalSpec) outputLimit() int {
	if s.OutputByteLimit == nil {
		return outputDefault
	}
	return int(min(*s.OutputByteLimit, outputMost))
}
