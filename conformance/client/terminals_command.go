package client

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// outputPatience is how long the output of a command that has exited is waited for. Its group is dead by then, so that only
// a process that left the group can hold the output any longer.
const outputPatience = 200 * time.Millisecond

// terminal is one command, from its start to its end.
type terminal struct {
	cmd     *exec.Cmd
	kept    outputTail
	done    chan struct{} // closed when the command has exited and its output is complete
	outcome terminalOutcome

	mu   sync.Mutex
	gone bool // the process is reaped: its number may belong to somebody else by now
}

// terminalOutcome is how a command ended: one of the two is null.
type terminalOutcome struct {
	ExitCode *uint32 `json:"exitCode"`
	Signal   *string `json:"signal"`
}

// start starts the command and gives the reading end of its output.
func (t *terminal) start() (*os.File, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	t.cmd.Stdout, t.cmd.Stderr = in, in
	err = t.cmd.Start()
	_ = in.Close()
	if err != nil {
		_ = out.Close()
		var named *exec.Error // names the command once more
		if errors.As(err, &named) {
			err = named.Err
		}
		return nil, err
	}
	return out, nil
}

// run sees the command to its end. What the command leaves behind in its group ends with it: at this moment the group's
// number is still its own, and nothing that an agent started may outlive the run.
func (t *terminal) run(out *os.File, limit time.Duration) {
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(&t.kept, out)
		_ = out.Close()
	}()
	timeout := time.AfterFunc(limit, t.kill)
	_ = t.cmd.Wait() // what it says is in the state
	timeout.Stop()
	t.mu.Lock()
	killCommand(t.cmd)
	t.gone = true
	t.mu.Unlock()
	patience := time.NewTimer(outputPatience)
	defer patience.Stop()
	select {
	case <-drained:
	case <-patience.C:
		if out.SetReadDeadline(time.Now()) == nil { // a system whose pipes have no deadlines keeps the reader
			<-drained
		}
	}
	t.outcome = outcomeOf(t.cmd.ProcessState)
	close(t.done)
}

func (t *terminal) kill() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.gone {
		killCommand(t.cmd)
	}
}

func outcomeOf(st *os.ProcessState) terminalOutcome {
	if st == nil {
		return terminalOutcome{}
	}
	if signal := exitSignal(st); signal != "" {
		return terminalOutcome{Signal: &signal}
	}
	code := uint32(st.ExitCode())
	return terminalOutcome{ExitCode: &code}
}

// outputTail keeps the last bytes of an output.
type outputTail struct {
	limit int // bytes

	mu   sync.Mutex
	kept []byte
	cut  bool // something before kept has been dropped
}

// Write never fails: a command whose output is not read would stop.
func (o *outputTail) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept = append(o.kept, b...)
	if len(o.kept) > 2*o.limit { // not at each write: moving the tail costs its length
		o.trim()
	}
	return len(b), nil
}

func (o *outputTail) trim() {
	if over := len(o.kept) - o.limit; over > 0 {
		o.kept = append(o.kept[:0], o.kept[over:]...)
		o.cut = true
	}
}

// text is what is kept, as valid UTF-8 of at most limit bytes that begins at a character boundary. Before the output is
// complete a character of which only the beginning has arrived is left for later.
func (o *outputTail) text(complete bool) (s string, truncated bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.trim()
	b := o.kept
	for i := 0; o.cut && i < utf8.UTFMax-1 && len(b) > 0 && !utf8.RuneStart(b[0]); i++ {
		b = b[1:]
	}
	if !complete {
		b = b[:len(b)-unfinished(b)]
	}
	// Bytes that are no text take more room once they are replaced, so the limit is applied again.
	s = strings.ToValidUTF8(string(b), "\uFFFD")
	truncated = o.cut || len(s) > o.limit
	for s = s[max(0, len(s)-o.limit):]; len(s) > 0 && !utf8.RuneStart(s[0]); {
		s = s[1:]
	}
	return s, truncated
}

// unfinished is the length of a character at the end of b that has not arrived as a whole.
func unfinished(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
