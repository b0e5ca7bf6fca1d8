package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

func clock() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC) }

// pair connects a stream to an agent that writes the given bytes and then closes its output.
func pair(t *testing.T, output string) (*Stream, *[]Frame, *bytes.Buffer) {
	t.Helper()
	var frames []Frame
	var in bytes.Buffer
	tr := NewTranscript(clock, nil, func(f Frame, _ Envelope) { frames = append(frames, f) })
	return NewStream(strings.NewReader(output), nopCloser{&in}, tr, Terms{Patience: time.Second}), &frames, &in
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func TestBadFramesNeverLoseTheNextGoodOne(t *testing.T) {
	good := `{"jsonrpc":"2.0","id":1,"result":{"ok":true}}`
	for _, bad := range []string{
		"banner", "", "\ufeff", `{"a":1}{"b":2}`, `[{"jsonrpc":"2.0","id":1,"result":{}}]`, `{"jsonrpc":"2.0","id":7.5,"result":{}}`,
		`{"jsonrpc":"2.0","id":1}`, `{"jsonrpc":"2.0","id":1,"error":"no"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":1}}`,
		"{\"x\":\"\xff\"}", `{"jsonrpc":"2.0","id":99999999999999999999,"method":"a"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"a","result":{}}`, `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}`, `{`, `}`, `null`,
	} {
		t.Run(bad, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			inR, inW, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = inR.Close(); _ = inW.Close(); _ = r.Close() }()
			n := 0
			tr := NewTranscript(clock, nil, func(f Frame, _ Envelope) {
				if f.From == Agent {
					n++
				}
			})
			conn := jsonrpc2.NewConn(context.Background(), NewStream(r, inW, tr, Terms{Patience: time.Second}), jsonrpc2.HandlerWithError(
				func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error) { return nil, nil }))
			call, err := conn.DispatchCall(context.Background(), "x", nil, jsonrpc2.PickID(jsonrpc2.ID{Num: 1}))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(w, bad+"\n"+good+"\n"); err != nil {
				t.Fatal(err)
			}
			if err := call.Wait(context.Background(), nil); err != nil {
				t.Errorf("the good answer behind %q was lost: %v", bad, err)
			}
			_ = w.Close()
			<-conn.DisconnectNotify()
			if n != 2 {
				t.Errorf("%d lines were tapped, want 2", n)
			}
		})
	}
}

func TestReadKeepsRawBytesAndOrder(t *testing.T) {
	s, frames, _ := pair(t, "noise\n{\"jsonrpc\":\"2.0\",  \"method\":\"b\",\"id\":3}\r\n{\"half\":")
	var v json.RawMessage
	if err := s.ReadObject(&v); err != nil {
		t.Fatal(err)
	}
	if err := s.ReadObject(&v); !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	want := []string{"noise", "{\"jsonrpc\":\"2.0\",  \"method\":\"b\",\"id\":3}\r", "{\"half\":"}
	if len(*frames) != len(want) {
		t.Fatalf("%d frames", len(*frames))
	}
	for i, f := range *frames {
		if string(f.Line) != want[i] || f.Seq != i+1 || f.Unended != (i == 2) {
			t.Errorf("frame %d: %q, seq %d, unended %v", i, f.Line, f.Seq, f.Unended)
		}
	}
}

func TestLongLinesAreCutAndSaySo(t *testing.T) {
	l := newLineReader(strings.NewReader(strings.Repeat("x", 100_000)+"\nnext\n"), 1000, nil)
	text, dropped, err := l.next()
	if len(text) != 1000 || dropped != 99_000 || err != nil {
		t.Errorf("kept %d, dropped %d, %v", len(text), dropped, err)
	}
	if text, _, _ := l.next(); string(text) != "next" {
		t.Errorf("the next line is %q", text)
	}
}

func TestRawTapsEachLineOnceAndMarksIt(t *testing.T) {
	s, frames, in := pair(t, "")
	if err := s.Raw(true, nil, []byte("{bad"), []byte("}\nsecond\n")); err != nil {
		t.Fatal(err)
	}
	if in.String() != "{bad}\nsecond\n" {
		t.Errorf("wrote %q", in)
	}
	if len(*frames) != 2 || string((*frames)[0].Line) != "{bad}" || !(*frames)[1].Deliberate {
		t.Errorf("tapped %v", *frames)
	}
}

func TestWriteToAgentThatDoesNotRead(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	s := NewStream(strings.NewReader(""), w, NewTranscript(clock, nil), Terms{Patience: 10 * time.Millisecond})
	if err := s.Raw(true, nil, make([]byte, 1<<20)); !errors.Is(err, ErrNotReading) {
		t.Errorf("got %v", err)
	}
	if err := s.Raw(true, nil, []byte("x\n")); !errors.Is(err, ErrNotReading) {
		t.Errorf("got %v: what was half written has broken the framing", err)
	}
	_ = r.Close()
	s.stuck.Store(false)
	if err := s.Raw(true, nil, []byte("x\n")); !errors.Is(err, ErrInputClosed) {
		t.Errorf("got %v after the other end was closed", err)
	}
}

func TestTranscriptIsJSONLines(t *testing.T) {
	var b bytes.Buffer
	tr := NewTranscript(clock, &b)
	tr.Add(Frame{From: Client, Line: []byte(`{"a":1}`), Deliberate: true})
	tr.Add(Frame{From: Agent, Line: []byte("\xff")})
	tap := &StderrTap{}
	_, _ = tap.Write([]byte("before\nha"))
	tap.Bind(tr)
	_, _ = tap.Write([]byte("lf\n"))
	want := `{"seq":1,"at":"2026-01-02T03:04:05.000000006Z","from":"client","line":"{\"a\":1}","deliberate":true}
{"seq":2,"at":"2026-01-02T03:04:05.000000006Z","from":"agent","base64":"/w=="}
{"seq":3,"at":"2026-01-02T03:04:05.000000006Z","from":"agent-stderr","line":"before"}
{"seq":4,"at":"2026-01-02T03:04:05.000000006Z","from":"agent-stderr","line":"half"}
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

// patient is an output that counts for how many pieces it was given time.
type patient struct {
	bytes.Buffer
	times, writes int
}

func (p *patient) SetWriteDeadline(at time.Time) error {
	if !at.IsZero() {
		p.times++
	}
	return nil
}

func (p *patient) Close() error { return nil }

func (p *patient) Write(b []byte) (int, error) {
	p.writes++
	return p.Buffer.Write(b)
}

// An agent that reads a long line slowly does read: each piece has its own time.
func TestALongLineIsGivenTimeForEachPiece(t *testing.T) {
	out := &patient{}
	s := NewStream(strings.NewReader(""), out, NewTranscript(clock, nil), Terms{Patience: time.Second})
	line := append(bytes.Repeat([]byte("x"), 3*piece), '\n')
	if err := s.Raw(true, nil, line); err != nil || !bytes.Equal(out.Bytes(), line) {
		t.Fatalf("%v, %d bytes of %d", err, out.Len(), len(line))
	}
	if out.times != 4 || out.writes != 4 {
		t.Errorf("%d writes, for each of %d there is time", out.writes, out.times)
	}
}
