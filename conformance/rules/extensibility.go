package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// extensibility is https://agentclientprotocol.com/protocol/v1/extensibility.
func extensibility() []rule.Rule {
	return []rule.Rule{metaObjectOrNull, metaNoRootExtensions, extMethodUnderscore}
}

var metaObjectOrNull = rule.Rule{
	ID:    "meta.object-or-null",
	Title: "_meta is an object or null, wherever it stands",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "extensibility", Anchor: "the-_meta-field"},
	Advice:   "Put what you want to say under a key of your own in _meta: a reader takes anything but an object for absent.",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		bad := owned(r, "meta.object-or-null")
		if !r.Mine() || r.Broken != wire.Whole || !r.Known || len(bad) == 0 && !schemas.Holds(r.Definition, r.Part, "_meta") {
			return
		}
		l.Occasion()
		for _, f := range bad {
			l.Broken(finding(r, f))
		}
	}),
}

var metaNoRootExtensions = rule.Rule{
	ID:    "meta.no-root-extensions",
	Title: "what is the agent's own stands under _meta, not beside the protocol's members",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "extensibility", Anchor: "the-_meta-field"},
	Advice:   "Move members of your own under _meta: any other name may get a meaning in a later edition of the protocol.",
	Mild:     "clients pass over a member that they do not know",
	Occasion: rule.Always,
	Soft:     true,
	Watch:    func() rule.Watcher { return &rootMembers{} },
}

// rootMembers knows what the agent advertised: an unstable feature brings members of its own.
type rootMembers struct{ capabilities json.RawMessage }

func (m *rootMembers) See(l *rule.Log, r *rule.Reading) {
	if r.IsResult("initialize") {
		m.capabilities = wire.Member(r.Result, "agentCapabilities")
	}
	if !r.Mine() || r.Broken != wire.Whole || !r.Known || r.Part == nil {
		return
	}
	l.Occasion()
	unstable := unstableMembers(r)
	for _, u := range r.UnknownMembers() {
		ahead := slices.ContainsFunc(unstable, func(o schemas.Unknown) bool { return o.Path == u.Path && o.Key == u.Key })
		switch {
		case toldElsewhere(r, u):
		case widespread(r, u) || ahead && m.optedIn(r, u):
			l.Note(rootFinding(r, u, ahead))
		default:
			l.Broken(rootFinding(r, u, ahead))
		}
	}
}

func (*rootMembers) End(*rule.Log, *rule.Conversation) {}

func rootFinding(r *rule.Reading, u schemas.Unknown, ahead bool) rule.Finding {
	f := rule.Finding{Why: fmt.Sprintf("%s: %s/%s is no member of %s", what(r), u.Path, u.Key, u.Def), Found: u.Key, Cite: r.Cite()}
	switch {
	case ahead && !u.Inside:
		f.Why = fmt.Sprintf("%s: %s/%s belongs to the unstable edition of %s", what(r), u.Path, u.Key, u.Def)
	case u.Nearest != "":
		f.Expected = u.Nearest + ", if that was meant, or what is your own under _meta"
	default:
		f.Expected = "what is your own under _meta"
	}
	return f
}

// unstableMembers are the unknown members of a frame that belong to the unstable edition, because it names them or knows the
// object that they stand in, also where frames are compared with the stable one.
func unstableMembers(r *rule.Reading) []schemas.Unknown {
	all := r.UnknownMembers()
	if len(all) > 0 && r.Definition.Edition.Stable() {
		d := r.Definition
		d.Edition = schemas.Ours().Edition(d.Edition.Protocol(), false)
		all = schemas.UnknownMembers(d, r.Part)
	}
	return slices.DeleteFunc(slices.Clone(all), func(u schemas.Unknown) bool { return !u.Unstable && !u.Inside })
}

// optedIn tells whether the agent has said that it uses the unstable feature. A capability says so by itself.
func (m *rootMembers) optedIn(r *rule.Reading, u schemas.Unknown) bool {
	if u.Key == "archived" {
		archive := wire.Member(wire.Member(m.capabilities, "sessionCapabilities"), "archive")
		return archive != nil && string(archive) != "null"
	}
	return r.Method == "initialize"
}

// toldElsewhere tells whether another rule reports the member: under its right name it is missed, or it is in snake_case.
func toldElsewhere(r *rule.Reading, u schemas.Unknown) bool {
	watching := r.Conversation.Watching
	switch {
	case u.Snake && !u.Inside || u.Def == "CurrentModeUpdate" && u.Key == "modeId":
		return true
	case r.Method == "session/status" && u.Path == "" && u.Key == "state" && watching["status.state.v1-absent"]:
		return true
	case r.Method == "initialize" && u.Path == "/agentCapabilities" && u.Key == "status" && watching["status.capability.path-v1"]:
		return true
	}
	return slices.ContainsFunc(r.Schema(), func(f schemas.Finding) bool {
		return f.Problem == schemas.Missing && u.Nearest != "" && f.Path == u.Path+"/"+u.Nearest
	})
}

// widespread are members outside of _meta that are in common use and do no harm, and the keywords of a form's JSON Schema.
func widespread(r *rule.Reading, u schemas.Unknown) bool {
	holder := r.Part
	if u.Path == "/update" {
		holder = r.Body
	}
	id, _ := text(wire.Member(holder, "sessionId"))
	switch top := u.Path == ""; {
	case u.Key == "usage" && top, under(u.Path, "/usage"):
		return r.Method == "session/prompt"
	case u.Key == "models" && top:
		return slices.Contains([]string{"session/new", "session/load", "session/resume", "session/fork"}, r.Method)
	case u.Key == "sessionId" && (top || u.Path == "/update"):
		return id == r.Session
	}
	return r.Method == "elicitation/create" && under(u.Path, "/requestedSchema")
}

var extMethodUnderscore = rule.Rule{
	ID:    "ext.method-underscore",
	Title: "methods that the protocol does not know begin with an underscore",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "extensibility", Anchor: "extension-methods"},
	Advice:   "Begin the name of a method of your own with an underscore: any other name may get a meaning in a later edition of the protocol.",
	Mild:     "whoever does not know a method that begins with $/ may pass over it",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.Mine() || r.Broken != wire.Whole || r.Kind != wire.Request && r.Kind != wire.Notification {
			return
		}
		l.Occasion()
		specified, stable := methodStanding(r)
		f := rule.Finding{Why: "the agent calls " + r.Method + ", which is no method of the protocol",
			Expected: "a name that begins with an underscore", Found: r.Method, Cite: r.Cite()}
		switch {
		case specified && stable || strings.HasPrefix(r.Method, "_"):
		case specified:
			l.Note(rule.Finding{Why: "the agent calls " + r.Method + ", a method of the unstable edition", Found: r.Method, Cite: r.Cite()})
		case strings.HasPrefix(r.Method, "$/"): // whoever does not know such a method may pass over it
			l.Soft(f)
		default:
			l.Broken(f)
		}
	}),
}

// methodStanding tells whether any edition knows the method, whoever may call it, and whether it needs no opt-in.
func methodStanding(r *rule.Reading) (specified, stable bool) {
	if r.Known {
		return true, r.Definition.Stable
	}
	e := r.Conversation.Edition
	for _, known := range slices.Concat(e.Methods(), schemas.Ours().Edition(e.Protocol(), false).Methods()) {
		if known.Method == r.Method {
			return true, known.Stable
		}
	}
	return false, false
}
