package fakeagent

import "encoding/json"

// markerScripts differ in the capability alone. Where it is not support, session/status is not served.
func markerScripts() []Script {
	bad := func(name, marker string) Script {
		return Script{Name: "marker-" + name, Description: "advertises session/status with the value " + marker + ", which is no support",
			Break: together(scriptMarker(json.RawMessage(marker)), withoutStatus)}
	}
	good := func(name, marker string) Script {
		return Script{Name: "marker-" + name, Description: "advertises session/status with " + marker + ", which is support",
			Break: scriptMarker(json.RawMessage(marker))}
	}
	return []Script{
		{Name: "no-marker", Description: "does not advertise session/status", Break: together(scriptMarker(nil), withoutStatus)},
		bad("true", `true`), bad("false", `false`), bad("text", `"yes"`), bad("empty-text", `""`), bad("null", `null`),
		bad("array", `[]`), bad("array-of-object", `[{}]`), bad("one", `1`), bad("zero", `0`), bad("fraction", `1.5`),
		{Name: "marker-siblings", Description: "advertises session/status with true, which is no support, beside other capabilities of sessions that are",
			Break: together(scriptMarker(true), withoutStatus, onlySiblings)},
		good("meta", `{"_meta":{}}`), good("bad-meta", `{"_meta":5}`), good("future", `{"future":1}`),
	}
}

func scriptMarker(marker any) func(*Behaviour) {
	return func(b *Behaviour) { b.StatusMarker = func(*Conn) any { return marker } }
}

// withoutStatus answers session/status as a method that does not exist, so that whoever calls it is not left waiting.
func withoutStatus(b *Behaviour) {
	before := b.Serves
	b.Serves = func(c *Conn, method, capability string) bool {
		return method != "session/status" && before(c, method, capability)
	}
}

// onlySiblings leaves few capabilities of sessions in version 1, where there are many.
func onlySiblings(b *Behaviour) {
	before := b.AgentCapabilities
	b.AgentCapabilities = func(c *Conn) Object {
		caps := before(c)
		caps["sessionCapabilities"] = Object{"status": true, "list": Object{}, "resume": Object{}}
		return caps
	}
}

// wordScripts differ in the word for the status, or have none.
func wordScripts() []Script {
	word := func(name, word string) Script {
		return Script{Name: "value-" + name, Description: "gives the session the status " + string(encodeValue(word)) + ", which no client knows",
			Break: answeringWith(Object{"status": word})}
	}
	odd := func(name string, answer Object) Script {
		return Script{Name: "result-" + name, Description: "answers session/status with " + string(encodeValue(answer)) + ", which is malformed",
			Break: answeringWith(answer)}
	}
	return []Script{
		word("warming", "warming"), word("vendor", "_vendor_hot"), word("empty", ""), word("capitals", "ACTIVE"), word("capitalised", "Open"),
		{Name: "value-other-vocabulary", Description: "calls the session by the word of the other vocabulary for one in memory",
			Break: answering(func(_ *Conn, active, _ string) (any, *Error) { return Object{"status": otherWord(active)}, nil })},
		odd("empty", Object{}), odd("number", Object{"status": 1}), odd("null", Object{"status": nil}),
		{Name: "always-inactive", Description: "calls the session inactive, whatever happens to it",
			Break: answering(func(_ *Conn, _, inactive string) (any, *Error) { return Object{"status": inactive}, nil })},
	}
}

// otherWord is the word for a session in memory in the vocabulary that does not have this one.
func otherWord(active string) string {
	for _, name := range statusVocabularyNames {
		if words := statusVocabularies[name]; words[0] != active {
			return words[0]
		}
	}
	return active
}

// stateScripts call the session active, though this connection has not resumed it, and differ in the foreground state.
func stateScripts() []Script {
	state := func(name, state, meaning string) Script {
		return Script{Name: "state-" + name, Description: "calls the session active with the state " + state + ", " + meaning,
			Protocols: []int{latestVersion}, Break: activeWith(json.RawMessage(state))}
	}
	const none = "which reports none"
	return []Script{
		{Name: "active", Description: "calls the session active, though this connection has neither made nor resumed it",
			Break: func(b *Behaviour) {
				activeWith(nil)(b)
				plain := b.Status2
				b.Status2 = func(c *Conn, r *Request) (any, *Error) {
					result, e := plain(c, r)
					if answer, ok := result.(Object); ok && e == nil && text(r.Params, "sessionId") == ScriptSession {
						return with(answer, "state", Object{"state": "idle"}), nil
					}
					return result, e
				}
			}},
		{Name: "running", Description: "calls the session active and running, and sends no update", Protocols: []int{latestVersion},
			Break: activeWith(Object{"state": "running"})},
		{Name: "state-omitted", Description: "calls the session active without a state", Protocols: []int{latestVersion}, Break: activeWith(nil)},
		state("null", `null`, none), state("text", `"idle"`, none), state("empty", `{}`, none), state("number", `{"state":7}`, none),
		state("array", `[]`, none),
		state("bad-background", `{"state":"idle","background":"x"}`, "which is idle with a list that counts for nothing"),
		state("hibernating", `{"state":"hibernating"}`, "which no client knows"), state("vendor", `{"state":"_x"}`, "which no client knows"),
		state("unknown", `{"state":"unknown"}`, "which says that it cannot be told"),
		{Name: "idle-snapshot", Description: "calls the session active and idle, with the reason and the usage of its last turn", Protocols: []int{latestVersion},
			Break: activeWith(json.RawMessage(`{"state":"idle","stopReason":"end_turn","usage":{"inputTokens":1200,"outputTokens":34,"totalTokens":1234}}`))},
		{Name: "stray-state", Description: "adds a state to the status, which version 1 does not have", Protocols: []int{firstVersion},
			Break: activeWith(Object{"state": "idle"})},
	}
}

// activeWith calls the session active; a nil state is left out.
func activeWith(state any) func(*Behaviour) {
	return answering(func(_ *Conn, active, _ string) (any, *Error) {
		if state == nil {
			return Object{"status": active}, nil
		}
		return Object{"status": active, "state": state}, nil
	})
}
