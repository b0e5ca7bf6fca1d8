package wire

import (
	"bytes"
	"io"
	"sync/atomic"
)

// lineReader splits on LF alone, keeps at most max bytes of a line, and knows when everything that it read has been handled.
type lineReader struct {
	r        io.Reader
	max      int
	waiting  func()
	budget   *Budget // of all that is read; nil = no limit
	buf      []byte
	start    int // unread bytes are buf[start:end]
	end      int
	received int64
	handled  atomic.Int64
	partial  atomic.Pointer[[]byte] // the beginning of a line whose end has not come
	err      error
}

const mostBuffer = 64 << 10

const keptPartial = 4 << 10 // bytes of an unended line that are shown; a longer one is no message that lacks only its end

func newLineReader(r io.Reader, max int, waiting func()) *lineReader {
	return &lineReader{r: r, max: max, waiting: waiting, buf: make([]byte, 8<<10)}
}

// next returns the next line without its LF, in memory of its own, and the bytes beyond the cap that were thrown away.
// An error comes with the last, unended line, if any.
func (l *lineReader) next() (text []byte, dropped int, err error) {
	for {
		if l.start < l.end {
			rest := l.buf[l.start:l.end]
			i := bytes.IndexByte(rest, '\n')
			part := rest
			if i >= 0 {
				part = rest[:i]
				l.start += i + 1
			} else {
				l.start = l.end
			}
			keep := min(len(part), l.max-len(text))
			text = append(text, part[:keep]...)
			dropped += len(part) - keep
			if i >= 0 {
				return text, dropped, nil
			}
		}
		if l.err != nil {
			return text, dropped, l.err
		}
		l.fill(text)
	}
}

func (l *lineReader) fill(begun []byte) {
	if len(begun) <= keptPartial {
		l.partial.Store(&begun)
	} else {
		l.partial.Store(nil)
	}
	l.handled.Store(l.received)
	if l.waiting != nil {
		l.waiting()
	}
	if l.end == len(l.buf) && l.end < mostBuffer { // much comes: as much is read at once as a pipe holds
		l.buf = make([]byte, 2*len(l.buf))
	}
	n, err := l.r.Read(l.buf)
	l.start, l.end = 0, n
	l.received += int64(n)
	l.err = err
	if n > 0 && !l.budget.take(n) {
		l.end, l.err = 0, &Crossed{LimitRecorded, "wrote more to stdout during one rule than the suite reads"}
	}
}
