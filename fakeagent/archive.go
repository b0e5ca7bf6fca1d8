package fakeagent

// archiveCapability is the one of session/archive and session/unarchive, as Config.Without names it. Only the variant
// "archives" has it: an agent without it lists all its sessions.
const archiveCapability = "sessionCapabilities.archive"

func archives(*Conn) bool { return false }

// archiving is what the variant does.
func archiving(b *Behaviour) {
	b.Archives = func(c *Conn) bool { return !c.a.without[archiveCapability] }
}

// archive is session/archive: it ends the work of the session as session/close does, and hides it in the list.
// See https://agentclientprotocol.com/protocol/v1/draft/schema#archivesessionrequest.
func archive(c *Conn, r *Request) (any, *Error) {
	s, e := c.knownParam(r)
	if e != nil {
		return nil, e
	}
	c.setArchived(s, true)
	if c.a.isActive(s) {
		c.b.CloseTurn(c, s)
		c.b.StopServers(c, s)
		c.a.release(s)
	}
	return Object{}, nil
}

// archive2 is the same in version 2: the idle state comes before the response.
func archive2(c *Conn, r *Request) (any, *Error) {
	s, e := c.knownParam(r)
	if e != nil {
		return nil, e
	}
	c.setArchived(s, true)
	if !c.a.isActive(s) {
		return Object{}, nil
	}
	c.endSession(s, func() { c.sayResult(r.ID, Object{}, r.Method) })
	return nil, nil
}

// unarchive is session/unarchive: the session is listed again, and stays where it is.
func unarchive(c *Conn, r *Request) (any, *Error) {
	s, e := c.knownParam(r)
	if e != nil {
		return nil, e
	}
	c.setArchived(s, false)
	return Object{}, nil
}

// setArchived keeps what another process may have written of the session meanwhile.
func (c *Conn) setArchived(s *Session, archived bool) {
	c.a.change(s, func() {
		c.a.store.refresh(s)
		s.Archived = archived
	})
}

// knownParam finds the session of a request, in memory or not.
func (c *Conn) knownParam(r *Request) (*Session, *Error) {
	id, e := sessionParam(r)
	if e != nil {
		return nil, e
	}
	if s := c.a.lookUp(id); s != nil {
		return s, nil
	}
	return nil, unknownSession(id)
}

// archiveFilter reads the filter of session/list. An agent that archives nothing does not know it.
func (c *Conn) archiveFilter(v any) (wanted func(s *Session) bool, e *Error) {
	if !c.b.Archives(c) {
		return func(*Session) bool { return true }, nil
	}
	archived := func(s *Session) (is bool) {
		c.a.update(func() { is = s.Archived })
		return is
	}
	switch v {
	case nil, "exclude":
		return func(s *Session) bool { return !archived(s) }, nil
	case "only":
		return archived, nil
	case "include":
		return func(*Session) bool { return true }, nil
	}
	return nil, invalidParams("archived must be exclude, include or only")
}
