package fakeagent

import "strings"

// runTerminal runs a command in a terminal of the client, shows it, and releases it whatever happens.
// See https://agentclientprotocol.com/protocol/v1/terminals.
func runTerminal(t *Turn, args string) (string, error) {
	words := strings.Fields(args)
	if len(words) == 0 {
		words = []string{"true"}
	}
	tool := t.newTool("execute", "Run "+args, "")
	t.begin(tool)
	if !t.b.MayTerminal(t.c) {
		t.progress(tool, "failed", toolText("the client has no terminals"))
		t.say("the client has no terminals")
		return "", nil
	}
	created, e, err := t.ask(waitClient, "terminal/create", t.b.TerminalParams(t, words))
	if err != nil {
		return "", err
	}
	id, ok := created["terminalId"].(string)
	if e != nil || !ok {
		t.progress(tool, "failed", toolText("the terminal could not be created"))
		return "", nil
	}
	t.progress(tool, "in_progress", Object{"type": "terminal", "terminalId": id})
	return "", t.followTerminal(tool, Object{"sessionId": t.s.ID, "terminalId": id})
}

func (t *Turn) followTerminal(tool *Tool, ref Object) error {
	exit, e, err := t.ask(waitClient, "terminal/wait_for_exit", ref)
	var output Object
	if err == nil {
		output, _, err = t.ask(waitClient, "terminal/output", ref)
	}
	if err != nil {
		t.b.Release(t, ref)
		return err
	}
	status := "completed"
	if code, ok := integer(exit["exitCode"]); e != nil || !ok || code != 0 {
		status = "failed"
	}
	t.progress(tool, status, Object{"type": "terminal", "terminalId": ref["terminalId"]})
	err = t.b.ReleaseAndWait(t, ref)
	if shown := text(output, "output"); err == nil && shown != "" {
		t.say(shown)
	}
	return err
}

// release is for a turn that may wait no more.
func release(t *Turn, ref Object) {
	if !t.c.isClosed() {
		t.post("terminal/release", ref)
	}
}

func releaseAndWait(t *Turn, ref Object) error {
	if t.isCancelled() {
		release(t, ref)
		return errCancelled
	}
	_, _, err := t.ask(waitClient, "terminal/release", ref)
	return err
}

func terminalParams(t *Turn, words []string) any {
	args := []any{}
	for _, word := range words[1:] {
		args = append(args, word)
	}
	return Object{"sessionId": t.s.ID, "command": words[0], "args": args, "env": []any{},
		"cwd": t.b.Path(t, "."), "outputByteLimit": 65536}
}
