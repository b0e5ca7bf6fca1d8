package client

import (
	"context"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// inTwo is an agent that answers the first line with one line, and writes the second one when the first has been seen.
type inTwo struct {
	first, second string
	seen          chan struct{}
}

func (a inTwo) serve(_ context.Context, r io.Reader, w io.Writer) error {
	quiet := w.(interface{ Quiet(read, written int64) }).Quiet
	quiet(0, 0)
	b := make([]byte, 4<<10)
	n, err := r.Read(b)
	if err != nil {
		return nil
	}
	_, _ = io.WriteString(w, a.first+"\n")
	<-a.seen
	_, _ = io.WriteString(w, a.second+"\n")
	read, written := int64(n), int64(len(a.first)+len(a.second)+2)
	for quiet(read, written); ; quiet(read, written) {
		n, err = r.Read(b)
		read += int64(n)
		if err != nil {
			return nil
		}
	}
}

// resting has the client rest.
func resting(o *Options) { o.Rests = true }

// order collects who said what, and tells the agent when its first line has been seen.
func order(seen chan struct{}, said *[]wire.Side) func(*Options) {
	return func(o *Options) {
		o.Taps = append(o.Taps, func(f wire.Frame, _ wire.Envelope) {
			if *said = append(*said, f.From); f.From == wire.Agent && !slices.Contains((*said)[:len(*said)-1], wire.Agent) {
				close(seen)
			}
		})
	}
}

func TestWhatComesBesideAnAnswerIsReadWithIt(t *testing.T) {
	seen, said := make(chan struct{}), []wire.Side{}
	agent := inTwo{`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","method":"_beside"}`, seen}
	c := dial(t, agent.serve, resting, order(seen, &said))
	if a := c.Call("_go", nil); !a.OK() {
		t.Fatal(a)
	}
	if got := c.Since(0); len(got) != 2 {
		t.Errorf("%d lines had been read when the answer was there", len(got))
	}
}

func TestRequestsAreAnsweredWhenTheAgentRests(t *testing.T) {
	seen, said := make(chan struct{}), []wire.Side{}
	const ask = `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{}}`
	c := dial(t, inTwo{ask, ask, seen}.serve, resting, order(seen, &said))
	_ = c.Notify("_go", nil)
	if _, ok := c.AwaitAsk("fs/read_text_file", nil); !ok {
		t.Fatal("it was not asked")
	}
	c.End()
	want := []wire.Side{wire.Client, wire.Agent, wire.Agent, wire.Client, wire.Client, wire.Suite, wire.Suite}
	if !slices.Equal(said, want) {
		t.Errorf("the lines came in the order %v", said)
	}
}

func TestAgentsMayStillAnswerBeforeTheirEnd(t *testing.T) {
	var said []wire.Side
	c := dial(t, func(_ context.Context, r io.Reader, w io.Writer) error {
		_, _ = r.Read(make([]byte, 4<<10))
		time.Sleep(10 * time.Millisecond) // it takes its time
		_, err := io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{}}`+"\n")
		_, _ = io.Copy(io.Discard, r)
		return err
	}, order(make(chan struct{}), &said))
	c.Start("_slow", nil)
	c.End()
	if want := []wire.Side{wire.Client, wire.Agent, wire.Suite, wire.Suite}; !slices.Equal(said, want) {
		t.Errorf("the lines came in the order %v", said)
	}
}

func TestAgentThatHasGoneWaitsForNothing(t *testing.T) {
	c, remarks := connect(t, script{on: func(m message) []string {
		return []string{`{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{}}`, "exit"}
	}})
	c.HoldAll("session/request_permission")
	if a := c.Checked("_go", nil); a.State != Never {
		t.Error(a)
	}
	if len(*remarks) != 1 {
		t.Errorf("it is not noted that the request was not answered: %v", *remarks)
	}
	if _, ok := c.AwaitAsk("session/request_permission", nil); !ok {
		t.Error("what it asked before is forgotten")
	}
	if err := c.Raw("x"); err != nil {
		t.Error(err)
	}
	if err := c.Notify("_x", nil); err != nil {
		t.Error(err)
	}
}
