package wire

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"
)

// Decode reads a frame from a line of a transcript, as Encode writes it.
func Decode(b []byte) (Frame, error) {
	var l line
	if err := json.Unmarshal(b, &l); err != nil {
		return Frame{}, fmt.Errorf("not a line of a transcript: %w", err)
	}
	at, err := time.Parse(time.RFC3339Nano, l.At)
	if err != nil {
		return Frame{}, fmt.Errorf("not a line of a transcript: %w", err)
	}
	f := Frame{Seq: l.Seq, At: at, From: l.From, Deliberate: l.Deliberate}
	switch {
	case l.Line != nil:
		f.Line = []byte(*l.Line)
	default:
		f.Line, err = base64.StdEncoding.DecodeString(l.Base64)
	}
	return f, err
}
