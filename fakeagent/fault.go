package fakeagent

import (
	"maps"
	"reflect"
	"slices"
	"sync"
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
func Faults() []Fault { return faultGroups().all() }

// Variants lists legal behaviours that differ from the default.
func Variants() []Fault { return variantGroups().all() }

// faultGroups are the faults that an ordinary conversation shows.
func faultGroups() groups {
	return groups{wireFaults, processFaults, envelopeFaults, idFaults, lineFaults, unknownFaults, errorFaults,
		initializeFaults, capabilityFaults, newSessionFaults, settingsFaults, storedSessionFaults, mcpFaults,
		promptFaults, turnFaults, updateFaults, messageFaults, contentFaults, toolFaults, valueFaults, textFaults,
		extensionFaults, cancelFaults, cancelledTurnFaults, clientFaults, statusFaults}
}

func variantGroups() groups {
	return groups{wireVariants, sessionVariants, turnVariants, valueVariants, func() []Fault {
		return bothVersions(slices.Concat(statusVariants(), storedVariants(), sharingVariants(), listVariants(), stateVariants()))
	}}
}

// groups are the parts of a table. Each agent makes the rows that it needs for itself: what a row remembers is not shared.
type groups []func() []Fault

func (g groups) all() []Fault {
	var all []Fault
	for _, group := range g {
		all = append(all, rows(group)...)
	}
	return all
}

// rows are those of a group, with what all rows have in common filled in.
func rows(group func() []Fault) []Fault {
	all := group()
	for i := range all {
		if all[i].Subject == "" {
			all[i].Subject = "agent"
		}
		if all[i].Protocols == nil {
			all[i].Protocols = []int{firstVersion}
		}
	}
	return all
}

// table is a table of named rows, of which one is quickly found: thousands of agents are made that need one row each.
type table struct {
	kind   string
	groups groups
	place  func() map[string]int // the group by the name of the row
}

func newTable(kind string, g groups) *table {
	return &table{kind, g, sync.OnceValue(func() map[string]int {
		place := map[string]int{}
		for i, group := range g {
			for _, f := range group() {
				place[f.Name] = i
			}
		}
		return place
	})}
}

// The tables by which rows are found: faults of either kind, and variants.
var faultTable, variantTable = newTable("fault", append(faultGroups(), inputGroups()...)), newTable("variant", variantGroups())

// find makes the row of that name.
func (t *table) find(name string) (Fault, error) {
	i, ok := t.place()[name]
	if !ok {
		return Fault{}, unknownName(t.kind, name, slices.Sorted(maps.Keys(t.place())))
	}
	all := rows(t.groups[i])
	return all[slices.IndexFunc(all, func(f Fault) bool { return f.Name == name })], nil
}
