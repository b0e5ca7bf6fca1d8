package compare

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// Difference is a value that is not what it was; an empty text means that there was, or is, none.
type Difference struct {
	What string `json:"what"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// plain is a value as JSON has it.
func plain(v any) any {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	var out any
	_ = json.Unmarshal(b, &out)
	return out
}

// differences compares two values of JSON, member by member.
func differences(path string, a, b any) []Difference {
	x, isX := a.(map[string]any)
	y, isY := b.(map[string]any)
	if !isX || !isY {
		if reflect.DeepEqual(a, b) {
			return nil
		}
		return []Difference{{path, shown(a), shown(b)}}
	}
	names := map[string]bool{}
	for name := range x {
		names[name] = true
	}
	for name := range y {
		names[name] = true
	}
	var all []Difference
	sorted := make([]string, 0, len(names))
	for name := range names {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	for _, name := range sorted {
		inner := name
		if path != "" {
			inner = path + "." + name
		}
		vx, hasX := x[name]
		vy, hasY := y[name]
		switch {
		case hasX && hasY:
			all = append(all, differences(inner, vx, vy)...)
		case hasX:
			all = append(all, Difference{inner, shown(vx), ""})
		default:
			all = append(all, Difference{inner, "", shown(vy)})
		}
	}
	return all
}

func shown(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// A time counts as another one where it is more than so many times, and so much, longer or shorter: a run is no benchmark.
const (
	timesLonger = 2
	millisMore  = 100
)

func timings(old, now result.Run) []Difference {
	var all []Difference
	compare := func(what string, a, b int64) {
		if low, high := min(a, b), max(a, b); high > timesLonger*low && high-low > millisMore {
			all = append(all, Difference{what, fmt.Sprintf("%d ms", a), fmt.Sprintf("%d ms", b)})
		}
	}
	compare("the run", old.DurationMs, now.DurationMs)
	compare("a round trip", old.Survey.RoundTripMs, now.Survey.RoundTripMs)
	before := map[string]result.Outcome{}
	for _, o := range old.Rules {
		before[o.ID] = o
	}
	for _, o := range now.Rules {
		if was, ok := before[o.ID]; ok && was.Verdict.Concluded() && o.Verdict.Concluded() {
			compare(o.ID, was.DurationMs, o.DurationMs)
		}
	}
	return all
}
