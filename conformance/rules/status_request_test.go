package rules

import (
	"bytes"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// An answer that is not the one that is owed is not called silence: the finding says what came.
func TestTheMethodNameRuleSaysWhatWasAnswered(t *testing.T) {
	const id = `"id":5000001`
	for _, c := range []struct{ what, in, out, found, why string }{
		{"nothing", "", "", "", "was never answered"},
		{"another id", id, `"id":"5000001"`, `a response with the id "5000001"`, "was not answered under that id"},
		{"no id", id, `"member":0`, "a response with no id", "was not answered under that id"},
		{"no message", "{", "oops {", `a line that is no message: oops {"jsonrpc"`, "was not answered under that id"},
	} {
		a := tried{garble: func(line []byte) []byte {
			switch {
			case !bytes.Contains(line, []byte(id)):
				return line
			case c.in == "":
				return nil
			}
			return bytes.Replace(line, []byte(c.in), []byte(c.out), 1)
		}}
		o := a.judged(t, statusMethodName)
		if o.Verdict != result.Fail || len(o.Evidence) == 0 {
			t.Errorf("%s: %s %s", c.what, o.Verdict, o.Reason)
			continue
		}
		e := o.Evidence[0]
		if !strings.Contains(e.Explanation, "the id 5000001 "+c.why) || !strings.HasPrefix(e.Actual, c.found) || e.Expected != "a response with the id 5000001" {
			t.Errorf("%s: %s; expected %s, found %s", c.what, e.Explanation, e.Expected, e.Actual)
		}
		if c.found != "" && len(e.Frames) < 2 {
			t.Errorf("%s: the answer is not cited: %+v", c.what, e.Frames)
		}
	}
}
