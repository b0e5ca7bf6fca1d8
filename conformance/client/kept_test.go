package client

import (
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// A long line does not crowd out what was said before it, and of many of them the newest are whole.
func TestLongLinesCrowdOutNothing(t *testing.T) {
	long := `{"_meta":{"x":"` + strings.Repeat("y", 3<<20) + `"}}`
	c, _ := connect(t, script{on: func(m message) []string {
		return []string{`{"jsonrpc":"2.0","method":"_small/note"}`, result(m, long)}
	}}, patient)
	const most = 5
	var calls []*Call
	for range most {
		call := c.Start("_go", nil)
		calls = append(calls, call)
		if a := call.Wait(); !a.OK() || len(a.Result) != len(long) {
			t.Fatal(a)
		}
	}
	notes, whole := 0, 0
	for _, l := range c.Since(0) {
		if l.Name == "_small/note" {
			notes++
		}
		if l.Result != nil {
			whole++
		} else if l.Name == "" && (l.Key() == "" || l.Dropped == 0 || len(l.Line) != stubBytes) {
			t.Errorf("a stub of %d bytes, %d dropped, with the id %q", len(l.Line), l.Dropped, l.Key())
		}
	}
	if notes != most || whole != 1 {
		t.Errorf("%d notes and %d whole answers are left", notes, whole)
	}
	for i, call := range calls {
		answers := call.Answers()
		if len(answers) != 1 || (answers[0].Result != nil) != (i == most-1) {
			t.Errorf("answer %d: %d of them", i, len(answers))
		}
	}
}

// What nobody has taken yet is kept, however long it is.
func TestLongAnswersWaitToBeTaken(t *testing.T) {
	long := `{"_meta":{"x":"` + strings.Repeat("y", 3<<20) + `"}}`
	c, _ := connect(t, script{on: func(m message) []string { return []string{result(m, long)} }}, patient)
	var calls []*Call
	for range 3 {
		calls = append(calls, c.Start("_go", nil))
	}
	if a := calls[2].Wait(); !a.OK() {
		t.Fatal(a)
	}
	for i, call := range calls {
		if a := call.Wait(); !a.OK() || len(a.Result) != len(long) {
			t.Errorf("answer %d: %s", i, a)
		}
	}
}

// What is counted is what is there, whatever was cut or forgotten; else short lines would be forgotten that have just come.
func TestWhatIsRememberedIsCounted(t *testing.T) {
	var r record
	line := func(n int) { r.receive(Line{Frame: wire.Frame{From: wire.Agent, Line: make([]byte, n)}}) }
	for _, n := range []int{1 << 20, 100 << 10, 3 << 20, 10} {
		for range 200 {
			line(n)
		}
	}
	mark := r.mark()
	for range 5000 {
		line(1000)
	}
	sum := 0
	for _, l := range r.agent {
		sum += min(len(l.Line), longLine)
	}
	if sum != r.bytes {
		t.Errorf("%d bytes are counted, and %d are there", r.bytes, sum)
	}
	if n := len(r.since(mark)); n < 2000 {
		t.Errorf("of 5000 short lines %d are remembered", n)
	}
}
