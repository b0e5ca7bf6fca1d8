package fakeagent

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestUnknownNames(t *testing.T) {
	for want, cfg := range map[string]Config{
		`unknown fault "stdout-baner"; did you mean "stdout-banner"?`:         {Faults: []string{"stdout-baner"}},
		`unknown variant "uuid-session-id"; did you mean "uuid-session-ids"?`: {Variants: []string{"uuid-session-id"}},
		`unknown capability "loadsesion"; did you mean "loadSession"?`:        {Without: []string{"loadsesion"}},
	} {
		if _, err := New(cfg); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestTables(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range slices.Concat(Faults(), InputFaults(), Variants()) {
		if seen[f.Name] {
			t.Errorf("%s is there twice", f.Name)
		}
		seen[f.Name] = true
		if f.Description == "" || f.Subject == "" || len(f.Protocols) == 0 {
			t.Errorf("%s is incomplete: %+v", f.Name, f)
		}
		if len(f.Replaces()) == 0 {
			t.Errorf("%s replaces nothing", f.Name)
		}
	}
	for _, f := range append(Faults(), InputFaults()...) {
		inVersion := map[bool]int{} // those of version 2 alone count for themselves
		for _, name := range f.Replaces() {
			inVersion[strings.HasSuffix(name, "2")]++
		}
		if inVersion[false] > 2 || inVersion[true] > 2 {
			t.Errorf("%s is broad: %v", f.Name, f.Replaces())
		}
	}
	if n := len(Variants()); n < 24 {
		t.Errorf("only %d variants", n)
	}
	v := reflect.TypeOf(Behaviour{})
	for i := range v.NumField() {
		if v.Field(i).Type.Kind() != reflect.Func {
			t.Errorf("%s is no function", v.Field(i).Name)
		}
	}
}

// What a name that ends in 2 takes the place of must be replaced with it, unless the one calls the other.
func TestFaultsOfBothVersionsReplaceBoth(t *testing.T) {
	callsTheOther := []string{"Status", "CheckPrompt"}
	members := reflect.TypeOf(Behaviour{})
	for _, f := range slices.Concat(Faults(), InputFaults(), Variants()) {
		if len(f.Protocols) < 2 {
			continue
		}
		replaced := f.Replaces()
		for _, name := range replaced {
			_, counterpart := members.FieldByName(name + "2")
			if counterpart && !slices.Contains(replaced, name+"2") && !slices.Contains(callsTheOther, name) {
				t.Errorf("%s replaces %s, but not %s2", f.Name, name, name)
			}
		}
	}
}

func TestRecord(t *testing.T) {
	agent, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	touched := map[string]bool{}
	agent.Record(func(field string) {
		mu.Lock()
		defer mu.Unlock()
		touched[field] = true
	})
	p := serve(t, agent)
	p.prompt(p.open(everything), "hello")
	p.close()
	for field, want := range map[string]bool{"Initialize": true, "NewSession": true, "Reply": true, "MessageChunk": true, "Frame": true,
		"Cancel": false, "Plan": false, "ParseError": false} {
		if touched[field] != want {
			t.Errorf("%s: touched %v, want %v", field, touched[field], want)
		}
	}
}
