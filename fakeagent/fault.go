package fakeagent

import (
	"reflect"
	"slices"
)

// Fault is a named way to differ from the default: a wrong one (Faults) or a legal one (Variants).
type Fault struct {
	Name        string
	Description string // one sentence
	Subject     string // who is judged by it: "agent"
	Protocols   []int  // the protocol versions in which it exists
	Process     bool   // only meaningful in a process of its own
	Break       func(b *Behaviour)
}

// Replaces names the members of Behaviour that the fault changes.
func (f Fault) Replaces() []string {
	before, after := defaultBehaviour(), defaultBehaviour()
	f.Break(after)
	var names []string
	old, now := reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem()
	for i := range old.NumField() {
		if old.Field(i).Pointer() != now.Field(i).Pointer() {
			names = append(names, old.Type().Field(i).Name)
		}
	}
	return names
}

// Record has touch called with the name of a member of Behaviour whenever that member is called. touch must be safe for
// use by several goroutines. Call Record before Serve.
func (a *Agent) Record(touch func(field string)) {
	v := reflect.ValueOf(a.Behaviour).Elem()
	for i := range v.NumField() {
		name, inner := v.Type().Field(i).Name, reflect.ValueOf(v.Field(i).Interface())
		v.Field(i).Set(reflect.MakeFunc(inner.Type(), func(args []reflect.Value) []reflect.Value {
			touch(name)
			return inner.Call(args)
		}))
	}
}

// bothVersions is for rows that exist in version 2, too, unless they say otherwise.
func bothVersions(rows []Fault) []Fault {
	for i := range rows {
		if rows[i].Protocols == nil {
			rows[i].Protocols = []int{firstVersion, latestVersion}
		}
	}
	return rows
}

// Faults lists the ways in which the agent can be wrong, sorted by area of the protocol.
func Faults() []Fault {
	return table(wireFaults(), processFaults(), envelopeFaults(), idFaults(), lineFaults(), unknownFaults(), errorFaults(),
		initializeFaults(), capabilityFaults(), newSessionFaults(), settingsFaults(), storedSessionFaults(), mcpFaults(),
		promptFaults(), turnFaults(), updateFaults(), messageFaults(), contentFaults(), toolFaults(), valueFaults(), textFaults(),
		extensionFaults(), cancelFaults(), cancelledTurnFaults(), clientFaults(), statusFaults())
}

// Variants lists legal behaviours that differ from the default.
func Variants() []Fault {
	return table(wireVariants(), sessionVariants(), turnVariants(), valueVariants(),
		bothVersions(slices.Concat(statusVariants(), storedVariants(), sharingVariants(), listVariants(), stateVariants())))
}

// table fills in what all rows have in common.
func table(groups ...[]Fault) []Fault {
	var all []Fault
	for _, group := range groups {
		for _, f := range group {
			if f.Subject == "" {
				f.Subject = "agent"
			}
			if f.Protocols == nil {
				f.Protocols = []int{firstVersion}
			}
			all = append(all, f)
		}
	}
	return all
}
