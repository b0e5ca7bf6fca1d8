package wire

import "sync"

const stderrKept = 64 << 10 // bytes of stderr kept in memory

// ring keeps the last bytes written to it.
type ring struct {
	mu   sync.Mutex
	max  int
	tail []byte
}

func newRing(max int) *ring { return &ring{max: max} }

func (r *ring) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tail = append(r.tail, b...)
	if over := len(r.tail) - r.max; over > 0 {
		r.tail = append(r.tail[:0], r.tail[over:]...)
	}
	return len(b), nil
}

// Bytes is a copy of what is kept.
func (r *ring) Bytes() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]byte(nil), r.tail...)
}
