package fuzz

import (
	"encoding/json"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// line is a line of the agent.
type line struct {
	wire.Envelope
	n    int    // how many lines came before
	size int    // what it costs to keep it
	key  string // see keyOf
	// stub: all that is kept of it is that it is a response, and to which id.
	stub bool
	// unread: it was too long or too deep to be taken apart, so that nothing is known of it.
	unread  bool
	unended bool // the agent's output ended in it
}

// lines are the lines of one agent: the newest ones, and of older ones what tells which requests have been answered.
type lines struct {
	most    int // bytes that are kept
	kept    []*line
	stubs   []*line
	bytes   int
	stubbed int // bytes of the stubs
	count   int // all that came
	judged  int // how many of them have been judged
	// responses are those that are kept, by their keys.
	responses map[string][]*line
	// forgot: nothing is known of some that were not judged, so that nobody can say of a request that it was not answered. lost: nothing
	// is left of them, which are responses, because there were so many.
	forgot, lost bool
}

const (
	mostKept = 8 << 20 // bytes of one agent's lines that are kept
	overhead = 512     // bytes that a line costs beside its text
	stubPart = 4       // stubs may take that part of what lines may
	mostSame = 8       // as many of the first and of the last responses with one id are found again
)

func newLines(most int) lines {
	return lines{most: most, responses: map[string][]*line{}}
}

// add keeps a line, and drops the oldest ones if they are too many. The newest is always kept.
func (a *lines) add(l *line, length int) {
	l.n, l.size = a.count, length+overhead
	a.count++
	a.kept = append(a.kept, l)
	a.bytes += l.size
	if l.unread {
		a.forgot = true // it may have been an answer
	}
	if l.Kind == wire.Response {
		a.file(l)
	}
	for a.bytes > a.most && len(a.kept) > 1 {
		a.drop()
	}
}

// file has a response found by its key.
func (a *lines) file(l *line) {
	same := append(a.responses[l.key], l)
	if len(same) > 2*mostSame {
		same = slices.Delete(same, mostSame, mostSame+1)
	}
	a.responses[l.key] = same
}

// drop forgets the oldest line. Of a response that has not been judged it is kept which request it answers.
func (a *lines) drop() {
	l := a.kept[0]
	a.kept[0] = nil
	a.kept = a.kept[1:]
	a.bytes -= l.size
	if l.Kind != wire.Response {
		return
	}
	cost := len(l.key) + len(l.ID) + overhead
	if l.n >= a.judged && (a.stubbed+cost)*stubPart <= a.most {
		stub := l.stubbed()
		if i := slices.Index(a.responses[l.key], l); i >= 0 {
			a.responses[l.key][i] = stub
		}
		a.stubs = append(a.stubs, stub)
		a.stubbed += cost
		return
	}
	if l.n >= a.judged {
		a.forgot, a.lost = true, true
	}
	a.lose(l)
}

// lose has a response found no longer.
func (a *lines) lose(l *line) {
	same := slices.DeleteFunc(a.responses[l.key], func(o *line) bool { return o == l })
	if a.responses[l.key] = same; len(same) == 0 {
		delete(a.responses, l.key)
	}
}

// stubbed is what is kept of a response that is dropped.
func (l *line) stubbed() *line {
	stub := &line{n: l.n, key: l.key, stub: true}
	stub.Kind, stub.ID = l.Kind, slices.Clone(l.ID)
	if l.Error != nil {
		stub.Error = json.RawMessage("{}")
	}
	return stub
}

// answer is the first response with a key among the lines from one on, nil if there is none.
func (a *lines) answer(key string, from int) *line {
	for _, l := range a.responses[key] {
		if l.n >= from {
			return l
		}
	}
	return nil
}

// take gives what has not been judged yet, oldest first, and whether a part of it is forgotten.
func (a *lines) take() (all []line, forgot bool) {
	for _, l := range slices.Concat(a.stubs, a.kept) {
		if l.n >= a.judged {
			all = append(all, *l)
		}
	}
	for _, l := range a.stubs {
		a.lose(l)
	}
	forgot = a.forgot
	a.stubs, a.stubbed, a.judged, a.forgot = nil, 0, a.count, false
	return all, forgot
}
