package fakeagent

import "encoding/json"

// statusVariants are other ways of answering session/status that the proposal leaves open.
func statusVariants() []Fault {
	return []Fault{
		{Name: "status-other-vocabulary", Description: "calls sessions in session/status by the words of the other vocabulary", Break: func(b *Behaviour) {
			before := b.StatusWords
			b.StatusWords = func(a *Agent) (string, string) {
				active, inactive := before(a)
				for _, words := range statusVocabularies {
					if words[0] != active {
						return words[0], words[1]
					}
				}
				return active, inactive
			}
		}},
		{Name: "status-lazy", Description: "calls every session inactive that is not in memory, whether it exists or not", Break: lazily},
		{Name: "status-lazy-by-shape", Description: "calls every session inactive that is not in memory and whose id looks like one of its own",
			Break: when(plausibleID, callsInactive)},
		{Name: "status-mixed-lazy", Description: "calls some sessions inactive that do not exist, and knows of the others that they do not", Break: sometimes(callsInactive)},
		{Name: "status-lazy-without-data", Description: "calls every session inactive that is not in memory, and does not name one that it fails to resume",
			Break: together(lazily, func(b *Behaviour) {
				without := func(*Conn, string) (*Session, *Error) {
					return nil, &Error{Code: codeNotFound, Message: "Session not found"}
				}
				b.ResumeUnknown, b.LoadUnknown = without, without
			})},
		{Name: "status-extension-word", Description: "calls a session in memory by a word of its own after its second turn", Break: wording(func(c *Conn, s *Session, word string) string {
			if c.a.isActive(s) && !busy(c, s) && c.a.turnsOf(s) >= 2 {
				return "_hot"
			}
			return word
		})},
		{Name: "status-result-meta", Description: "says more about a session than its status, under _meta",
			Break: onStatusResult(setMember("_meta", Object{"vendor.example/host": "a1", "state": "idle", "status": "inactive"}))},
		{Name: "status-more-error-data", Description: "says more about a session that it does not know than its id", Break: statusData(func(id string) any {
			return Object{"sessionId": id, "hint": "list the sessions", "known": []any{}, "_meta": Object{"vendor.example/retry": false}}
		})},
		{Name: "status-other-message", Description: "words the error for a session that it does not know in its own way", Break: onUnknownStatus(func(_ string, e Error) *Error {
			return toMessage("séance inconnue")(e)
		})},
		{Name: "status-marker-future", Description: "says more about session/status in its capabilities, under _meta and beside it",
			Break: statusMarkerIs(Object{"_meta": Object{"vendor.example/cheap": true, "batch": json.RawMessage("1.0")}, "push": Object{}, "depth": 1})},
		{Name: "status-marker-null", Description: "writes null where it would advertise session/status, and does not serve it", Break: together(
			statusMarkerIs(null()), notServing("", "session/status").Break)},
		{Name: "status-close-lags", Description: "takes two requests for the status to notice that a session was closed", Break: func(b *Behaviour) {
			closed := noted(&b.Close, &b.Close2)
			var asked idSet
			activeIf(func(_ *Conn, s *Session) bool { return closed.has(s.ID) && asked.add(s.ID) < 2 })(b)
		}},
		{Name: "auth-required-everywhere", Description: "refuses everything until the user has logged in, which never happens", Break: func(b *Behaviour) {
			offerLogin(b)
			needLogin(b, "initialize", "authenticate", "auth/login")
		}},
		{Name: "auth-required-but-status", Description: "refuses everything but session/status until the user has logged in, which never happens", Break: func(b *Behaviour) {
			offerLogin(b)
			needLogin(b, "initialize", "authenticate", "auth/login", "session/status")
		}},
	}
}

// offerLogin advertises a way to log in, in both versions.
func offerLogin(b *Behaviour) {
	b.AuthMethods = func(*Conn) any {
		return []any{Object{"id": "login", "name": "Log in", "description": "Run fake login"}}
	}
	b.AuthMethods2 = func(*Conn) []any {
		return []any{Object{"type": "agent", "methodId": "login", "name": "Log in", "description": "Run fake login"}}
	}
}

// needLogin refuses all methods but these.
func needLogin(b *Behaviour, free ...string) {
	b.CheckParams = func(r *Request) *Error {
		if contains(free, r.Method) {
			return checkParams(r)
		}
		return authRequired()
	}
}

// plausibleID tells whether an id looks like one of ours, or like a UUID.
func plausibleID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for _, r := range id {
		word := r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
		if !word && r != '-' && r != '_' {
			return false
		}
	}
	return true
}
