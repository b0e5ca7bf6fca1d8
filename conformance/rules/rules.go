// Package rules is the contract: one file per page of the specification, in its order.
//
// A rule's id, level, basis and stability are those of its row in catalogue.csv; its title is a sentence that is true of a
// conforming agent.
package rules

import (
	"slices"

	"github.com/acp-conform/acp-conform/conformance/rule"
)

// All is the contract, in the order of the specification.
func All() []rule.Rule {
	return slices.Concat(
		transport(),
		jsonrpcFrames(),
		jsonrpcIDs(),
		jsonrpcInput(),
		jsonrpcConcurrency(),
		jsonrpcErrors(),
		errorCodes(),
		initialization(),
		sessionSetup(),
		configOptions(),
		promptTurn(),
		update(),
		message(),
		content(),
		tools(),
		stateUpdates(),
		fileSystem(),
		terminals(),
		cancellation(),
		elicitation(),
		extensibility(),
		schema(),
		subagents(),
		status(),
	)
}

// v1 are the versions that most rules of this package belong to.
var v1 = rule.Only(1)

// v2 are the versions of what exists in version 2 only, and both of what is the same in it.
var (
	v2   = rule.Only(2)
	both = rule.Only(1, 2)
)
