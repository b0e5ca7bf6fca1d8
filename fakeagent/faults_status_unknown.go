package fakeagent

import (
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
)

// unknownStatus answers for the sessions that do not exist.
func unknownStatus(answer func(c *Conn, id string) (any, *Error)) func(*Behaviour) {
	return func(b *Behaviour) { b.StatusUnknown = answer }
}

// onUnknownStatus changes the error for a session that does not exist.
func onUnknownStatus(change func(id string, e Error) *Error) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.StatusUnknown
		b.StatusUnknown = func(c *Conn, id string) (any, *Error) {
			result, e := before(c, id)
			if e == nil {
				return result, nil
			}
			return nil, change(id, *e)
		}
	}
}

func statusData(data func(id string) any) func(*Behaviour) {
	return onUnknownStatus(func(id string, e Error) *Error {
		e.Data = data(id)
		return &e
	})
}

func statusDataID(spell func(id string) string) func(*Behaviour) {
	return statusData(func(id string) any { return Object{"sessionId": spell(id)} })
}

func statusCode(code int) func(*Behaviour) {
	return onUnknownStatus(func(_ string, e Error) *Error { return toCode(code)(e) })
}

// callsInactive answers as if the session were known.
func callsInactive(c *Conn, _ string) (any, *Error) {
	_, inactive := c.b.StatusWords(c.a)
	return c.b.StatusResult(c, nil, inactive), nil
}

func callsActive(c *Conn, _ string) (any, *Error) {
	active, _ := c.b.StatusWords(c.a)
	return c.b.StatusResult(c, nil, active), nil
}

// sometimes leaves about one id of two to instead, always the same ones.
func sometimes(instead func(c *Conn, id string) (any, *Error)) func(*Behaviour) {
	return when(func(id string) bool {
		h := fnv.New32a()
		_, _ = h.Write([]byte(id))
		return h.Sum32()%2 == 0
	}, instead)
}

// lookAlike tells whether an id begins as the agent's own do.
func lookAlike(id string) bool { return strings.HasPrefix(id, "sess_") }

func when(match func(id string) bool, instead func(c *Conn, id string) (any, *Error)) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.StatusUnknown
		b.StatusUnknown = func(c *Conn, id string) (any, *Error) {
			if match(id) {
				return instead(c, id)
			}
			return before(c, id)
		}
	}
}

// foundBy finds a session by something that is not its id.
func foundBy(same func(asked, id string) bool) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.StatusSession
		b.StatusSession = func(c *Conn, asked string) *Session {
			if s := before(c, asked); s != nil {
				return s
			}
			all := c.a.all()
			if i := slices.IndexFunc(all, func(s *Session) bool { return same(asked, s.ID) }); i >= 0 {
				return all[i]
			}
			return nil
		}
	}
}

// statusUnknownFaults are wrong answers about sessions that do not exist.
func statusUnknownFaults() []Fault {
	return []Fault{
		{Name: "status-no-data", Description: "does not say which session it does not know", Break: statusData(func(string) any { return nil })},
		{Name: "status-null-data", Description: "writes null in place of the session that it does not know", Break: statusData(func(string) any { return null() })},
		{Name: "status-string-data", Description: "writes the id of an unknown session as the data itself", Break: statusData(func(id string) any { return id })},
		{Name: "status-uri-data", Description: "names the session that it does not know uri", Break: statusData(func(id string) any { return Object{"uri": id} })},
		{Name: "status-wrong-data", Description: "names another session than the one that it does not know",
			Break: statusDataID(func(string) string { return "sess_other" })},
		{Name: "status-trimmed-id", Description: "names the session that it does not know without the blanks around its id", Break: statusDataID(strings.TrimSpace)},
		{Name: "status-lower-cased-id", Description: "names the session that it does not know in small letters", Break: statusDataID(strings.ToLower)},
		{Name: "status-cut-id", Description: "names the session that it does not know by the first characters of its id",
			Break: statusDataID(func(id string) string { return strings.ToValidUTF8(id[:min(len(id), 64)], "") })},
		{Name: "status-32602", Description: "answers session/status with -32602 for a session that does not exist", Break: statusCode(codeInvalidParams)},
		{Name: "status-32603", Description: "answers session/status with -32603 for a session that does not exist", Break: statusCode(codeInternal)},
		{Name: "status-32601", Description: "answers session/status with -32601 for a session that does not exist", Break: statusCode(codeMethodNotFound)},
		{Name: "status-32000", Description: "answers session/status with -32000 for a session that does not exist", Break: statusCode(codeAuthRequired)},
		{Name: "status-unknown-unanswered", Description: "does not answer session/status for a session that does not exist",
			Break: unknownStatus(func(*Conn, string) (any, *Error) { return nil, silence })},
		{Name: "status-unknown-null", Description: "answers session/status with null for a session that does not exist",
			Break: unknownStatus(func(*Conn, string) (any, *Error) { return null(), nil })},
		{Name: "status-unknown-not-found", Description: "calls a session not_found that does not exist",
			Break: unknownStatus(func(*Conn, string) (any, *Error) { return Object{"status": "not_found"}, nil })},
		{Name: "status-unknown-extension-word", Description: "calls a session _missing that does not exist",
			Break: unknownStatus(func(*Conn, string) (any, *Error) { return Object{"status": "_missing"}, nil })},
		{Name: "status-unknown-active", Description: "calls every session active that does not exist", Break: unknownStatus(callsActive)},
		{Name: "status-mixed-with-active", Description: "calls sessions active that do not exist and whose ids look like its own", Break: when(lookAlike, callsActive)},
		{Name: "status-mixed-code", Description: "calls sessions inactive that do not exist and whose ids look like its own, and answers -32603 for the others",
			Break: together(statusCode(codeInternal), when(lookAlike, callsInactive))},
		{Name: "status-empty-id-active", Description: "calls the session with an empty id active",
			Break: when(func(id string) bool { return id == "" }, callsActive)},
		{Name: "status-empty-id-inactive", Description: "calls the session with an empty id inactive",
			Break: when(func(id string) bool { return id == "" }, callsInactive)},
		{Name: "status-refuses-long-ids", Description: "answers session/status with -32602 for a long id", Break: when(
			func(id string) bool { return len(id) > 128 },
			func(*Conn, string) (any, *Error) { return nil, invalidParams("sessionId is too long") })},
		{Name: "status-ignores-case", Description: "finds a session although its id is written in other letters, capital or small", Break: foundBy(strings.EqualFold)},
		{Name: "status-trims-id", Description: "finds a session although there are blanks around its id",
			Break: foundBy(func(asked, id string) bool { return strings.TrimSpace(asked) == id })},
		{Name: "status-matches-prefix", Description: "finds a session by the beginning of its id",
			Break: foundBy(func(asked, id string) bool { return asked != "" && strings.HasPrefix(id, asked) })},
		{Name: "status-uses-path", Description: "takes the id of a session for the path of a file", Break: foundBy(func(asked, id string) bool {
			file, _, _ := strings.Cut(asked, "\x00")
			return asked != id && filepath.Base(strings.TrimSuffix(file, ".json")) == id
		})},
	}
}

// lazily calls every session inactive that is not in memory, as an agent may that cannot look cheaply.
func lazily(b *Behaviour) { b.StatusUnknown = callsInactive }

// lazyFaults are agents that do not look whether a session exists, and then do not keep to what that means.
func lazyFaults() []Fault {
	return []Fault{
		{Name: "status-lazy-creates-on-resume", Description: "calls every session inactive that is not in memory, and makes one that does not exist on session/resume",
			Break: together(lazily, func(b *Behaviour) { b.ResumeUnknown = inventNamed })},
		{Name: "status-lazy-resume-code", Description: "calls every session inactive that is not in memory, and refuses to resume one that does not exist with -32602",
			Break: together(lazily, func(b *Behaviour) {
				b.ResumeUnknown = func(*Conn, string) (*Session, *Error) { return nil, invalidParams("unknown sessionId") }
			})},
		{Name: "status-lazy-becomes-active", Description: "calls every session inactive that is not in memory, and one active that it failed to resume", Break: func(b *Behaviour) {
			var failed idSet
			before := b.ResumeUnknown
			b.ResumeUnknown = func(c *Conn, id string) (*Session, *Error) {
				failed.add(id)
				return before(c, id)
			}
			lazily(b)
			when(failed.has, callsActive)(b)
		}},
		{Name: "resume-unknown-code", Description: "refuses to resume a session that does not exist with -32602", Break: func(b *Behaviour) {
			b.ResumeUnknown = func(*Conn, string) (*Session, *Error) { return nil, invalidParams("unknown sessionId") }
		}},
	}
}

// inventNamed makes the session that was asked for.
func inventNamed(c *Conn, id string) (*Session, *Error) {
	return c.a.create("/", func(*Agent, int) string { return id }), nil
}
