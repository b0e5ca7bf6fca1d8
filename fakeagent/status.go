package fakeagent

// The two vocabularies of session/status: how a session is called that is in memory, and one that is only known. The
// first is that of the proposal, the second that of the schema that was published after it.
var statusVocabularies = map[string][2]string{
	"active": {"active", "inactive"},
	"open":   {"open", "saved"},
}

// statusVocabularyNames are what Config.StatusVocabulary may be; the first is the default.
var statusVocabularyNames = [...]string{"active", "open"}

// StatusVocabularies lists the names that Config.StatusVocabulary accepts. Each is the word for a session in memory.
func StatusVocabularies() []string { return append([]string(nil), statusVocabularyNames[:]...) }

// status is session/status: it looks, and changes nothing. It does not wait for a turn or for the client.
// See https://agentclientprotocol.com/rfds/session-status.
func status(c *Conn, r *Request) (any, *Error) {
	if e := c.b.CheckStatus(r); e != nil {
		return nil, e
	}
	c.b.BeforeStatus(c, r)
	id := text(r.Params, "sessionId")
	s := c.b.StatusSession(c, id)
	if s == nil {
		return c.b.StatusUnknown(c, id)
	}
	return c.b.StatusResult(c, s, c.b.StatusWord(c, s)), nil
}

// statusMarker is the capability; null and nil mean that there is no such method.
func statusMarker(*Conn) any { return Object{} }

func statusWords(a *Agent) (active, inactive string) {
	words := statusVocabularies[a.cfg.StatusVocabulary]
	return words[0], words[1]
}

func checkStatus(r *Request) *Error {
	_, e := sessionParam(r)
	return e
}

func beforeStatus(*Conn, *Request) {}

func statusSession(c *Conn, id string) *Session { return c.a.lookUp(id) }

func statusWord(c *Conn, s *Session) string {
	active, inactive := c.b.StatusWords(c.a)
	if c.a.isActive(s) {
		return active
	}
	return inactive
}

// statusUnknown names the session as it was asked for, to the byte.
func statusUnknown(_ *Conn, id string) (any, *Error) {
	return nil, &Error{Code: codeNotFound, Message: "Resource not found", Data: Object{"sessionId": id}}
}

// statusResult is made for a session, or for none where an agent does not tell unknown sessions from inactive ones.
func statusResult(_ *Conn, _ *Session, word string) any { return Object{"status": word} }

func afterStatus(*Conn, *Session) {}
