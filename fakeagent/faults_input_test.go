package fakeagent

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// unusual is for each fault the input that it breaks on. SESSION stands for the id of a session, and a line that ends in + comes in
// one piece with the next one.
var unusual = map[string][]string{
	"input-null-meta":          {`{"jsonrpc":"2.0","id":7,"method":"session/list","params":{"_meta":null}}`},
	"input-list-meta":          {`{"jsonrpc":"2.0","id":7,"method":"session/list","params":{"_meta":{"x":{"_meta":[]}}}}`},
	"input-long-text":          {`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"SESSION","prompt":[{"type":"text","text":"` + strings.Repeat("a", 70<<10) + `"}]}}`},
	"input-unknown-block":      {`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"SESSION","prompt":[{"type":"x"}]}}`},
	"input-big-integer":        {`{"jsonrpc":"2.0","id":7,"method":"session/list","params":{"_meta":{"x":[4294967296]}}}`},
	"input-duplicate-key":      {`{"jsonrpc":"2.0","id":7,"method":"session/list","params":{"_meta":{"x":1,"x":1}}}`},
	"input-deep-nesting":       {`{"jsonrpc":"2.0","id":7,"method":"session/list","params":{"_meta":` + strings.Repeat(`{"x":`, 100) + "1" + strings.Repeat("}", 100) + `}}`},
	"input-closed-session":     {`{"jsonrpc":"2.0","id":7,"method":"session/close","params":{"sessionId":"SESSION"}}`, `{"jsonrpc":"2.0","id":8,"method":"session/prompt","params":{"sessionId":"SESSION","prompt":[]}}`},
	"input-escaped-session-id": nil, // it is never quiet again
	"input-unknown-cancel":     {`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"x"}}`, `{"jsonrpc":"2.0","id":8,"method":"session/list","params":{}}`},
	"input-text-id":            {`{"jsonrpc":"2.0","id":"7","method":"session/list","params":{}}`},
	"input-zero-id":            {`{"jsonrpc":"2.0","id":0,"method":"session/list","params":{}}`},
	"input-two-at-once":        {`{"jsonrpc":"2.0","id":7,"method":"session/list","params":{}}+`, `{"jsonrpc":"2.0","id":8,"method":"session/list","params":{}}`},
	"input-early-cancel":       {`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"SESSION","prompt":[{"type":"text","text":"x"}]}}+`, `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"SESSION"}}`},
	"input-astral-text":        {`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"SESSION","prompt":[{"type":"text","text":"🙂"}]}}`},
	"input-large-id":           {`{"jsonrpc":"2.0","id":4294967297,"method":"session/list","params":{}}`},
	"input-long-title":         {`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"SESSION","prompt":[{"type":"text","text":"` + strings.Repeat("a", 70) + `"}]}}`, `{"jsonrpc":"2.0","id":8,"method":"session/list","params":{}}`},
	"input-proto-member":       {`{"jsonrpc":"2.0","id":7,"method":"session/list","params":{"__proto__":{}}}`},
	"input-request-without-id": {`{"jsonrpc":"2.0","method":"session/list","params":{}}`},
	"input-nul-character":      {`{"jsonrpc":"2.0","id":7,"method":"session/list","params":{"_meta":{"x":"\u0000"}}}`},
}

// ordinary is a conversation that shows none of the faults.
var ordinary = []string{
	`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"SESSION","prompt":[{"type":"text","text":"hello"}]}}`,
	`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"SESSION"}}`,
	`{"jsonrpc":"2.0","id":8,"method":"session/list","params":{}}`,
	`{"jsonrpc":"2.0","id":9,"method":"session/close","params":{"sessionId":"SESSION"}}`,
}

func TestInputFaultsShowOnUnusualInputAlone(t *testing.T) {
	if n := len(InputFaults()); n != 20 {
		t.Errorf("%d faults", n)
	}
	dir := t.TempDir()
	for _, f := range InputFaults() {
		lines, listed := unusual[f.Name]
		if !listed {
			t.Errorf("%s is in no table", f.Name)
		}
		for _, version := range f.Protocols {
			said := func(lines []string, faults ...string) string { return sayTo(t, dir, version, faults, lines) }
			if got, want := said(ordinary, f.Name), said(ordinary); got != want {
				t.Errorf("%s in version %d shows in an ordinary conversation:\n%s", f.Name, version, firstDifference(want, got))
			}
			if lines != nil && said(lines, f.Name) == said(lines) {
				t.Errorf("%s in version %d does not show", f.Name, version)
			}
		}
	}
}

// sayTo gives what an agent says to the lines, and how it ends.
func sayTo(t *testing.T, dir string, version int, faults, lines []string) string {
	p := connect(t, Config{Faults: faults})
	p.request("initialize", fmt.Sprintf(`{"protocolVersion":%d,"info":{"name":"n","version":"1"}}`, version))
	session := p.newIn(dir)
	from := len(p.all)
	piece := ""
	for _, line := range lines {
		line, more := strings.CutSuffix(line, "+")
		if piece += strings.ReplaceAll(line, "SESSION", session) + "\n"; !more {
			p.raw(piece)
			piece = ""
		}
	}
	return strings.Join(slices.Concat(p.all[from:], []string{fmt.Sprint(p.close())}), "\n")
}
