package schemas

import "sync"

// memo remembers the parts in which nothing was found: an agent says the same things again and again, on every connection
// of a run. It forgets everything when it is full.
type memo struct {
	mu   sync.Mutex
	good map[string]bool
}

const (
	memoParts = 8192 // parts remembered
	memoBytes = 2048 // of one part; longer ones hardly ever come twice
)

// memos are one memo for each kind of question; a memo is an optimisation, so two programs that share one see no difference.
type memos struct{ valid, known memo }

var remembered memos

func memoKey(d Definition, part []byte) string {
	return d.Edition + "\x00" + d.Name + "\x00" + string(part)
}

func (m *memo) has(d Definition, part []byte) bool {
	if len(part) == 0 || len(part) > memoBytes {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.good[memoKey(d, part)]
}

func (m *memo) add(d Definition, part []byte) {
	if len(part) == 0 || len(part) > memoBytes {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.good == nil || len(m.good) >= memoParts {
		m.good = make(map[string]bool)
	}
	m.good[memoKey(d, part)] = true
}
