package canary

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// entry is a line of the log. It holds no time, so that the logs of equal runs are equal but for the process ids.
type entry struct {
	Kind string `json:"kind"`
	PID  int    `json:"pid"`
}

// The kinds of entries: the start of the process, and the requests that a client that uses it makes.
const (
	kindStart      = "start"
	kindInitialize = "initialize"
	kindList       = "tools/list"
	kindCall       = "tools/call"
)

// Counts is how often each thing happened to the canaries that write to one file.
type Counts struct{ Starts, Initializes, Lists, Calls int }

// Sum is how many things happened.
func (c Counts) Sum() int { return c.Starts + c.Initializes + c.Lists + c.Calls }

// note appends an entry in one write, so that the lines of several canaries do not mix.
func note(log, kind string) error {
	line, err := json.Marshal(entry{kind, os.Getpid()})
	if err != nil {
		return err
	}
	f, err := os.OpenFile(log, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("the canary's log: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("the canary's log: %w", err)
	}
	return nil
}

// Count reads the log of canaries that may still be running. A log that does not exist counts nothing, and a last line
// that has no end is not counted yet. The error says that the file cannot be read, or that something else wrote to it.
func Count(log string) (Counts, error) {
	var c Counts
	text, err := os.ReadFile(log)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("the canary's log: %w", err)
	}
	of := map[string]*int{kindStart: &c.Starts, kindInitialize: &c.Initializes, kindList: &c.Lists, kindCall: &c.Calls}
	for {
		line, rest, whole := bytes.Cut(text, []byte{'\n'})
		if !whole {
			return c, nil
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return c, fmt.Errorf("the canary's log: %w: %.80q", err, line)
		}
		n, ok := of[e.Kind]
		if !ok {
			return c, fmt.Errorf("the canary's log: there is no kind %q", e.Kind)
		}
		*n++
		text = rest
	}
}
