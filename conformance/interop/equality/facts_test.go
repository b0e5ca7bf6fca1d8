package equality

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/schemas"
)

// errorCodes are the codes that our rules and pages know, by protocol version; our schemas take any integer of 32 bits.
var errorCodes = map[int][]string{
	1: {"-32000", "-32002", "-32600", "-32601", "-32602", "-32603", "-32700", "-32800"},
	2: {"-32000", "-32002", "-32022", "-32600", "-32601", "-32602", "-32603", "-32700", "-32800"},
}

// same reports what only one of two sorted lists has.
func same(t *testing.T, what string, official, ours []string) {
	t.Helper()
	for _, name := range official {
		if !slices.Contains(ours, name) {
			t.Errorf("%s: %s is official, and we do not have it", what, name)
		}
	}
	for _, name := range ours {
		if !slices.Contains(official, name) {
			t.Errorf("%s: %s is ours, and not official", what, name)
		}
	}
}

func TestNamesAreTheOfficialOnes(t *testing.T) {
	for _, o := range editions(t) {
		ours := schemas.Ours().Edition(o.protocol, o.stable)
		if ours.Name() != o.name {
			t.Errorf("edition %s is called %s", o.name, ours.Name())
		}
		if len(o.unknown) > 0 {
			t.Errorf("%s has keywords that this package does not know yet: %v", o.name, o.unknown)
		}
		same(t, o.name+" definitions", o.names, ours.Definitions())
		same(t, o.name+" methods", o.methods(), methodsOf(ours))
		same(t, o.name+" updates", o.defs["SessionUpdate"].consts("sessionUpdate"), ours.Updates())
		same(t, o.name+" error codes", o.codes(), errorCodes[o.protocol])
	}
}

// methods gives a line for each side that may send a definition under a method. x-side is the side that handles the message.
func (o *official) methods() []string {
	senders := map[string][]string{
		"agent": {"client"}, "client": {"agent"}, "proxy": {"proxy"}, "protocol": {"agent", "client"},
	}
	answers := map[string][]string{"agent": {"agent"}, "client": {"client"}, "proxy": {"proxy"}}
	var all []string
	for _, name := range o.names {
		def := o.raw[name].(map[string]any)
		if !o.bearsMethod(name) {
			continue
		}
		side, kind := senders[def["x-side"].(string)], "request"
		switch {
		case strings.HasSuffix(name, "Notification"):
			kind = "notification"
		case strings.HasSuffix(name, "Response"):
			side, kind = answers[def["x-side"].(string)], "result"
		}
		for _, sender := range side {
			all = append(all, fmt.Sprintf("%s as the %s of the %s: %s", def["x-method"], kind, sender, name))
		}
		if len(side) == 0 {
			all = append(all, fmt.Sprintf("%s with the unknown x-side %s", name, def["x-side"]))
		}
	}
	return all
}

func methodsOf(e *schemas.Edition) []string {
	var all []string
	for _, d := range e.Methods() {
		all = append(all, fmt.Sprintf("%s as the %s of the %s: %s", d.Method, d.Kind, d.Sender, d.Name))
	}
	return all
}

// TestStableMethods looks at what the unstable editions call stable.
func TestStableMethods(t *testing.T) {
	stable := map[int][]string{}
	for _, o := range editions(t) {
		if o.stable {
			stable[o.protocol] = o.methods()
			continue
		}
		var called []string
		for _, d := range schemas.Ours().Edition(o.protocol, false).Methods() {
			if d.Stable {
				called = append(called, fmt.Sprintf("%s as the %s of the %s: %s", d.Method, d.Kind, d.Sender, d.Name))
			}
		}
		same(t, o.name+" stable methods", stable[o.protocol], called)
	}
}

func (o *official) codes() []string {
	t := traits{}
	officialTraits(o.raw["ErrorCode"], "", t)
	return t["values "]
}
