package fakeagent

// configOptions2 lists the model, the mode, which is an option in this version, and a boolean.
// See https://agentclientprotocol.com/protocol/v2/draft/session-config-options.
func configOptions2(c *Conn, s *Session) any {
	var model, mode string
	var verbose bool
	c.a.update(func() { model, mode, verbose = s.Model, s.Mode, s.Verbose })
	choice := func(value, name string) Object { return Object{"value": value, "name": name} }
	return []any{
		Object{"configId": "model", "name": "Model", "category": "model", "type": "select", "currentValue": model,
			"options": []any{choice(modelIDs[0], "Small"), choice(modelIDs[1], "Large")}},
		Object{"configId": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": mode,
			"options": []any{choice(modeIDs[0], "Ask"), choice(modeIDs[1], "Code")}},
		Object{"configId": "verbose", "name": "Verbose", "type": "boolean", "currentValue": verbose},
	}
}

// setConfigOption2 is session/set_config_option: every value says of what type it is, and the answer holds all options.
func setConfigOption2(c *Conn, r *Request) (any, *Error) {
	id, e := sessionParam(r)
	if e != nil {
		return nil, e
	}
	s := c.attached(id)
	if s == nil {
		return nil, unknownSession(id)
	}
	switch r.Params["configId"] {
	case "model":
		e = c.choose(r, modelIDs[:], func(value string) { c.b.SetModel(c, s, value) })
	case "mode":
		e = c.choose(r, modeIDs[:], func(value string) { c.setMode(s, value) })
	case "verbose":
		value, ok := r.Params["value"].(bool)
		if !ok || r.Params["type"] != "boolean" {
			return nil, invalidParams("value must be a boolean, and type say so")
		}
		c.a.change(s, func() { s.Verbose = value })
	default:
		e = c.b.UnknownOption(r)
	}
	if e != nil {
		return nil, e
	}
	return c.b.SetConfigResult2(c, s), nil
}

// choose sets a value that must be one of a list.
func (c *Conn) choose(r *Request, values []string, set func(value string)) *Error {
	value, ok := r.Params["value"].(string)
	if !ok || r.Params["type"] != "id" {
		return invalidParams("value must be a string, and type say that it is an id")
	}
	if !contains(values, value) {
		if e := c.b.UnknownValue(value); e != nil {
			return e
		}
	}
	set(value)
	return nil
}

func setConfigResult2(c *Conn, s *Session) any {
	options := c.b.ConfigOptions2(c, s)
	if options == nil {
		options = []any{}
	}
	return Object{"configOptions": options}
}

func optionsUpdate(c *Conn, s *Session) Object {
	return Object{"sessionUpdate": "config_option_update", "configOptions": c.b.ConfigOptions2(c, s)}
}
