// Package schemas says what the Agent Client Protocol says about shapes: which methods exist, who sends them, and
// which members their params and results have. The definitions are data, one JSON Schema file per topic; this
// package looks them up, checks one part of a message against one definition, and explains what it found in words.
//
// A part is the params of a request or notification, the result of a response, or any value inside of these. The
// envelope around it (jsonrpc, id, method) is not this package's business, and neither are rules that a schema
// cannot state: absolute paths, unique ids, options that must contain the current value.
package schemas

import (
	"cmp"
	"slices"
)

// Side is one of the two ends of a connection, seen as the sender of a message:
// https://agentclientprotocol.com/protocol/v1/overview
type Side string

// The client is the editor, the agent the program that it starts.
const (
	Client Side = "client"
	Agent  Side = "agent"
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
	Edition string // "v1"
	Method  string // "session/prompt"; for a Result the method of the request it answers
	Kind    Kind
	Name    string // "PromptRequest"
	Sender  Side
	Stable  bool
}

// Methods returns every definition of a protocol version, sorted by method, then sender, then kind.
// It is empty for a version this package does not know. https://agentclientprotocol.com/protocol/v1/schema
func Methods(protocol int) []Definition {
	e := editionOf(protocol)
	if e == nil {
		return nil
	}
	var all []Definition
	for i := range e.catalog.methods {
		row := &e.catalog.methods[i]
		for _, side := range []Side{Client, Agent} {
			for _, kind := range []Kind{Request, Notification, Result} {
				if d, ok := row.definition(e, side, kind); ok {
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

// Stable returns the part of Methods that needs no opt-in: https://agentclientprotocol.com/protocol/v1/schema
func Stable(protocol int) []Definition {
	return slices.DeleteFunc(Methods(protocol), func(d Definition) bool { return !d.Stable })
}

// Lookup finds the definition of a part by its method, the side that sent it and its kind; the sender of a Result is
// the side that answers. It reports false for a method that the sender may not use in this protocol version.
// https://agentclientprotocol.com/protocol/v1/schema
func Lookup(protocol int, method string, sender Side, kind Kind) (Definition, bool) {
	e := editionOf(protocol)
	if e == nil {
		return Definition{}, false
	}
	for i := range e.catalog.methods {
		if row := &e.catalog.methods[i]; row.method == method {
			return row.definition(e, sender, kind)
		}
	}
	return Definition{}, false
}

// Updates returns the names that the sessionUpdate member may have, sorted:
// https://agentclientprotocol.com/protocol/v1/schema#sessionupdate
func Updates(protocol int) []string {
	e := editionOf(protocol)
	if e == nil {
		return nil
	}
	set, err := e.load()
	if err != nil {
		return nil
	}
	if sw := switchOf(set.byName["SessionUpdate"]); sw != nil {
		return slices.Clone(sw.names)
	}
	return nil
}

// KnownUnstable reports whether a method exists in the unstable edition only, so that a rule can tell a peer that is
// ahead of the stable edition from one that made a method up. Its shape is not known here.
// https://agentclientprotocol.com/protocol/v1/draft/schema
func KnownUnstable(protocol int, method string) bool {
	e := editionOf(protocol)
	return e != nil && slices.Contains(e.catalog.unstableMethods, method)
}

// UnstableUpdate reports whether a sessionUpdate name exists in the unstable edition only. Its shape is not known here.
// https://agentclientprotocol.com/protocol/v1/draft/schema
func UnstableUpdate(protocol int, name string) bool {
	e := editionOf(protocol)
	return e != nil && slices.Contains(e.catalog.unstableUpdates, name)
}

// UnstableMember reports whether a definition has a member of this name in the unstable edition only, as
// PromptResponse has usage. https://agentclientprotocol.com/protocol/v1/draft/schema
func UnstableMember(protocol int, def, key string) bool {
	e := editionOf(protocol)
	return e != nil && slices.Contains(e.catalog.unstableMembers[def], key)
}

// catalog is what an edition knows besides shapes.
type catalog struct {
	methods []methodRow
	// Names that only the unstable edition has. Names, not shapes: enough to tell newer from unknown.
	unstableMethods []string
	unstableUpdates []string
	unstableMembers map[string][]string // by definition
}

// methodRow is a method and the sides that may send it; a row without result is a notification.
type methodRow struct {
	method         string
	senders        []Side
	params, result string
}

// definition returns what a side may send under this method as a part of this kind.
func (r *methodRow) definition(e *edition, sender Side, kind Kind) (Definition, bool) {
	d := Definition{Edition: e.name, Method: r.method, Kind: kind, Name: r.params, Sender: sender, Stable: true}
	requester := sender
	if kind == Result {
		d.Name = r.result
		requester = Agent
		if sender == Agent {
			requester = Client
		}
	}
	if (kind == Notification) != (r.result == "") || !slices.Contains(r.senders, requester) {
		return Definition{}, false
	}
	return d, true
}
