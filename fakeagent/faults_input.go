package fakeagent

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// InputFaults lists ways in which the agent breaks on unusual input, and on nothing else: on what a client may send and hardly
// ever does, or on what a client sends that has a fault of its own. A conversation of the ordinary kind does not show them, so they
// are no part of Faults; they are what a fuzzer is measured by.
func InputFaults() []Fault { return inputGroups().all() }

func inputGroups() groups { return groups{inputFaults} }

func inputFaults() []Fault {
	return bothVersions(slices.Concat(inputCrashes(), inputSilences(), inputAnswers()))
}

// inputCrashes end the agent, or stop it for good.
func inputCrashes() []Fault {
	return []Fault{
		{Name: "input-null-meta", Description: "exits on params whose _meta is null",
			Break: exitsOn(func(r *Request) bool { v, there := r.Params["_meta"]; return there && v == nil })},
		{Name: "input-list-meta", Description: "exits on a _meta that is an array, wherever it stands",
			Break: exitsOn(func(r *Request) bool {
				return anywhere(r.Params, func(key string, v any) bool { _, list := v.([]any); return key == "_meta" && list })
			})},
		{Name: "input-long-text", Description: "exits on a text of more than 64 KiB",
			Break: exitsOn(func(r *Request) bool { return textAnywhere(r, func(s string) bool { return len(s) > 64<<10 }) })},
		{Name: "input-unknown-block", Description: "exits on a prompt with a content block of a type that it does not know", Break: exitsOn(hasUnknownBlock)},
		{Name: "input-big-integer", Description: "exits on an integer that needs more than 32 bits", Break: exitsOn(hasBigInteger)},
		{Name: "input-duplicate-key", Description: "exits on a line in which a member stands twice in the params",
			Break: onRequestLine(hasTwins, exitOn)},
		{Name: "input-deep-nesting", Description: "exits on params that are nested deeper than 100 levels",
			Break: exitsOn(func(r *Request) bool { return depthOf(r.Params) > 100 })},
		{Name: "input-closed-session", Description: "exits on a request about a session that has been closed, other than to open it again", Break: exitsOnClosed},
		{Name: "input-escaped-session-id", Description: "stops for ever on a session id in which a character is escaped",
			Break: onRequestLine(regexp.MustCompile(`"sessionId"\s*:\s*"([^"\\]|\\[^u])*\\u`).Match, func(c *Conn) { c.waitForEver() })},
		{Name: "input-unknown-cancel", Description: "takes nothing in any more after a session/cancel for a session that it does not have", Break: deafAfterUnknownCancel},
	}
}

// exitsOn ends the agent on a request that matches.
func exitsOn(match func(*Request) bool) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Age
		b.Age = func(c *Conn, r *Request) {
			if match(r) {
				c.Log("fake agent: panic: unexpected params of " + cut(r.Method, 40))
				c.Exit(2)
				return
			}
			before(c, r)
		}
	}
}

// onRequestLine does something when the line of a request matches, before it is looked at any further.
func onRequestLine(match func([]byte) bool, do func(*Conn)) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Admit
		b.Admit = func(c *Conn, line []byte) bool {
			if isRequestLine(line) && match(line) {
				do(c)
			}
			return before(c, line)
		}
	}
}

func deafAfterUnknownCancel(b *Behaviour) {
	before, admits := b.UnknownCancel, b.Admit
	deaf := false // lines are handled one at a time
	b.UnknownCancel = func(c *Conn, id string) {
		before(c, id)
		deaf = true
	}
	b.Admit = func(c *Conn, line []byte) bool { return !deaf && admits(c, line) }
}

func exitsOnClosed(b *Behaviour) {
	closed := map[string]bool{}
	exitsOn(func(r *Request) bool {
		id := text(r.Params, "sessionId")
		switch r.Method {
		case "session/close":
			closed[id] = true
			return false
		case "session/load", "session/resume", "session/delete":
			delete(closed, id)
			return false
		}
		return id != "" && closed[id]
	})(b)
}

// inputSilences leave a request without an answer.
func inputSilences() []Fault {
	return []Fault{
		{Name: "input-text-id", Description: "never answers a request whose id is a string",
			Break: forgets(func(r *Request) bool { return bytes.HasPrefix(r.ID, []byte{'"'}) })},
		{Name: "input-zero-id", Description: "never answers a request whose id is 0",
			Break: forgets(func(r *Request) bool { return string(r.ID) == "0" })},
		{Name: "input-two-at-once", Description: "forgets the second of two requests that arrive in one piece", Break: forgetsSecond},
		{Name: "input-early-cancel", Description: "never answers a prompt that is cancelled before its turn has begun", Break: forgetsEarlyCancel},
		{Name: "input-astral-text", Description: "never answers a prompt with a character beyond the basic plane",
			Break: forgets(func(r *Request) bool {
				return r.Method == "session/prompt" && textAnywhere(r, func(s string) bool { return strings.ContainsFunc(s, func(c rune) bool { return c > 0xffff }) })
			})},
	}
}

// forgets leaves requests unanswered that match.
func forgets(match func(*Request) bool) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.CheckParams
		b.CheckParams = func(r *Request) *Error {
			if match(r) {
				return silence
			}
			return before(r)
		}
	}
}

func forgetsSecond(b *Behaviour) {
	before, last := b.Admit, -1
	b.Admit = func(c *Conn, line []byte) bool {
		if isRequestLine(line) {
			c.mu.Lock()
			reads := c.reads
			c.mu.Unlock()
			if reads == last {
				return false
			}
			last = reads
		}
		return before(c, line)
	}
}

// forgetsEarlyCancel has two places: version 1 answers such a prompt when the turn ends, version 2 withdraws it.
func forgetsEarlyCancel(b *Behaviour) {
	before := b.CancelledResult
	b.CancelledResult = func(t *Turn) (any, *Error) {
		if t.sent == 0 {
			return nil, silence
		}
		return before(t)
	}
	b.Withdrawn = func(*Turn) *Error { return silence }
}

// inputAnswers are answers that are wrong.
func inputAnswers() []Fault {
	return []Fault{
		{Name: "input-large-id", Description: "keeps only 32 bits of the id of a request", Break: truncatesID},
		{Name: "input-long-title", Description: "lists a title that had to be cut as an object", Break: onListed(func(info Object) {
			if title, _ := info["title"].(string); strings.HasSuffix(title, "...") {
				info["title"] = Object{"text": title}
			}
		})},
		{Name: "input-proto-member", Description: "answers params that hold a member __proto__ with a result and an error at once", Break: doublesOnProto},
		{Name: "input-request-without-id", Description: "answers a request that came without an id", Break: answersWithoutID},
		{Name: "input-nul-character", Description: "answers a request twice whose params hold the character NUL", Break: answersTwiceOnNUL},
	}
}

func truncatesID(b *Behaviour) {
	onEnvelope(func(m *Message) bool {
		id, _ := m.ID.(json.RawMessage)
		return m.Method == "" && len(id) > 0 && id[0] != '"'
	}, func(members []Member) []Member {
		for i, m := range members {
			if id, ok := m.Value.(json.RawMessage); ok && m.Key == "id" {
				if n, err := json.Number(id).Int64(); err == nil {
					members[i].Value = int32(n)
				}
			}
		}
		return members
	})(b)
}

func onListed(change func(Object)) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.SessionInfo
		b.SessionInfo = func(c *Conn, s *Session) Object {
			info := before(c, s)
			change(info)
			return info
		}
	}
}

func doublesOnProto(b *Behaviour) {
	var polluted bool // until the next answer; a line is handled at a time
	before, envelope := b.Age, b.Envelope
	b.Age = func(c *Conn, r *Request) {
		_, polluted = r.Params["__proto__"]
		before(c, r)
	}
	b.Envelope = func(m *Message) []Member {
		members := envelope(m)
		if polluted && m.Answers != "" && m.Answers != "session/prompt" {
			polluted = false
			members = append(drop("error")(drop("result")(members)), Member{"result", Object{}}, Member{"error", Object{"code": codeInternal, "message": "Internal error"}})
		}
		return members
	}
}

func answersWithoutID(b *Behaviour) {
	before := b.UnknownNotification
	b.UnknownNotification = func(c *Conn, r *Request) {
		if c.handler(r.Method) != nil {
			c.sayResult(json.RawMessage("null"), Object{}, "")
			return
		}
		before(c, r)
	}
}

func answersTwiceOnNUL(b *Behaviour) {
	before := b.Age
	b.Age = func(c *Conn, r *Request) {
		if textAnywhere(r, func(s string) bool { return strings.ContainsRune(s, 0) }) {
			c.sayError(r.ID, invalidParams("NUL"), r.Method)
		}
		before(c, r)
	}
}
