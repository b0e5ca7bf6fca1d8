package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// jsonrpcBad is a line that a conforming client would not send. Each is given to an agent of its own.
type jsonrpcBad struct {
	what   string // names the line, for a person
	line   string
	shaped bool // it looks like a message of ACP: an agent that dies of it would die of a small mistake of a client
}

// String names the line and shows it.
func (b jsonrpcBad) String() string { return b.what + " (" + head([]byte(b.line)) + ")" }

// jsonrpcBadID is the id of the suite's bad requests: a string, so that it meets none of the client's own ids.
const jsonrpcBadID = `"bad-1"`

// jsonrpcUnasked tells whether a line is a response to what the suite wrote beside the client's own requests: it has the id of
// the bad request, or none (or 0, which some make up), because it could not be read. A response with an id that nobody used is
// another rule's business.
func jsonrpcUnasked(l client.Line) bool {
	answer := l.Kind == wire.Response && l.Method == nil
	return answer && slices.Contains([]string{jsonrpcBadID, "null", "", "0"}, l.Key())
}

// jsonrpcForeign tells whether a line is a response with an id that none of the client's own requests has: they have the ids
// 1, 2, 3, ….
func jsonrpcForeign(l client.Line) bool {
	n, err := strconv.ParseUint(l.Key(), 10, 64)
	return l.Kind == wire.Response && (err != nil || n == 0)
}

// jsonrpcUnanswerable sends a line that is owed no answer and gives what the agent says to it all the same: by the answer to the
// fence behind it, or within a window.
func jsonrpcUnanswerable(c *rule.Case, cl *client.Client, line string, is func(client.Line) bool) []client.Line {
	mark := cl.Mark()
	err := cl.Raw(line)
	c.Require(err == nil, "%s could not be written: %v", line, err)
	cl.Fenced()
	cl.Window()
	return jsonrpcSince(cl, mark, is)
}

// jsonrpcProvoke sends a bad line and gives what the agent says to it. The answer to a bad line is owed before the answer to
// the fence behind it; an agent that is quiet until then is given a long window beyond it.
func jsonrpcProvoke(c *rule.Case, cl *client.Client, line string, is func(client.Line) bool) []client.Line {
	mark := cl.Mark()
	err := cl.Raw(line)
	c.Require(err == nil, "%s could not be written: %v", line, err)
	cl.Fenced()
	cl.AwaitAny(mark, is)
	return jsonrpcSince(cl, mark, is)
}

func jsonrpcSince(cl *client.Client, mark client.Mark, is func(client.Line) bool) []client.Line {
	var got []client.Line
	for _, l := range cl.Since(mark) {
		if is(l) {
			got = append(got, l)
		}
	}
	return got
}

// jsonrpcAsk sends a bad request and waits for its answer; the state tells whether there is one and the text why not. An answer
// under another id is one: what is wrong with it belongs to jsonrpc.response-id-echo.
func jsonrpcAsk(c *rule.Case, cl *client.Client, method, params string) (client.Line, client.State, string) {
	mark := cl.Mark()
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, jsonrpcBadID, method, params)
	err := cl.Raw(line)
	c.Require(err == nil, "%s could not be written: %v", method, err) // the params may name a directory of this run
	return cl.AwaitLine(mark, jsonrpcUnasked)
}

// jsonrpcRefused judges the answer to something bad: any error will do, but another code than the expected one warns, and so
// does a result. An agent that asks for authentication first has not looked at it.
func jsonrpcRefused(c *rule.Case, what string, l client.Line, code int) {
	switch got := jsonrpcCode(l); {
	case l.Error == nil:
		c.ExpectSoft(jsonrpcSaid(l), l.Frame).To(Equal(fmt.Sprintf("error %d", code)), "%s was answered by a result", what)
	case got == client.CodeAuthRequired:
		c.Note(jsonrpcSaid(l), "%s was not looked at: the agent asks for authentication first", what)
	default:
		c.ExpectSoft(got, l.Frame).To(Equal(code), "%s was refused with the error code %d in place of %d", what, got, code)
	}
}

// jsonrpcCode is the error code of a response, 0 where none can be read.
func jsonrpcCode(l client.Line) int {
	var e client.Error
	_ = json.Unmarshal(l.Error, &e)
	return e.Code
}

// jsonrpcSaid says what a response says, for a person.
func jsonrpcSaid(l client.Line) string {
	switch {
	case l.Error != nil:
		return "error " + head(l.Error)
	case l.Result != nil:
		return "result " + head(l.Result)
	}
	return head(l.Line)
}

// jsonrpcSilent judges that nothing was said to what is owed no answer, and that the agent still answers what is.
func jsonrpcSilent(c *rule.Case, cl *client.Client, b jsonrpcBad, got []client.Line) {
	said := "no answer"
	if len(got) > 0 {
		said = jsonrpcSaid(got[0])
	}
	c.Expect(said, jsonrpcCite(got)...).To(Equal("no answer"), "%s was answered", b)
	c.Alive(cl, b.shaped, "the agent answers nothing any more after "+b.String())
}

// jsonrpcID is the id of a response, for a person.
func jsonrpcID(l client.Line) string {
	if l.ID == nil {
		return "no member id"
	}
	return l.Key()
}

func jsonrpcCite(lines []client.Line) []wire.Frame {
	var cite []wire.Frame
	for _, l := range lines {
		cite = append(cite, l.Frame)
	}
	return cite
}
