package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// jsonrpcIDs are the rules about who answers what, by https://agentclientprotocol.com/protocol/v1/overview#error-handling.
func jsonrpcIDs() []rule.Rule {
	return []rule.Rule{jsonrpcExactlyOneResponse, jsonrpcRequestIDValid, jsonrpcRequestIDNotNull, jsonrpcRequestIDUnique}
}

var jsonrpcExactlyOneResponse = rule.Rule{
	ID:    "jsonrpc.exactly-one-response",
	Title: "every request gets exactly one response",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "overview", Anchor: "error-handling"},
	Advice:   "Answer each request once, with its own id: check for code paths that answer twice, and for ones that forget to answer.",
	Occasion: rule.Always,
	Watch:    func() rule.Watcher { return &responses{silent: map[string]rule.Finding{}} },
}

// responses counts the answers to our requests. A request that was given up is judged at the end of the connection: until then
// its answer may still come, late but once.
type responses struct {
	silent map[string]rule.Finding
	odd    bool // a response had an id that no request can have: it may be the one that is missing
}

func (w *responses) See(l *rule.Log, r *rule.Reading) {
	switch {
	case r.Remark != nil:
		if x := unanswered(r); x != nil {
			w.silent[string(r.Remark.Unanswered)] = rule.Finding{Why: fmt.Sprintf("%s was never answered: %s", x.Method, r.Remark.Why),
				Expected: "one response", Found: "none", Cite: []wire.Frame{x.Request}}
		}
		if r.Remark.Closing {
			w.judge(l) // what comes out when we close its input comes too late
		}
	case !r.Mine() || r.Kind != wire.Response || r.Broken != wire.Whole && r.Broken < wire.RungShape:
	case r.Broken == wire.RungID:
		w.odd = true
		l.Occasion()
		l.Broken(rule.Finding{Why: "a response has an id that no request can have: " + r.Why, Expected: "the id of a request", Found: r.ID, Cite: r.Cite()})
	case r.Asked.Seq > 0:
		l.Occasion()
		delete(w.silent, r.Key())
		if r.Nth > 1 {
			l.Broken(rule.Finding{Why: fmt.Sprintf("%s was answered %d times", r.Method, r.Nth), Expected: "one response", Found: r.Nth, Cite: r.Cite()})
		}
	case r.Broken == wire.Whole && (r.Error == nil || string(r.ID) != "null"):
		l.Occasion()
		l.Broken(rule.Finding{Why: "a response has an id that no request had", Expected: "the id of a request", Found: r.ID, Cite: r.Cite()})
	}
}

func (w *responses) End(l *rule.Log, _ *rule.Conversation) { w.judge(l) }

func (w *responses) judge(l *rule.Log) {
	if w.odd {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(w.silent)) {
		l.Occasion()
		l.Broken(w.silent[id])
		delete(w.silent, id)
	}
}

var jsonrpcRequestIDValid = rule.Rule{
	ID:    "jsonrpc.request-id-valid",
	Title: "the ids of the agent's messages are strings or integers",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "schema", Anchor: "RequestId"},
	Advice:   "Use strings or whole numbers as ids, never fractions, booleans or objects.",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !whole(r, wire.RungID) || r.Kind != wire.Request || string(r.ID) == "null" {
			return
		}
		l.Occasion()
		if r.Broken == wire.RungID {
			l.Broken(rule.Finding{Why: "the id of a request of the agent is not valid: " + r.Why, Expected: "a string or an integer", Found: r.ID, Cite: r.Cite()})
		}
	}),
}

var jsonrpcRequestIDNotNull = rule.Rule{
	ID:    "jsonrpc.request-id-not-null",
	Title: "the agent's requests have an id that is not null",
	Level: rule.Should, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "schema", Anchor: "RequestId"},
	Advice:   "Give every request an id: null is for answers to messages that could not be read, and many libraries take it for a notification.",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !whole(r, wire.RungID) || r.Kind != wire.Request {
			return
		}
		l.Occasion()
		if string(r.ID) == "null" {
			l.Broken(rule.Finding{Why: "a request of the agent has the id null", Expected: "a string or an integer", Found: r.ID, Cite: r.Cite()})
		}
	}),
}

var jsonrpcRequestIDUnique = rule.Rule{
	ID:    "jsonrpc.request-id-unique",
	Title: "the agent does not reuse the id of a request that is still open",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "schema", Anchor: "RequestId"},
	Advice:   "Count ids up, one counter for each connection; the client's ids are a space of their own and may be equal.",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !whole(r, wire.RungID) || r.Kind != wire.Request || string(r.ID) == "null" {
			return
		}
		l.Occasion()
		if x := r.Conversation.Asking[r.Key()]; x != nil && r.Broken == wire.Whole {
			l.Broken(rule.Finding{Why: fmt.Sprintf("the id of a request is that of %s, which is still open", x.Method), Expected: "an id of its own",
				Found: r.ID, Cite: []wire.Frame{x.Request, r.Frame}})
		}
	}),
}
