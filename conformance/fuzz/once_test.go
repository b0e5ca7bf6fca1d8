package fuzz

import (
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Each row is what an agent says once to a turn, how it stands then, and what comes of it: a line that it wrote is a finding, what is
// missing may be the fault of the machine.
func TestWhatIsSeenOnce(t *testing.T) {
	const fine = `{"jsonrpc":"2.0","id":20,"result":{"stopReason":"end_turn"}}`
	for name, c := range map[string]struct {
		say    []string
		deaf   bool // it answers nothing from then on
		stands state
		want   string
	}{
		"another id":    {[]string{strings.Replace(fine, "20", `"wrong-20"`, 1)}, false, met, "invalid answer, warning " + noOne},
		"two answers":   {[]string{fine, fine}, false, met, "duplicate answer, warning "},
		"no message":    {[]string{"hello", fine}, false, met, "invalid answer, warning form: the line is not one JSON value"},
		"no result":     {[]string{strings.Replace(fine, `"end_turn"`, "5", 1)}, false, met, "invalid answer, warning result of session/prompt /stopReason type StopReason"},
		"no answer":     {[]string{}, false, met, ""},
		"nothing again": {[]string{}, true, silent, ""},
	} {
		for when, change := range map[string]func(*run){"": nil, ", without time": func(r *run) { r.For, r.overtime = time.Nanosecond, 0 }} {
			t.Run(name+when, func(t *testing.T) {
				deaf := false
				launch := speaker(func(e wire.Envelope, connection int64) []string {
					switch { // the first one is the survey
					case connection != 2:
						return nil
					case string(e.ID) == "20":
						deaf = c.deaf
						return c.say
					case deaf:
						return []string{}
					}
					return nil
				})
				res := examined(t, launch, c.stands, change, promptStep(20, Answer))
				if got := foundIn(res); got != c.want || res.Verdict != Passed || len(res.Findings) > 0 && (!res.Findings[0].Once || len(res.Findings[0].Frames) == 0) {
					t.Errorf("%s: found %q, want %q\n%s", res.Verdict, got, c.want, res.show())
				}
				if unconfirmed := c.want == "" && change == nil; (len(res.Unconfirmed) > 0) != unconfirmed {
					t.Errorf("unconfirmed: %v", res.Unconfirmed)
				}
			})
		}
	}
}

// One cause that is seen once, several times, is one finding, and none if it is confirmed as well.
func TestOneCauseIsSeenOnce(t *testing.T) {
	var b book
	for _, f := range []*Finding{{Kind: Invalid, cause: "x", Found: 7, Seen: 1}, {Kind: Invalid, cause: "y", Found: 5, Seen: 1}, {Kind: Invalid, cause: "x", Found: 3, Seen: 1}} {
		b.sawOnce(f)
	}
	var res Result
	if b.into(&res); len(res.Findings) != 2 || res.Findings[0].Found != 3 || res.Findings[0].Seen != 2 || !res.Findings[0].Once || res.Findings[0].Severity != Warning {
		t.Errorf("%s", res.show())
	}
	b.add(&Finding{Kind: Invalid, cause: "x", Severity: Failure})
	if b.into(&res); len(res.Findings) != 2 || res.Findings[0].Once || res.Findings[1].cause != "y" {
		t.Errorf("%s", res.show())
	}
}

// What ended the agent may have cut its last line off.
func TestALineThatIsCutOffProvesNothing(t *testing.T) {
	half := speaker(func(e wire.Envelope, connection int64) []string {
		if connection == 2 && string(e.ID) == "20" {
			return []string{cut}
		}
		return nil
	})
	if got := foundIn(looked(t, half, nil, promptStep(20, Answer))); got != "crash, failure " {
		t.Errorf("found %q", got)
	}
}
