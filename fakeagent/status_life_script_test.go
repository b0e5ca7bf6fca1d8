package fakeagent

import "fmt"

// playLife takes sessions through everything that may happen to one.
func playLife(w *watched) {
	w.hello()
	id, other := w.newIn("/tmp"), w.newIn("/tmp")
	ask := func() {
		w.status(id)
		w.status(other)
	}
	do := func(method, session string) {
		w.request(method, reopenParams(session))
		ask()
	}
	ask()
	w.prompt(id, "/wait")
	ask()
	w.sort(w.request("session/close", idParam(id)))
	ask()
	do("session/close", id)
	do("session/resume", id)
	do("session/resume", id)
	w.prompt(id, "hello")
	do("session/close", id)
	w.load(id)
	ask()
	w.load(id)
	ask()
	for range 2 {
		w.prompt(id, "/wait")
		w.notify("session/cancel", idParam(id))
		ask()
	}
	w.prompt(id, "hello")
	w.prompt(id, "/wait")
	w.notify("session/cancel", idParam(id))
	do("session/close", id)
	do("session/resume", id)
	playStates(w, other)
	playArchive(w, other)
	do("session/delete", id)
	do("session/resume", id)
	do("session/resume", other)
	do("session/close", other)
}

// playStates gives every state of version 2 an occasion.
func playStates(w *watched, id string) {
	for _, answer := range []string{"allow", "reject"} {
		lines := w.prompt(id, "/permission")
		w.status(id)
		if hasRequest(lines) {
			w.answer(lines, "result", fmt.Sprintf(`{"outcome":{"outcome":"selected","optionId":%q}}`, answer))
		}
		w.status(id)
	}
	for _, words := range []string{"/background", "/background stop", "/error", "/refuse", "/evict none"} {
		w.prompt(id, words)
		w.status(id)
	}
	child := childIn(w.prompt(id, "/subagent"))
	w.status(id)
	w.status(child)
	w.prompt(child, "hello")
	w.prompt(id, "/subagent stop")
	w.status(child)
}

// childIn is the session of the sub-agent that is announced first.
func childIn(lines []string) string {
	for _, line := range lines {
		params, _ := object(line)["params"].(Object)
		if update, _ := params["update"].(Object); update["sessionUpdate"] == "subagent_update" {
			return text(update, "sessionId")
		}
	}
	return ""
}

// playArchive is about an agent that may archive nothing at all.
func playArchive(w *watched, id string) {
	for _, method := range []string{"session/archive", "session/archive", "session/unarchive", "session/unarchive", "session/archive"} {
		w.request(method, idParam(id))
		w.status(id)
		for _, filter := range []string{`null`, `"exclude"`, `"only"`, `"include"`, `"_x"`} {
			w.request("session/list", fmt.Sprintf(`{"archived":%s}`, filter))
		}
	}
	w.request("session/unarchive", idParam(id))
	w.request("session/archive", idParam("sess_none"))
}
