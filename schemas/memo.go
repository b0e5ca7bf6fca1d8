package schemas

import "sync"

// memo remembers the parts in which nothing was found: an agent says the same things again and again, on every connection
// of a run. It forgets everything when it is full, so that its size does not grow with the number of messages.
type memo struct {
	mu   sync.Mutex
	good map[memoKey]bool
	size int // bytes of the parts
}

// memoKey is a part and the definition that it was read by.
type memoKey struct{ def, part string }

const (
	memoParts = 8192 // parts remembered
	memoBytes = 8192 // of one part; longer ones hardly ever come twice
	memoSize  = 16 << 20
)

func (m *memo) has(def string, part []byte) bool {
	if len(part) == 0 || len(part) > memoBytes {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.good[memoKey{def, string(part)}]
}

func (m *memo) add(def string, part []byte) {
	if len(part) == 0 || len(part) > memoBytes {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.good == nil || len(m.good) >= memoParts || m.size+len(part) > memoSize {
		m.good, m.size = make(map[memoKey]bool), 0
	}
	m.size += len(part)
	m.good[memoKey{def, string(part)}] = true
}
