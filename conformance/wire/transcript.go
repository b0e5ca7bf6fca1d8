package wire

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"sync"
	"time"
	"unicode/utf8"
)

// Transcript numbers the frames of one connection, shows each to its taps and writes them down as JSON Lines.
type Transcript struct {
	now  func() time.Time
	mu   sync.Mutex
	seq  int
	out  io.Writer
	err  error
	taps []Tap
	// redact makes what changes the lines of a side before they are written down; nil = nothing.
	redact  func() func([]byte) []byte
	changes map[Side]func([]byte) []byte
}

// Redact has lines changed before they are written down; taps see them as they are. What changes the lines of a side is made for it,
// since a secret may have several lines. nil changes nothing. Call it before the first Add.
func (t *Transcript) Redact(change func() func([]byte) []byte) {
	t.redact, t.changes = change, map[Side]func([]byte) []byte{}
}

// NewTranscript starts a transcript. The clock now gives the time of each frame; out, if not nil, receives one JSON object a line.
func NewTranscript(now func() time.Time, out io.Writer, taps ...Tap) *Transcript {
	return &Transcript{now: now, out: out, taps: taps}
}

// Err is the first failure to write the transcript down, or nil.
func (t *Transcript) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// Add numbers a frame, shows it to the taps and writes it down. Frames of all sides pass here one at a time, so their numbers
// are the order in which they crossed: ours when they are about to be written, the agent's when they have been read.
func (t *Transcript) Add(f Frame) Frame {
	env := Envelope{}
	if f.From == Client || f.From == Agent {
		env = Inspect(f.Line)
	}
	return t.add(f, env)
}

func (t *Transcript) add(f Frame, env Envelope) Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seq++
	f.Seq, f.At = t.seq, t.now()
	for _, tap := range t.taps {
		tap(f, env)
	}
	t.write(f)
	return f
}

// Write writes down a frame of another transcript as it is, with its number and time. No tap sees it.
func (t *Transcript) Write(f Frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.write(f)
}

func (t *Transcript) write(f Frame) {
	if t.out == nil || t.err != nil {
		return
	}
	if t.redact != nil {
		if t.changes[f.From] == nil {
			t.changes[f.From] = t.redact()
		}
		f.Line = t.changes[f.From](f.Line)
	}
	_, t.err = t.out.Write(append(Encode(f), '\n'))
}

// line is a frame as it stands in a transcript.
type line struct {
	Seq        int     `json:"seq"`
	At         string  `json:"at"`
	From       Side    `json:"from"`
	Line       *string `json:"line,omitempty"`
	Base64     string  `json:"base64,omitempty"`
	Deliberate bool    `json:"deliberate,omitempty"`
}

// Encode gives a frame as one line of a transcript, without a line end.
func Encode(f Frame) []byte {
	l := line{Seq: f.Seq, At: f.At.UTC().Format(time.RFC3339Nano), From: f.From, Deliberate: f.Deliberate}
	if utf8.Valid(f.Line) {
		s := string(f.Line)
		l.Line = &s
	} else {
		l.Base64 = base64.StdEncoding.EncodeToString(f.Line)
	}
	b, err := json.Marshal(l)
	if err != nil { // strings and integers always encode
		panic(err)
	}
	return b
}
