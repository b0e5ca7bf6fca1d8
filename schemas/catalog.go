// Package schemas says what the Agent Client Protocol says about shapes: which methods exist, who sends them, and
// which members their params and results have. The definitions are data, one JSON Schema file per topic; this
// package looks them up, checks one part of a message against one definition, and explains what it found in words.
//
// A part is the params of a request or notification, the result of a response, or any value inside of these. The
// envelope around it (jsonrpc, id, method) is not this package's business, and neither are rules that a schema
// cannot state: unique ids, options that must contain the current value.
package schemas

import (
	"cmp"
	"slices"
)

// Side is one of the ends of a connection, seen as the sender of a message:
// https://agentclientprotocol.com/protocol/v1/overview
type Side string

// The client is the editor, the agent the program that it starts. A Proxy stands between two agents; what it says to
// its conductor is described here and judged by nobody.
const (
	Client Side = "client"
	Agent  Side = "agent"
	Proxy  Side = "proxy"
)

// Kind is the part that a message carries: https://agentclientprotocol.com/protocol/v1/overview
type Kind string

// The kinds of a Definition. A Result is the answer to a Request and is sent by the side that got the request.
const (
	Request      Kind = "request"
	Notification Kind = "notification"
	Result       Kind = "result"
)

// Definition says which named definition describes the part that a sender may put on the wire under a method.
// The methods are listed on https://agentclientprotocol.com/protocol/v1/schema
type Definition struct {
	Edition *Edition
	Method  string // "session/prompt"; for a Result the method of the request it answers
	Kind    Kind
	Name    string // "PromptRequest"
	Sender  Side
	Stable  bool // the method needs no opt-in
}

// methodRow is a method and the sides that may send it; a row without result is a notification.
type methodRow struct {
	method         string
	senders        []Side
	params, result string
	unstable       bool
}

var (
	fromClient = []Side{Client}
	fromAgent  = []Side{Agent}
	fromBoth   = []Side{Agent, Client}
	fromProxy  = []Side{Proxy}
)

// definition returns what a side may send under this method as a part of this kind.
func (r *methodRow) definition(e *Edition, sender Side, kind Kind) (Definition, bool) {
	d := Definition{Edition: e, Method: r.method, Kind: kind, Name: r.params, Sender: sender, Stable: !r.unstable}
	requester := sender
	if kind == Result {
		d.Name = r.result
		requester = other(sender)
	}
	if (kind == Notification) != (r.result == "") || !slices.Contains(r.senders, requester) {
		return Definition{}, false
	}
	return d, true
}

func other(s Side) Side {
	switch s {
	case Client:
		return Agent
	case Agent:
		return Client
	}
	return s
}

// Methods are all definitions that belong to a method, sorted by method, then sender, then kind.
// https://agentclientprotocol.com/protocol/v1/schema
func (e *Edition) Methods() []Definition {
	src, err := e.source()
	if err != nil {
		return nil
	}
	var all []Definition
	for i := range src.methods {
		for _, side := range []Side{Client, Agent, Proxy} {
			for _, kind := range []Kind{Request, Notification, Result} {
				if d, ok := src.methods[i].definition(e, side, kind); ok {
					all = append(all, d)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b Definition) int {
		return cmp.Or(cmp.Compare(a.Method, b.Method), cmp.Compare(a.Sender, b.Sender), cmp.Compare(a.Kind, b.Kind))
	})
	return all
}

// Lookup finds the definition of a part by its method, the side that sent it and its kind; the sender of a Result is
// the side that answers. It reports false for a method that the sender may not use.
// https://agentclientprotocol.com/protocol/v1/schema
func (e *Edition) Lookup(method string, sender Side, kind Kind) (Definition, bool) {
	src, err := e.source()
	if err != nil {
		return Definition{}, false
	}
	for i := range src.methods {
		if row := &src.methods[i]; row.method == method {
			if d, ok := row.definition(e, sender, kind); ok {
				return d, true
			}
		}
	}
	return Definition{}, false
}

// Meanings are the definitions of what a method carries as a request or notification, whoever sends it; none for a method
// that the edition does not know. https://agentclientprotocol.com/protocol/v1/schema
func (e *Edition) Meanings(method string) []Definition {
	return slices.DeleteFunc(e.Methods(), func(d Definition) bool { return d.Method != method || d.Kind == Result })
}
