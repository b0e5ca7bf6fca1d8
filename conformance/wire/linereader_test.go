package wire

import (
	"bytes"
	"io"
	"testing"
)

// chunked hands out its text in pieces of n bytes.
type chunked struct {
	text []byte
	n    int
}

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.text) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.n)], c.text)
	c.text = c.text[n:]
	return n, nil
}

func linesOf(text []byte, piece, max int) (lines [][]byte, dropped int) {
	l := newLineReader(&chunked{text, piece}, max, nil)
	for {
		line, more, err := l.next()
		dropped += more
		if err == nil || len(line) > 0 {
			lines = append(lines, line)
		}
		if err != nil {
			return lines, dropped
		}
	}
}

// However the bytes arrive, they make the same lines, and no byte is lost but those that are counted.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"", "\n", "a", "a\nb", "a\r\n\nb\n", "{\"a\":1}\n{\"b\"", "\xff\n\x00\n", "\u2028\n\ufeff{}\n", "0123456789\n0123"} {
		f.Add([]byte(s), 1, 4)
		f.Add([]byte(s), 3, 1000)
	}
	f.Fuzz(func(t *testing.T, text []byte, piece, max int) {
		piece, max = 1+abs(piece)%9000, 1+abs(max)%5000
		lines, dropped := linesOf(text, piece, max)
		whole, _ := linesOf(text, len(text)+1, max)
		if !bytes.Equal(bytes.Join(lines, []byte("\n")), bytes.Join(whole, []byte("\n"))) || len(lines) != len(whole) {
			t.Errorf("%q in pieces of %d: %q, at once: %q", text, piece, lines, whole)
		}
		kept := bytes.Count(text, []byte("\n")) + dropped
		for _, line := range lines {
			kept += len(line)
			if len(line) > max || bytes.ContainsRune(line, '\n') {
				t.Errorf("%q is longer than %d or holds a line feed", line, max)
			}
		}
		if kept != len(text) {
			t.Errorf("%q: %d bytes are accounted for, of %d", text, kept, len(text))
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return max(-n, 0) // the smallest integer has no positive twin
	}
	return n
}
