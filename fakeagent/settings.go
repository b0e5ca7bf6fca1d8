package fakeagent

// modeIDs and modelIDs are what a client may choose from.
var (
	modeIDs  = [...]string{"ask", "code"}
	modelIDs = [...]string{"small", "large"}
)

// modes is the mode state. See https://agentclientprotocol.com/protocol/v1/session-modes.
func modes(c *Conn, s *Session) any {
	var current string
	c.a.update(func() { current = s.Mode })
	return Object{
		"currentModeId": current,
		"availableModes": []any{
			Object{"id": modeIDs[0], "name": "Ask", "description": "Asks before it changes anything"},
			Object{"id": modeIDs[1], "name": "Code", "description": "Changes files by itself"},
		},
	}
}

// configOptions lists a select and, for a client that knows booleans, a boolean.
// See https://agentclientprotocol.com/protocol/v1/session-config-options.
func configOptions(c *Conn, s *Session) any {
	var model string
	var verbose bool
	c.a.update(func() { model, verbose = s.Model, s.Verbose })
	options := []any{Object{
		"id": "model", "name": "Model", "category": "model", "type": "select", "currentValue": model,
		"options": []any{Object{"value": modelIDs[0], "name": "Small"}, Object{"value": modelIDs[1], "name": "Large"}},
	}}
	if c.b.MayBoolean(c) {
		options = append(options, Object{"id": "verbose", "name": "Verbose", "type": "boolean", "currentValue": verbose})
	}
	return options
}

// setMode is session/set_mode; it is answered while a turn runs, too.
func setMode(c *Conn, r *Request) (any, *Error) {
	s, e := c.activeParam(r)
	if e != nil {
		return nil, e
	}
	mode, ok := r.Params["modeId"].(string)
	if !ok {
		return nil, invalidParams("modeId must be a string")
	}
	if !contains(modeIDs[:], mode) {
		if e := c.b.UnknownMode(mode); e != nil {
			return nil, e
		}
	}
	c.setMode(s, mode)
	return Object{}, nil
}

// setMode leaves the mode alone if there is no such mode.
func (c *Conn) setMode(s *Session, mode string) {
	if contains(modeIDs[:], mode) {
		c.a.update(func() { s.Mode = mode; c.a.store.save(s) })
	}
}

func unknownMode(string) *Error { return invalidParams("unknown modeId") }

// setConfigOption is session/set_config_option; the answer holds all options.
func setConfigOption(c *Conn, r *Request) (any, *Error) {
	s, e := c.activeParam(r)
	if e != nil {
		return nil, e
	}
	switch r.Params["configId"] {
	case "model":
		value, ok := r.Params["value"].(string)
		if !ok || r.Params["type"] == "boolean" {
			return nil, invalidParams("value must be a string")
		}
		if !contains(modelIDs[:], value) {
			if e := c.b.UnknownValue(value); e != nil {
				return nil, e
			}
		}
		c.b.SetModel(c, s, value)
	case "verbose":
		value, ok := r.Params["value"].(bool)
		if !ok || r.Params["type"] != "boolean" || !c.b.MayBoolean(c) {
			return nil, invalidParams("value must be a boolean")
		}
		c.a.update(func() { s.Verbose = value; c.a.store.save(s) })
	default:
		return nil, c.b.UnknownOption(r)
	}
	return c.b.SetConfigResult(c, s), nil
}

func unknownValue(string) *Error    { return invalidParams("value is not one of the options") }
func unknownOption(*Request) *Error { return invalidParams("unknown configId") }

func setModel(c *Conn, s *Session, value string) {
	if contains(modelIDs[:], value) {
		c.a.update(func() { s.Model = value; c.a.store.save(s) })
	}
}

func setConfigResult(c *Conn, s *Session) any {
	options := c.b.ConfigOptions(c, s)
	if options == nil {
		options = []any{}
	}
	return Object{"configOptions": options}
}

func (c *Conn) activeParam(r *Request) (*Session, *Error) {
	id, e := sessionParam(r)
	if e != nil {
		return nil, e
	}
	if s := c.a.active(id); s != nil {
		return s, nil
	}
	return nil, unknownSession(id)
}
