package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/redact"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// processID stands for the process id in the name of a transcript, so that several agents can have one each.
const processID = "%p"

// agentTranscript is where a fake agent writes down what it reads and writes.
type agentTranscript struct {
	*wire.Transcript
	file *os.File
}

// openTranscript begins a new transcript, which the agent then writes.
func openTranscript(path, printed string, secrets *redact.Redactor, cfg *fakeagent.Config) (*agentTranscript, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Create(strings.ReplaceAll(path, processID, strconv.Itoa(os.Getpid())))
	if err != nil {
		return nil, fmt.Errorf("--transcript %s: %w; name a file in a folder that exists and that you may write to", path, cause(err))
	}
	t := &agentTranscript{wire.NewTranscript(time.Now, file), file}
	if secrets != nil {
		t.Redact(secrets.Lines)
	}
	known := int64(0)
	cfg.OnLine = func(dir fakeagent.Direction, line []byte) {
		from := wire.Agent
		if dir == fakeagent.FromClient {
			from = wire.Client
		}
		if info, err := os.Stat(printed); err == nil && info.Size() > known {
			known = info.Size()
			t.Add(wire.Frame{From: wire.Suite, Line: fmt.Appendf(nil, `{"printed":%d}`, known)})
		}
		t.Add(wire.Frame{From: from, Line: bytes.Clone(line)})
	}
	return t, nil
}

// end says that nothing more will come.
func (t *agentTranscript) end() error {
	if t == nil {
		return nil
	}
	t.Add(wire.Frame{From: wire.Suite, Line: []byte(`{"ended":"the agent has ended"}`)})
	if err := t.Err(); err != nil {
		_ = t.file.Close()
		return err
	}
	return t.file.Close()
}
