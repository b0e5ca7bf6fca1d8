package main

import (
	"cmp"
	"fmt"
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

// clientsBy goes on a sentence about an area: how a client is judged by the rules there that are about clients, if there are any.
func clientsBy(area string) string {
	if !slices.ContainsFunc(rules.Client(), func(r rule.Rule) bool { return r.Area() == area }) {
		return ""
	}
	return fmt.Sprintf(", `%s client --rules %s ./driver` a client by those about clients", programName, area)
}

// misplaced finds the name of a change that belongs to the other side, and says how it is written there.
func misplaced(kind string, names []string, theirs []fakeagent.Fault, owner, command string) error {
	for _, name := range names {
		if slices.Contains(namesOf(theirs), name) {
			return fmt.Errorf("%s is a %s of %s: write `%s --%s %s`", name, kind, owner, command, kind, name)
		}
	}
	return nil
}

// ofReference finds changes of the reference client where those of the fake agent stand.
func ofReference(faults, variants []string) error {
	const owner, command = "the reference client", programName + " client " + referenceName
	return cmp.Or(misplaced("fault", faults, ofClient(reference.Faults()), owner, command), misplaced("variant", variants, ofClient(reference.Variants()), owner, command))
}

// ofFake finds changes of the fake agent where those of the reference client stand.
func ofFake(faults, variants []string) error {
	const owner, command = "the fake agent", programName + " " + fakeName
	return cmp.Or(misplaced("fault", faults, fakeagent.Faults(), owner, command), misplaced("variant", variants, fakeagent.Variants(), owner, command))
}

// ofClient are the changes of the reference client in the form of a list of faults.
func ofClient(changes []reference.Change) []fakeagent.Fault {
	var all []fakeagent.Fault
	for _, c := range changes {
		all = append(all, fakeagent.Fault{Name: c.Name, Description: c.Description, Subject: rule.Client, Protocols: c.Protocols})
	}
	return all
}
