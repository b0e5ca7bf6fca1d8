package rule

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// talk feeds lines to a watcher: `>` is ours, `>!` bad on purpose, `<` the agent's, `#` a remark of the suite.
func talk(a *Audience, lines string) {
	t := wire.NewTranscript(clockAtZero, nil, a.Tap)
	for _, l := range strings.Split(strings.TrimSpace(lines), "\n") {
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		f := wire.Frame{Line: []byte(strings.TrimSpace(strings.TrimLeft(l, "<>#!")))}
		switch {
		case strings.HasPrefix(l, ">!"):
			f.From, f.Deliberate = wire.Client, true
		case l[0] == '>':
			f.From = wire.Client
		case l[0] == '<':
			f.From = wire.Agent
		default:
			f.From = wire.Suite
		}
		t.Add(f)
	}
}

func watching(see func(*Log, *Reading)) *Rule {
	return &Rule{ID: "w", Level: Must, Basis: Stated, Versions: Only(1), Watch: EachFrame(see)}
}

const handshake = `
> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}
< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}
> {"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}
< {"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}
`

func TestReadingsKnowTheConversation(t *testing.T) {
	var got []string
	a := NewAudience(edition, []*Rule{watching(func(_ *Log, r *Reading) {
		s := r.Conversation.Sessions["s"]
		state := "-"
		if s != nil && s.Turn != nil {
			state = map[bool]string{true: "running", false: "over"}[s.Turn.Running]
			if s.Turn.Cancelled {
				state += ",cancelled"
			}
		}
		got = append(got, strings.Join([]string{string(r.From), r.Method, r.Session, r.Update, state}, " "))
	})}, "x")
	talk(a, handshake+`
> {"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[]}}}
> {"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}
< {"jsonrpc":"2.0","id":3,"result":{"stopReason":"cancelled"}}
< {"jsonrpc":"2.0","id":3,"result":{"stopReason":"cancelled"}}
`)
	want := []string{"client initialize   -", "agent initialize   -", "client session/new   -", "agent session/new s  -",
		"client session/prompt s  -", "agent session/update s plan running", "client session/cancel s  running",
		"agent session/prompt s  running,cancelled", "agent session/prompt s  over,cancelled"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if f := a.Fault(); f != "" {
		t.Error(f)
	}
}

func TestWatchersLookAwayFromBadInput(t *testing.T) {
	n := 0
	a := NewAudience(edition, []*Rule{watching(func(*Log, *Reading) { n++ })}, "x")
	talk(a, handshake+`
>! {"jsonrpc":
< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`)
	if n != 4 {
		t.Errorf("%d frames were seen, want the 4 before the bad one", n)
	}
}

func TestOurOwnInvalidFrameIsOurFault(t *testing.T) {
	a := NewAudience(edition, nil, "x")
	talk(a, `> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"one"}}`)
	if a.Fault() == "" {
		t.Error("nobody noticed")
	}
	a = NewAudience(edition, []*Rule{watching(func(*Log, *Reading) { panic("oops") })}, "x")
	talk(a, handshake)
	if !strings.Contains(a.Fault(), "oops") {
		t.Error(a.Fault())
	}
}

// What belongs to another version of the protocol is not judged by this one's shapes.
func TestVersionIsReadBeforeTheShape(t *testing.T) {
	var findings, seen int
	a := NewAudience(edition, []*Rule{watching(func(_ *Log, r *Reading) { seen++; findings += len(r.Schema()) })}, "x")
	talk(a, `
> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":65535}}
< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":2,"agentCapabilities":[]}}
< {"jsonrpc":"2.0","method":"session/update","params":{}}`)
	if findings != 0 || seen != 1 {
		t.Errorf("%d findings in %d readings", findings, seen)
	}
}

func TestRunningOutOfLog(t *testing.T) {
	r := &Rule{Level: Must, Basis: Stated}
	l := NewLog(r, "x")
	for range 20 {
		l.Soft(Finding{Why: "w"})
	}
	l.Broken(Finding{Why: "f"})
	if len(l.Seen) != keptObservations+1 || l.Suppressed != 20-keptObservations || result.Worst(1, l.Seen) != result.Fail {
		t.Errorf("%d kept, %d suppressed", len(l.Seen), l.Suppressed)
	}
}

// Why something only warns that a MUST forbids is said with it, and with nothing else.
func TestAWarningOfAMustSaysWhyItIsNoFailure(t *testing.T) {
	const because = "w; a warning and not a failure because "
	for _, c := range []struct {
		rule Rule
		add  func(*Log)
		want string
	}{
		{Rule{Level: Must, Basis: Stated, Mild: "readers cope"}, func(l *Log) { l.Soft(Finding{Why: "w"}) }, because + "readers cope"},
		{Rule{Level: Must, Basis: Stated, Mild: "readers cope"}, func(l *Log) { l.BrokenIf(false, Finding{Why: "w"}) }, because + "readers cope"},
		{Rule{Level: Must, Basis: Stated, Mild: "readers cope"}, func(l *Log) { l.Soft(Finding{Why: "w", Mild: "it is late"}) }, because + "it is late"},
		{Rule{Level: Must, Basis: Stated}, func(l *Log) { l.Soft(Finding{Why: "w"}) }, because + "it is not certain enough"},
		{Rule{Level: Must, Basis: Stated, Soft: true, Mild: "the list is open"}, func(l *Log) { l.Broken(Finding{Why: "w"}) }, because + "the list is open"},
		{Rule{Level: Must, Basis: Implied}, func(l *Log) { l.Broken(Finding{Why: "w"}) }, because + "the specification only implies this rule"},
		{Rule{Level: Must, Basis: Stated, Mild: "readers cope"}, func(l *Log) { l.Broken(Finding{Why: "w"}) }, "w"},
		{Rule{Level: Must, Basis: Stated, Mild: "readers cope"}, func(l *Log) { l.Note(Finding{Why: "w"}) }, "w"},
		{Rule{Level: Should, Basis: Stated}, func(l *Log) { l.Broken(Finding{Why: "w"}) }, "w"},
	} {
		l := NewLog(&c.rule, "x")
		c.add(l)
		if got := l.Seen[0].Explanation; got != c.want {
			t.Errorf("%s, %s: %q", c.rule.Level, c.rule.Basis, got)
		}
	}
}

func TestCiteCutsLongLines(t *testing.T) {
	f := Cite(wire.Frame{Seq: 1, Line: []byte(strings.Repeat("ü", 3000))})
	if len(f.Line) > citedBytes || f.Cut+len(f.Line) != 6000 {
		t.Errorf("%d bytes, %d cut", len(f.Line), f.Cut)
	}
	if f := Cite(wire.Frame{Line: []byte("\xff")}); f.Base64 == "" || f.Line != "" {
		t.Errorf("%+v", f)
	}
}

func TestExpectationsReadWell(t *testing.T) {
	c := &Case{Context: context.Background(), rule: &Rule{Title: "one is two", Level: Must, Basis: Stated}}
	c.Log = NewLog(c.rule, "x")
	cite := wire.Frame{Seq: 4, From: wire.Agent, Line: []byte("line")}
	c.Expect("end_turn", cite).To(gomega.Equal("cancelled"), "the turn ended with %s", "end_turn")
	c.Expect(false).To(gomega.BeTrue())
	c.Expect(nil).To(gomega.Equal(1))
	c.Expect([]int{1}).NotTo(gomega.ContainElement(1))
	c.Expect(3).To(gomega.BeElementOf(1, 2))
	c.Expect(json.RawMessage(`{"a":1}`)).To(gomega.BeNil())
	var got []string
	for _, o := range c.Log.Seen {
		got = append(got, strings.Join([]string{o.Explanation, o.Expected, o.Actual}, " | "))
	}
	want := []string{
		"the turn ended with end_turn | cancelled | end_turn",
		"it is not so that one is two |  | ", // true and false say nothing to a stranger
		"it is not so that one is two | 1 | nothing",
		"it is not so that one is two | not to contain element matching 1 | [1]",
		"it is not so that one is two | an element of [1, 2] | 3",
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
	if c.Log.Occasions != 6 || c.Log.Seen[0].Frames[0].Seq != 4 || c.Log.Suppressed != 1 {
		t.Errorf("%d occasions, %d suppressed", c.Log.Occasions, c.Log.Suppressed)
	}
}

// A matcher that cannot be asked is a mistake of the rule; the agent is not accused.
func TestMatcherThatFailsIsOurFault(t *testing.T) {
	c := &Case{Context: context.Background(), rule: &Rule{ID: "x.y", Title: "t", Level: Must, Basis: Stated}}
	c.Log = NewLog(c.rule, "x")
	if c.Expect(5).To(gomega.BeTrue()) || len(c.Log.Seen) != 0 || !strings.Contains(c.Log.Internal, "x.y") {
		t.Errorf("seen %v, internal %q", c.Log.Seen, c.Log.Internal)
	}
}

var edition = schemas.Ours().Edition(1, false)
