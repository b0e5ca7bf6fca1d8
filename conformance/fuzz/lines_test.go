package fuzz

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

func said(text string) *line {
	l := &line{Envelope: wire.Inspect([]byte(text))}
	l.key = keyOf(l.ID)
	return l
}

// Of a flood the newest lines are kept, and of the older ones which requests they answer.
func TestFewLinesAreKept(t *testing.T) {
	const most = 100_000
	a := newLines(most)
	add := func(text string) { a.add(said(text), len(text)) }
	add(`{"jsonrpc":"2.0","id":1,"result":{"x":1}}`)
	add(`{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":""}}`)
	for range 1000 {
		add(`{"jsonrpc":"2.0","method":"_x/y","params":{"t":"` + strings.Repeat("z", 1000) + `"}}`)
	}
	if a.bytes > most || a.count != 1002 || len(a.stubs) != 2 {
		t.Errorf("%d bytes of %d lines, %d stubs", a.bytes, a.count, len(a.stubs))
	}
	if l := a.answer("number 1", 0); l == nil || !l.stub || l.Result != nil || a.answer("number 1", 1) != nil {
		t.Errorf("the first answer: %+v", l)
	}
	all, forgot := a.take()
	if len(all) != len(a.kept)+2 || all[0].key != "number 1" || all[1].Error == nil || forgot || a.answer("number 1", 0) != nil {
		t.Errorf("%d lines to judge, forgot: %v", len(all), forgot)
	}
	if all, _ = a.take(); len(all) > 0 {
		t.Errorf("%d lines are judged twice", len(all))
	}
}

// Of a flood of answers nothing is kept at some time, which is known.
func TestAFloodOfAnswersIsForgotten(t *testing.T) {
	for name, id := range map[string]func(int) string{"one": func(int) string { return "1" }, "many": func(i int) string { return fmt.Sprint(i) }} {
		const most = 100_000
		a := newLines(most)
		for i := range 10_000 {
			a.add(said(`{"jsonrpc":"2.0","id":`+id(i)+`,"result":{}}`), 40)
		}
		if a.bytes > most || a.stubbed > most/stubPart || len(a.responses["number 1"]) > 2*mostSame || len(a.responses) > len(a.kept)+len(a.stubs) {
			t.Errorf("%s: %d bytes, %d of stubs, %d ids", name, a.bytes, a.stubbed, len(a.responses))
		}
		if _, forgot := a.take(); !forgot || !a.lost {
			t.Errorf("%s: nobody knows what is forgotten", name)
		}
	}
}

// What has been judged may go without a trace.
func TestJudgedLinesAreForgotten(t *testing.T) {
	a := newLines(10_000)
	for i := range 1000 {
		a.add(said(`{"jsonrpc":"2.0","id":`+fmt.Sprint(i)+`,"result":{}}`), 40)
		a.take()
	}
	if _, forgot := a.take(); forgot || a.lost || len(a.stubs) > 0 || len(a.responses) != len(a.kept) {
		t.Errorf("forgot: %v, %d stubs, %d ids of %d lines", forgot, len(a.stubs), len(a.responses), len(a.kept))
	}
}

// Of a long result its short members are kept: steps speak of ids and cursors.
func TestResultsAreKeptInBrief(t *testing.T) {
	long := `"` + strings.Repeat("x", longestResult) + `"`
	for result, want := range map[string]string{`{"sessionId":"a","x":[1]}`: `{"sessionId":"a","x":[1]}`, `{"history":` + long + `,"sessionId":"a"}`: `{"sessionId":"a"}`, long: `{}`} {
		if got := string(inBrief(json.RawMessage(result))); got != want {
			t.Errorf("%s is kept as %s", head(result, 40), head(got, 40))
		}
	}
}
