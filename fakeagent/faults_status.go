package fakeagent

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// statusFaults are about session/status and about what it tells of.
func statusFaults() []Fault {
	return bothVersions(slices.Concat(statusMarkerFaults(), statusWordFaults(), statusWireFaults(), statusUnknownFaults(), lazyFaults(),
		statusParamFaults(), statusStoredFaults(), statusChangeFaults(), statusTalkFaults(), statusTurnFaults(), statusLifeFaults(),
		statusCacheFaults(), residencyFaults(), lifecycleFaults(), statusStateFaults(), statusSharingFaults()))
}

// idSet is what a fault or variant remembers of the sessions that it saw.
type idSet struct {
	mu   sync.Mutex
	seen map[string]int
}

// add counts an id and returns how often it was there before.
func (s *idSet) add(id string) (before int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		s.seen = map[string]int{}
	}
	s.seen[id]++
	return s.seen[id] - 1
}

func (s *idSet) has(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[id] > 0
}

func (s *idSet) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = nil
}

func askedFor(r *Request) string { return text(r.Params, "sessionId") }

func statusAnswer(result any) func(*Behaviour) {
	return func(b *Behaviour) { b.StatusResult = func(*Conn, *Session, string) any { return result } }
}

// onStatusResult changes the result about a known session.
func onStatusResult(change func(Object) Object) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.StatusResult
		b.StatusResult = func(c *Conn, s *Session, word string) any {
			result, _ := before(c, s, word).(Object)
			return change(result)
		}
	}
}

// wording replaces the word for a session.
func wording(choose func(c *Conn, s *Session, word string) string) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.StatusWord
		b.StatusWord = func(c *Conn, s *Session) string { return choose(c, s, before(c, s)) }
	}
}

// inactiveIf says inactive of the sessions for which wrong holds.
func inactiveIf(wrong func(c *Conn, s *Session) bool) func(*Behaviour) {
	return wording(func(c *Conn, s *Session, word string) string {
		if _, inactive := c.b.StatusWords(c.a); wrong(c, s) {
			return inactive
		}
		return word
	})
}

// activeIf says active of the sessions for which wrong holds.
func activeIf(wrong func(c *Conn, s *Session) bool) func(*Behaviour) {
	return wording(func(c *Conn, s *Session, word string) string {
		if active, _ := c.b.StatusWords(c.a); wrong(c, s) {
			return active
		}
		return word
	})
}

func (a *Agent) turnsOf(s *Session) (turns int) {
	a.update(func() { turns = s.Turns })
	return turns
}

func busy(c *Conn, s *Session) bool { return c.turnOf(s) != nil }

func everySession(*Conn, *Session) bool { return true }

// statusWordFaults are wrong answers about sessions that are known.
func statusWordFaults() []Fault {
	return []Fault{
		{Name: "status-null-result", Description: "answers session/status with null", Break: statusAnswer(null())},
		{Name: "status-empty-result", Description: "answers session/status with an empty object", Break: statusAnswer(Object{})},
		{Name: "status-bare-word", Description: "answers session/status with a string in place of an object", Break: func(b *Behaviour) {
			b.StatusResult = func(_ *Conn, _ *Session, word string) any { return word }
		}},
		{Name: "status-number", Description: "writes the status of a session as a number", Break: statusAnswer(Object{"status": 1})},
		{Name: "status-null-word", Description: "writes the status of a session as null", Break: statusAnswer(Object{"status": nil})},
		{Name: "status-empty-word", Description: "writes the status of a session as an empty string", Break: statusAnswer(Object{"status": ""})},
		{Name: "status-uppercase", Description: "writes the status of a session in capitals",
			Break: wording(func(_ *Conn, _ *Session, word string) string { return strings.ToUpper(word) })},
		{Name: "status-busy-word", Description: "calls a session in which a turn runs busy", Break: wording(func(c *Conn, s *Session, word string) string {
			if busy(c, s) {
				return "busy"
			}
			return word
		})},
		{Name: "status-suspended-word", Description: "calls a session suspended that is not in memory", Break: wording(func(c *Conn, s *Session, word string) string {
			if !c.a.isActive(s) {
				return "suspended"
			}
			return word
		})},
		{Name: "status-switches-vocabulary", Description: "takes the word for a session in memory from one vocabulary and the other word from the other",
			Break: func(b *Behaviour) {
				before := b.StatusWords
				b.StatusWords = func(a *Agent) (string, string) {
					active, inactive := before(a)
					for _, words := range statusVocabularies {
						if words[0] != active {
							inactive = words[1]
						}
					}
					return active, inactive
				}
			}},
		{Name: "status-v1-state", Description: "reports a foreground state in version 1", Protocols: []int{1},
			Break: onStatusResult(setMember("state", Object{"state": "idle"}))},
		{Name: "status-v1-state-null", Description: "reports null as foreground state in version 1", Protocols: []int{1},
			Break: onStatusResult(setMember("state", nil))},
		{Name: "status-future-members", Description: "writes members of its own beside the status of a session",
			Break: onStatusResult(func(result Object) Object { return with(with(result, "position", 7), "future", Object{"since": nil}) })},
		{Name: "status-always-active", Description: "calls every session active that it knows", Break: activeIf(everySession)},
		{Name: "status-always-inactive", Description: "calls every session inactive that it knows", Break: inactiveIf(everySession)},
		{Name: "status-inactive-in-turn", Description: "calls a session inactive while a turn runs in it", Break: inactiveIf(busy)},
		{Name: "status-inactive-after-new", Description: "calls a session inactive until its first turn",
			Break: inactiveIf(func(c *Conn, s *Session) bool { return c.a.turnsOf(s) == 0 })},
		{Name: "status-inactive-at-first", Description: "calls every session inactive when it is asked about it for the first time", Break: func(b *Behaviour) {
			var asked idSet
			inactiveIf(func(_ *Conn, s *Session) bool { return asked.add(s.ID) == 0 })(b)
		}},
		{Name: "status-unknown-after-new", Description: "does not know a session until its first turn",
			Break: knowing(func(c *Conn, s *Session) bool { return c.a.turnsOf(s) > 0 })},
		{Name: "status-forgets-at-restart", Description: "knows of the sessions that are not in memory only those that it closed itself since it was started", Break: func(b *Behaviour) {
			closed := noted(&b.Close, &b.Close2)
			knowing(func(c *Conn, s *Session) bool { return c.a.isActive(s) || closed.has(s.ID) })(b)
		}},
		{Name: "status-knows-memory-only", Description: "answers that it does not know a session that is not in memory",
			Break: knowing(func(c *Conn, s *Session) bool { return c.a.isActive(s) })},
	}
}

// knowing denies the sessions for which known does not hold.
func knowing(known func(c *Conn, s *Session) bool) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.StatusSession
		b.StatusSession = func(c *Conn, id string) *Session {
			s := before(c, id)
			if s == nil || !known(c, s) {
				return nil
			}
			return s
		}
	}
}

// statusWireFaults are about the response as a message, and about probes that come in one piece.
func statusWireFaults() []Fault {
	twice := func(line []byte) [][]byte { return [][]byte{line, line} }
	return []Fault{
		{Name: "status-no-response", Description: "never answers session/status", Break: func(b *Behaviour) { b.Status = unanswered }},
		{Name: "status-double-response", Description: "answers session/status twice", Break: onFrame(answersTo("session/status"), twice)},
		{Name: "status-id-as-string", Description: "answers session/status with its id as a string",
			Break: onEnvelope(answersTo("session/status"), func(members []Member) []Member {
				if id, _ := members[1].Value.(json.RawMessage); len(id) > 0 && id[0] != '"' {
					members[1].Value = string(id)
				}
				return members
			})},
		notServing("status-not-served", "session/status"),
		{Name: "status-crashes-under-load", Description: "exits when many requests for the status arrive in one piece",
			Break: underLoad(func(c *Conn, _ int) (any, *Error) {
				exitOn(c)
				return nil, silence
			})},
		{Name: "status-drops-under-load", Description: "leaves some requests for the status unanswered when many arrive in one piece",
			Break: underLoad(func(_ *Conn, n int) (any, *Error) {
				if n%10 == 0 {
					return nil, silence
				}
				return nil, nil
			})},
		{Name: "status-rate-limits", Description: "refuses requests for the status when many arrive in one piece",
			Break: underLoad(func(*Conn, int) (any, *Error) { return nil, &Error{Code: codeInternal, Message: "Too many requests"} })},
		{Name: "status-swaps-answers", Description: "gives a request for the status the answer of the one in front of it, when both arrive in one piece",
			Break: lateAnswers},
	}
}

// burst is how many probes in one piece are many.
const burst = 50

// underLoad lets answer have the probes beyond the burst; nil and nil leave a probe to the correct agent.
func underLoad(answer func(c *Conn, n int) (any, *Error)) func(*Behaviour) {
	return func(b *Behaviour) {
		var mu sync.Mutex
		read, n := map[*Conn]int{}, map[*Conn]int{}
		before := b.Status
		b.Status = func(c *Conn, r *Request) (any, *Error) {
			mu.Lock()
			if now := c.readCount(); read[c] != now {
				read[c], n[c] = now, 0
			}
			n[c]++
			count := n[c]
			mu.Unlock()
			if count > burst {
				if result, e := answer(c, count); result != nil || e != nil {
					return result, e
				}
			}
			return before(c, r)
		}
	}
}

func lateAnswers(b *Behaviour) {
	type probe struct {
		read int
		r    *Request
	}
	var mu sync.Mutex
	last := map[*Conn]probe{}
	earlierOf := func(c *Conn, r *Request) *Request {
		mu.Lock()
		defer mu.Unlock()
		earlier := last[c]
		last[c] = probe{c.readCount(), r}
		if earlier.r != nil && earlier.read == c.readCount() {
			return earlier.r
		}
		return r
	}
	before, before2 := b.Status, b.Status2
	b.Status = func(c *Conn, r *Request) (any, *Error) {
		if c.speaks(2) {
			return before(c, r) // Status2 has chosen the request already
		}
		return before(c, earlierOf(c, r))
	}
	b.Status2 = func(c *Conn, r *Request) (any, *Error) { return before2(c, earlierOf(c, r)) }
}
