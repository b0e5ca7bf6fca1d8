package wire

import (
	"bytes"
	"testing"
	"time"
)

func TestAFrameIsReadAsItWasWritten(t *testing.T) {
	for _, line := range []string{`{"a":1}`, "", "\"", "\xff\x00", "é\u2028"} {
		f := Frame{Seq: 7, At: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), From: Agent, Line: []byte(line), Deliberate: true}
		got, err := Decode(Encode(f))
		if err != nil || got.Seq != f.Seq || !got.At.Equal(f.At) || got.From != f.From || !bytes.Equal(got.Line, f.Line) || !got.Deliberate {
			t.Errorf("%q: %+v, %v", line, got, err)
		}
	}
	for _, bad := range []string{"", "{", "7", `{"seq":1}`, `{"seq":1,"at":"yesterday"}`, `{"seq":1,"at":"2026-01-02T03:04:05Z","base64":"%"}`} {
		if f, err := Decode([]byte(bad)); err == nil {
			t.Errorf("%q: %+v", bad, f)
		}
	}
}
