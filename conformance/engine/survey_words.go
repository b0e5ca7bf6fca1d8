package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

func notStarted(err error) string {
	var ns *wire.NotStarted
	if !errors.As(err, &ns) {
		return "The agent could not be started: " + err.Error()
	}
	if info, err := os.Stat(ns.Argv[0]); err == nil && info.IsDir() {
		return fmt.Sprintf("The agent `%s` is a directory: name the program in it.", ns.Argv[0])
	}
	hint := "Check the path and that the file is executable; everything behind the first word of the agent is passed to it as an argument."
	if errors.Is(ns.Err, os.ErrPermission) {
		hint = "The file is there but not executable: try `chmod +x`, or start it with its interpreter."
	}
	return fmt.Sprintf("The agent `%s` could not be started: %v. %s", strings.Join(ns.Argv, " "), ns.Err, hint)
}

// explain says in one paragraph why there was no handshake: what was started, how it ended, what it said.
func (s *survey) explain(protocol int, end wire.Ending) string {
	var b strings.Builder
	a := s.facts.Init.Answer
	fmt.Fprintf(&b, "The agent `%s` was started", s.c.Peer.Name())
	switch {
	case a.State != client.Met:
		fmt.Fprintf(&b, " but did not answer initialize: %s.", a.Why)
	case s.facts.Dies != "":
		fmt.Fprintf(&b, " and answered initialize, but did not stay: it %s.", s.facts.Dies)
	case a.OK():
		fmt.Fprintf(&b, " and answered initialize with protocolVersion %s, not %d: no version was agreed.", version(a), protocol)
	default:
		fmt.Fprintf(&b, " and answered initialize with %s.", a)
	}
	if lines := s.c.Since(0); len(lines) > 0 && a.State != client.Met {
		fmt.Fprintf(&b, " It wrote %s to stdout, the first: %s", counted(len(lines), "line"), quote(lines[0].Line))
		if lines[0].Key() != "" {
			b.WriteString(" (the id that we sent is 1)")
		}
		b.WriteString(".")
	} else if a.State != client.Met {
		b.WriteString(" It wrote nothing to stdout.")
	}
	fmt.Fprintf(&b, " In the end it %s.", strings.TrimSuffix(ended(end), "."))
	if tail := lastLines(s.c.Peer.Stderr(), 5); tail != "" {
		fmt.Fprintf(&b, " The last lines of its stderr:\n%s", tail)
	} else {
		b.WriteString(" Its stderr is empty.")
	}
	return b.String()
}

// noSession says in one paragraph that no session could be opened, and what the agent said to it.
func (s *survey) noSession() string {
	var b strings.Builder
	fmt.Fprintf(&b, "The agent `%s` shook hands but opened no session: session/new was answered by %s.", s.c.Peer.Name(), s.facts.SessionReason)
	if s.facts.Auth {
		b.WriteString(" It wants a login first: log it in, or judge what can be seen without a session with --allow-no-session.")
	}
	if tail := lastLines(s.c.Peer.Stderr(), 5); tail != "" {
		fmt.Fprintf(&b, " The last lines of its stderr:\n%s", tail)
	}
	return b.String()
}

func ended(e wire.Ending) string {
	if e.Forced == "" && !e.Escaped {
		return strings.TrimPrefix(e.Exit.String(), "the agent ")
	}
	return e.String()
}

func version(a client.Answer) string {
	var m map[string]json.RawMessage
	_ = json.Unmarshal(a.Result, &m)
	if m["protocolVersion"] == nil {
		return "missing"
	}
	return string(m["protocolVersion"])
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func quote(line []byte) string {
	if len(line) > 200 {
		line = append(line[:200:200], "…"...)
	}
	return fmt.Sprintf("%q", line)
}

func lastLines(b []byte, n int) string {
	lines := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	lines = lines[max(0, len(lines)-n):]
	return strings.ToValidUTF8(string(bytes.Join(lines, []byte("\n"))), "\uFFFD")
}

// describe fills in what the survey says of the agent.
// mostCapabilities is how many bytes of capabilities a report has room for; an agent with more has none in it.
