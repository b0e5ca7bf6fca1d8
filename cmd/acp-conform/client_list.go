package main

import (
	"slices"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/judge/reference"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// everyRule are the rules about agents, then those about clients.
func everyRule() []rule.Rule { return slices.Concat(conformance.Rules(), rules.Client()) }

// everyFault are the faults of the fake agent, then those of the reference client.
func everyFault() []fakeagent.Fault {
	return slices.Concat(fakeagent.Faults(), ofClient(reference.Faults()))
}

// everyVariant are the legal variants of both.
func everyVariant() []fakeagent.Fault {
	return slices.Concat(fakeagent.Variants(), ofClient(reference.Variants()))
}

// ofClient are the changes of the reference client in the form of a list of faults.
func ofClient(changes []reference.Change) []fakeagent.Fault {
	var all []fakeagent.Fault
	for _, c := range changes {
		all = append(all, fakeagent.Fault{Name: c.Name, Description: c.Description, Subject: rule.Client, Protocols: c.Protocols})
	}
	return all
}
