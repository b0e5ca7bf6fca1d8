package fakeagent

import (
	"encoding/json"
	"strconv"
	"strings"
)

// onEnvelope changes the members of the messages that match.
func onEnvelope(match func(*Message) bool, change func([]Member) []Member) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Envelope
		b.Envelope = func(m *Message) []Member {
			members := before(m)
			if match(m) {
				members = change(members)
			}
			return members
		}
	}
}

func set(key string, value any) func([]Member) []Member {
	return func(members []Member) []Member {
		for i, m := range members {
			if m.Key == key {
				members[i].Value = value
				return members
			}
		}
		return append(members, Member{key, value})
	}
}

func drop(key string) func([]Member) []Member {
	return func(members []Member) []Member {
		var kept []Member
		for _, m := range members {
			if m.Key != key {
				kept = append(kept, m)
			}
		}
		return kept
	}
}

var answersPrompt = answersTo("session/prompt")

// endsTurn matches the response of a turn that was not cancelled.
func endsTurn(m *Message) bool {
	result, _ := m.Result.(Object)
	return answersPrompt(m) && result["stopReason"] == "end_turn"
}

func envelopeFaults() []Fault {
	return []Fault{
		{Name: "jsonrpc-missing", Description: "leaves jsonrpc out of a notification", Break: onEnvelope(isCommands, drop("jsonrpc"))},
		{Name: "jsonrpc-old", Description: "writes jsonrpc as \"1.0\" in a notification", Break: onEnvelope(isCommands, set("jsonrpc", "1.0"))},
		{Name: "jsonrpc-number", Description: "writes jsonrpc as a number in a notification",
			Break: onEnvelope(isCommands, set("jsonrpc", json.RawMessage("2.0")))},
		{Name: "jsonrpc-missing-in-response", Description: "leaves jsonrpc out of the response of a turn",
			Break: onEnvelope(endsTurn, drop("jsonrpc"))},
		{Name: "result-and-error", Description: "writes result and error into the response of a turn",
			Break: onEnvelope(endsTurn, set("error", Object{"code": 0, "message": "no error"}))},
		{Name: "result-and-null-error", Description: "writes error: null beside the result of a turn",
			Break: onEnvelope(endsTurn, set("error", nil))},
		{Name: "no-result-no-error", Description: "writes neither result nor error into the response of a turn",
			Break: onEnvelope(endsTurn, drop("result"))},
		{Name: "method-in-response", Description: "repeats the method in the response of a turn",
			Break: onEnvelope(endsTurn, set("method", "session/prompt"))},
		{Name: "result-in-notification", Description: "writes a result into a notification",
			Break: onEnvelope(isCommands, set("result", Object{}))},
		{Name: "extra-envelope-key", Description: "writes a member of its own into the envelope of a notification",
			Break: onEnvelope(isCommands, set("timestamp", 0))},
		{Name: "extra-envelope-key-in-response", Description: "writes a member of its own into the envelope of a response",
			Break: onEnvelope(endsTurn, set("durationMs", 12))},
		{Name: "array-params", Description: "sends a notification whose params are an array",
			Break: onEnvelope(isCommands, set("params", []any{}))},
		{Name: "string-params", Description: "sends a notification whose params are a string",
			Break: onEnvelope(isCommands, set("params", "commands"))},
		{Name: "null-params", Description: "sends a notification whose params are null", Break: onEnvelope(isCommands, set("params", nil))},
		{Name: "error-code-string", Description: "writes the code of an error as a string", Break: onExtensionError("code", "-32601")},
		{Name: "error-code-fractional", Description: "writes the code of an error with a fraction", Break: onExtensionError("code", -32601.5)},
		{Name: "error-code-missing", Description: "leaves the code out of an error", Break: onExtensionError("code", nil)},
		{Name: "error-message-missing", Description: "leaves the message out of an error", Break: onExtensionError("message", nil)},
		{Name: "error-message-object", Description: "writes the message of an error as an object", Break: onExtensionError("message", Object{})},
		{Name: "error-is-string", Description: "writes an error as a string",
			Break: onEnvelope(isExtensionError, set("error", "Method not found"))},
		{Name: "error-code-out-of-range", Description: "writes a code of an error that does not fit into 32 bits",
			Break: onExtensionError("code", json.RawMessage("-3260100000000"))},
	}
}

func isExtensionError(m *Message) bool { return isError(m) && strings.HasPrefix(m.Answers, "_") }

// onExtensionError changes a member of the error that answers an unknown extension request; nil leaves the member out.
func onExtensionError(key string, value any) func(*Behaviour) {
	return onEnvelope(isExtensionError, func(members []Member) []Member {
		last := &members[len(members)-1]
		e := with(last.Value.(Object), key, value)
		if value == nil {
			delete(e, key)
		}
		last.Value = e
		return members
	})
}

// with returns a copy of o in which key is value.
func with(o Object, key string, value any) Object {
	copied := make(Object, len(o)+1)
	for k, v := range o {
		copied[k] = v
	}
	copied[key] = value
	return copied
}

// lacking returns a copy of o without the keys.
func lacking(o Object, keys ...string) Object {
	copied := with(o, keys[0], nil)
	for _, key := range keys {
		delete(copied, key)
	}
	return copied
}

// onResponseID changes the ids of responses; change returns "" for an id that it leaves alone.
func onResponseID(change func(id string) string) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Envelope
		b.Envelope = func(m *Message) []Member {
			members := before(m)
			raw, isResponse := m.ID.(json.RawMessage)
			if id := change(string(raw)); isResponse && m.Method == "" && id != "" {
				members = set("id", json.RawMessage(id))(members)
			}
			return members
		}
	}
}

func idFaults() []Fault {
	return []Fault{
		{Name: "id-as-string", Description: "answers an unknown extension request with its id as a string",
			Break: onEnvelope(isExtensionError, func(members []Member) []Member {
				id, _ := members[1].Value.(json.RawMessage)
				if len(id) > 0 && id[0] != '"' {
					members[1].Value = string(id)
				}
				return members
			})},
		{Name: "large-id-rounded", Description: "answers an id above 2^31 with a rounded number", Break: onResponseID(rounded)},
		{Name: "large-id-cut", Description: "keeps only 32 bits of an id", Break: onResponseID(func(id string) string {
			if n, err := strconv.ParseInt(id, 10, 64); err == nil && int64(int32(n)) != n {
				return strconv.Itoa(int(int32(n)))
			}
			return ""
		})},
		{Name: "zero-id-null", Description: "answers the id 0 with null", Break: onResponseID(func(id string) string {
			if id == "0" {
				return "null"
			}
			return ""
		})},
		{Name: "numeric-string-id-as-number", Description: "answers an id that is a string of digits with a number",
			Break: onResponseID(func(id string) string {
				if n, err := strconv.Atoi(strings.Trim(id, `"`)); err == nil && strings.HasPrefix(id, `"`) {
					return strconv.Itoa(n)
				}
				return ""
			})},
		{Name: "string-id-as-null", Description: "answers an id that is a string with null", Break: onResponseID(func(id string) string {
			if strings.HasPrefix(id, `"`) {
				return "null"
			}
			return ""
		})},
		{Name: "answers-prompt-twice", Description: "answers a prompt two times",
			Break: onFrame(endsTurn, func(line []byte) [][]byte { return [][]byte{line, line} })},
		{Name: "answers-unknown-id", Description: "sends a response to a request that nobody made", Break: func(b *Behaviour) {
			before := b.AfterNewSession
			b.AfterNewSession = func(c *Conn, s *Session) {
				before(c, s)
				c.sayResult(json.RawMessage(`"never-asked"`), Object{}, "")
			}
		}},
		{Name: "fractional-request-id", Description: "gives its requests ids with a fraction",
			Break: func(b *Behaviour) { b.RequestID = func(_ *Conn, n int) any { return float64(n) + 0.5 } }},
		{Name: "boolean-request-id", Description: "gives its requests the id true",
			Break: func(b *Behaviour) { b.RequestID = func(*Conn, int) any { return true } }},
		{Name: "null-request-id", Description: "gives its requests the id null",
			Break: func(b *Behaviour) { b.RequestID = func(*Conn, int) any { return json.RawMessage("null") } }},
		{Name: "reused-request-id", Description: "sends a second request with the id of one that is still open",
			Break: func(b *Behaviour) {
				b.CallTwice = func(_ *Turn, method string) bool { return method == "session/request_permission" }
			}},
	}
}

func rounded(id string) string {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || int64(int32(n)) == n {
		return ""
	}
	return strconv.FormatInt(n/100*100, 10)
}
