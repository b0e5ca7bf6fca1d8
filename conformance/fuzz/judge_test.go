package fuzz

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// parrot is an agent that shakes hands and answers fences, and answers every other line with the next of its lines; REPEAT stands for
// the id of the request. "" is no answer, and END ends it. It says when it has nothing left to do, so that nobody waits.
func parrot(lines ...string) wire.Launcher {
	return wire.InProcess(func(_ context.Context, r io.Reader, w io.Writer) error {
		said := 0
		var read, written int64
		for in := bufio.NewScanner(r); in.Scan(); {
			read += int64(len(in.Bytes()) + 1)
			e := wire.Inspect(in.Bytes())
			answer := `{"jsonrpc":"2.0","id":REPEAT,"error":{"code":-32601,"message":"no"}}`
			switch {
			case e.Name == "initialize":
				answer = `{"jsonrpc":"2.0","id":REPEAT,"result":{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"list":{}}}}}`
			case strings.HasPrefix(e.Name, "_acp_conform/fence"):
			case e.Name == "session/new": // it has no sessions
			case said < len(lines):
				answer = lines[said]
				said++
			}
			if answer == "END" {
				return nil
			}
			if answer != "" {
				n, _ := fmt.Fprintln(w, strings.ReplaceAll(answer, "REPEAT", string(e.ID)))
				written += int64(n)
			}
			w.(interface{ Quiet(read, written int64) }).Quiet(read, written)
		}
		return nil
	})
}

// list is a plain request, with an id or something in its params that is not.
func list(id, params string) Step {
	return Step{Send: `{"jsonrpc":"2.0","id":` + id + `,"method":"session/list","params":` + params + `}`, Then: Answer}
}

// Each row is what is said, what is answered to each line, and what is found.
func TestWhatIsFound(t *testing.T) {
	const fine = `{"jsonrpc":"2.0","id":REPEAT,"result":{"sessions":[]}}`
	const unread = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`
	for name, c := range map[string]struct {
		say    []Step
		answer []string
		want   string
	}{
		"all is well":                          {[]Step{list("10", "{}"), list(`"x"`, "{}")}, []string{fine, fine}, ""},
		"an error is as good":                  {[]Step{list("10", "{}")}, nil, ""},
		"no answer":                            {[]Step{list("10", "{}"), list("11", "{}")}, []string{"", fine}, "missing answer, failure"},
		"no answer to what is nested deep":     {[]Step{list("10", `{"_meta":{"x":${nest:200}}}`)}, []string{""}, "missing answer, warning"},
		"no answer to a negative id":           {[]Step{list("-10", "{}")}, []string{""}, "missing answer, warning"},
		"no answer to a method nobody has":     {[]Step{{Send: `{"jsonrpc":"2.0","id":10,"method":"acp_conform/none"}`, Then: Answer}}, []string{""}, "missing answer, warning"},
		"no answer to what has no usable id":   {[]Step{list("null", "{}"), list("1.5", "{}"), list("[]", "{}")}, []string{"", "", ""}, ""},
		"no answer to a line that is none":     {[]Step{{Send: "42", Then: Fence}, {Send: "{", Then: Fence}}, []string{"", ""}, ""},
		"an error without id to what is odd":   {[]Step{list("10", `{"cwd":"\ud800"}`)}, []string{unread}, ""},
		"an error without id to what is bad":   {[]Step{list("10", `{"cwd":1}`)}, []string{unread}, ""},
		"an error without id to what is plain": {[]Step{list("10", "{}")}, []string{unread}, "invalid answer, failure"},
		"two answers":                          {[]Step{list("10", "{}")}, []string{fine + "\n" + fine}, "duplicate answer, failure"},
		"another id":                           {[]Step{list("10", "{}")}, []string{`{"jsonrpc":"2.0","id":11,"result":{"sessions":[]}}`}, "invalid answer, failure"},
		"the same id as a string":              {[]Step{list("10", "{}")}, []string{`{"jsonrpc":"2.0","id":"10","result":{"sessions":[]}}`}, "invalid answer, failure"},
		"an id that was rounded":               {[]Step{list("9007199254740993", "{}")}, []string{`{"jsonrpc":"2.0","id":9007199254740992,"result":{"sessions":[]}}`}, ""},
		"an id that was written otherwise":     {[]Step{list(`"\u0061"`, "{}"), list("1e1", "{}")}, []string{`{"jsonrpc":"2.0","id":"a","result":{"sessions":[]}}`, `{"jsonrpc":"2.0","id":10,"result":{"sessions":[]}}`}, ""},
		"a batch that is worked off":           {[]Step{{Send: `[{"jsonrpc":"2.0","id":10,"method":"session/list"}]`, Then: Fence}}, []string{`{"jsonrpc":"2.0","id":10,"result":{"sessions":[]}}`}, ""},
		"result and error":                     {[]Step{list("10", "{}")}, []string{`{"jsonrpc":"2.0","id":10,"result":{"sessions":[]},"error":{"code":1,"message":""}}`}, "invalid answer, failure"},
		"no jsonrpc":                           {[]Step{list("10", "{}")}, []string{`{"id":10,"result":{"sessions":[]}}`}, "invalid answer, failure"},
		"an invalid result":                    {[]Step{list("10", "{}")}, []string{`{"jsonrpc":"2.0","id":10,"result":{"sessions":{}}}`}, "invalid answer, warning"},
		"no result of that kind":               {[]Step{list("10", "{}")}, []string{`{"jsonrpc":"2.0","id":10,"result":[]}`}, "invalid answer, failure"},
		"no result of that kind for bad input": {[]Step{list("10", `{"cwd":1}`)}, []string{`{"jsonrpc":"2.0","id":10,"result":[]}`}, ""},
		"an error that is none":                {[]Step{list("10", "{}")}, []string{`{"jsonrpc":"2.0","id":10,"error":{"code":"x","message":"y"}}`}, "invalid answer, failure"},
		"an answer to a notification":          {[]Step{{Send: `{"jsonrpc":"2.0","method":"session/list"}`, Then: Fence}}, []string{`{"jsonrpc":"2.0","id":null,"result":{}}`}, "invalid answer, failure"},
		"text on stdout":                       {[]Step{list("10", "{}")}, []string{"hello\n" + fine}, "invalid answer, failure"},
		"the end":                              {[]Step{list("10", "{}")}, []string{"END"}, "crash, failure"},
		"the end on a line that is none":       {[]Step{{Send: "42", Then: Fence}}, []string{"END"}, "crash, warning"},
		"one id twice":                         {[]Step{list("10", "{}"), list("10", "{}")}, []string{"", fine}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Launch: parrot(c.answer...), Request: time.Minute, Prompts: -1, Now: time.Now}
			res, err := Play(t.Context(), cfg, Script{Protocol: 1, Steps: append([]Step{hello(1)}, c.say...)})
			if err != nil || res.ExitReason != "" {
				t.Fatal(err, res.ExitReason)
			}
			var got []string
			for _, f := range res.Findings {
				got = append(got, fmt.Sprintf("%s, %s", f.Kind, f.Severity))
			}
			if strings.Join(got, "; ") != c.want {
				t.Errorf("found %q, want %q\n%s", got, c.want, res.show())
			}
		})
	}
}
