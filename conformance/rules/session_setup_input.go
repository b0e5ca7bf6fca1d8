package rules

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

var sessionNewParamsRequired = rule.Rule{
	ID:    "session-new.params-required",
	Title: "session/new without cwd or mcpServers, or with values of another type, is refused",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "schema", Anchor: "NewSessionRequest"},
	Advice:     "Check the params of session/new and answer what is missing or malformed with the error -32602.",
	Mild:       leniently,
	Robustness: true,
	Needs:      rule.Needs{Session: true},
	Act: func(c *rule.Case) {
		for _, bad := range []struct{ what, params string }{
			{"without cwd", `{"mcpServers":[]}`},
			{"without mcpServers", `{"cwd":DIR}`},
			{"whose cwd is a number", `{"cwd":42,"mcpServers":[]}`},
			{"whose mcpServers are a string", `{"cwd":DIR,"mcpServers":"none"}`},
		} {
			sessionNewRefused(c, bad.params, "a session/new "+bad.what)
		}
		sessionNewNullServers(c)
	},
}

var sessionNewCwdAbsolute = rule.Rule{
	ID:    "session-new.cwd-absolute",
	Title: "session/new with a relative cwd is refused",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "session-setup", Anchor: "working-directory"},
	Advice:     "Refuse a cwd that is not absolute with -32602: resolved against your own directory it names a place that the user did not mean.",
	Robustness: true,
	Needs:      rule.Needs{Session: true},
	Act: func(c *rule.Case) {
		sessionNewRefused(c, `{"cwd":".","mcpServers":[]}`, "a session/new with a relative cwd")
	},
}

// sessionNewRaw sends a session/new with these params, in which DIR stands for a directory, to an agent of its own.
func sessionNewRaw(c *rule.Case, params string) (client.Line, client.State, string) {
	cl := c.Connect() // it is ended with the rule, so that the line can be shown
	dir, err := cl.NewDir()
	c.Require(err == nil, "no directory could be made: %v", err)
	return jsonrpcAsk(c, cl, "session/new", strings.ReplaceAll(params, "DIR", string(rule.JSON(dir))))
}

// sessionNewRefused judges that bad params are refused. Success is lenient, and so is another code; silence is neither.
func sessionNewRefused(c *rule.Case, params, what string) {
	l, state, why := sessionNewRaw(c, params)
	code := sessionNewCode(l)
	switch {
	case state != client.Met:
		c.Expect("no answer").To(Equal("an error"), "%s was never answered: %s", what, why)
	case code == client.CodeAuthRequired: // then the params have not been looked at
	case code == 0:
		c.ExpectSoft("a result", l.Frame).To(Equal("an error"), "%s was answered by a result", what)
	default:
		c.ExpectSoft(code, l.Frame).To(Equal(client.CodeInvalidParams), "%s was refused with another code than the one for invalid params", what)
	}
}

// sessionNewNullServers notes how null for mcpServers is taken: readers should take it for an empty list, but writers have no
// business to send it.
func sessionNewNullServers(c *rule.Case) {
	l, state, why := sessionNewRaw(c, `{"cwd":DIR,"mcpServers":null}`)
	if state != client.Met {
		c.Expect("no answer").To(Equal("an answer"), "a session/new whose mcpServers are null was never answered: %s", why)
		return
	}
	if code := sessionNewCode(l); code != 0 && code != client.CodeAuthRequired {
		c.Note(client.Value{Of: code, Cite: []wire.Frame{l.Frame}}, "a session/new whose mcpServers are null was refused; null should be read as an empty list")
	}
}

// sessionNewCode is the code of an error, 0 where there is no error.
func sessionNewCode(l client.Line) int {
	var e client.Error
	if l.Error == nil {
		return 0
	}
	if json.Unmarshal(l.Error, &e) != nil || e.Code == 0 {
		return -1
	}
	return e.Code
}

const sessionNewFile = "nonce.txt"

var sessionNewCwdUsed = rule.Rule{
	ID:    "session-new.cwd-used",
	Title: "a session works in its cwd, wherever the process was started",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "session-setup", Anchor: "working-directory"},
	Advice:  "Resolve relative paths, and start commands, in the cwd of the session and never in the directory of the process.",
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.ReadFile},
	Act: func(c *rule.Case) {
		cl, start, decoy := sessionNewElsewhere(c)
		s := c.NewSessionOn(cl)
		nonce := sessionNewNonce(c, s.Dir)
		cl.On("session/request_permission", initAllow(sessionNewFile))
		turn := c.Prompt(s, rule.ReadFile, sessionNewFile)
		c.Ran(turn)
		right, wrong := sessionNewShows(turn, nonce), sessionNewShows(turn, decoy)
		for _, a := range cl.Asked("fs/read_text_file") {
			if !a.Brief {
				sessionNewJudgeRead(c, a, s.Dir, start, turn.Held(), len(right) > 0)
			}
		}
		if len(right) > 0 || len(wrong) > 0 {
			c.Expect(client.Value{Of: sessionNewWhich(right), Cite: append(right, wrong...)}).To(Equal("the cwd of the session"),
				"asked for a file by a relative name, the agent read the one in the directory in which its process was started")
		}
		c.Require(c.Log.Occasions > 0, "the agent did not show the file that it was asked to read")
	},
}

// sessionNewElsewhere starts the agent in a directory that holds a decoy of the file that it will be asked for. An agent that
// does not start there, because its command line names files relative to the caller's directory, is started as usual.
func sessionNewElsewhere(c *rule.Case) (cl *client.Client, start, decoy string) {
	start = c.Fixture()
	decoy = sessionNewNonce(c, start)
	cl, err := c.TryDial(wire.Launch{Dir: start})
	if err == nil {
		// Not by Initialize: that no answer comes is our doing here, not a finding.
		a := cl.Start("initialize", client.InitializeParams(client.Version, client.Everything(client.Version))).WaitFor(cl.Timeouts.Start)
		if cl.Init = client.ReadInitialize(a); a.OK() && cl.Init.Version == client.Version {
			return cl, start, decoy
		}
		c.End(cl)
	}
	return c.Connect(), start, decoy
}

// sessionNewNonce writes a file whose content nobody can guess.
func sessionNewNonce(c *rule.Case, dir string) string {
	nonce := "nonce-" + c.Word()
	_, err := client.WriteFile(dir, sessionNewFile, nonce+"\n")
	c.Require(err == nil, "a file could not be written: %v", err)
	return nonce
}

// sessionNewShows are the lines of the turn that hold the nonce: whoever wrote them has read its file.
func sessionNewShows(t *client.Turn, nonce string) []wire.Frame {
	var shown []wire.Frame
	for _, l := range t.Lines() {
		if strings.Contains(string(l.Frame.Line), nonce) {
			shown = append(shown, l.Frame)
		}
	}
	return shown
}

func sessionNewWhich(right []wire.Frame) string {
	if len(right) > 0 {
		return "the cwd of the session"
	}
	return "the directory of the process"
}

// sessionNewJudgeRead judges the path of a read through the client. A path that is neither in the session's directory nor in
// that of the process may be a model's invention.
func sessionNewJudgeRead(c *rule.Case, a *client.Ask, cwd, start string, certain, right bool) {
	path, _ := text(wire.Member(a.Params, "path"))
	if filepath.Base(path) != sessionNewFile || !filepath.IsAbs(path) {
		return
	}
	dir := filepath.Dir(path)
	if real, err := client.RealDir(dir); err == nil {
		dir = real
	}
	inside, err := filepath.Rel(cwd, dir)
	asked := client.Value{Of: path, Cite: []wire.Frame{a.Frame}}
	switch {
	case err == nil && filepath.IsLocal(inside):
		c.Log.Occasion()
	case certain || dir == start && !right:
		c.Log.Occasion()
		c.Log.Broken(rule.Finding{Why: "asked for a file by a relative name, the agent looked for it outside of the cwd of the session",
			Expected: fmt.Sprintf("a path in %s", cwd), Found: path, Cite: asked.Cite})
	default:
		c.Note(asked, "the agent looked for the file outside of the cwd of the session")
	}
}
