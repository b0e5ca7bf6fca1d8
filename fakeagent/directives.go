package fakeagent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Directive is a line of a prompt that steers the agent: a slash, the name, and its arguments.
type Directive struct {
	Name        string
	Args        string // how the arguments are written; "" if there are none
	Description string
	run         func(t *Turn, args string) (stopReason string, err error)
}

// Directives lists the directives in the order of the documentation.
func Directives() []Directive { return directives() }

func directives() []Directive {
	return []Directive{
		{"say", "TEXT", "says the text in one message of one chunk", runSay},
		{"stream", "N [TEXT]", "says one message in N numbered chunks", runStream},
		{"think", "TEXT", "thinks the text in one thought chunk", runThink},
		{"plan", "", "makes a plan of three entries and works it off", runPlan},
		{"tool", "[read|edit|execute]", "runs a tool call from pending to completed", runTool},
		{"permission", "[PATH]", "asks for permission; if allowed, completes the tool call and creates the file PATH", runPermission},
		{"read", "PATH", "reads a file, through the client if it can, and says its content", runRead},
		{"write", "PATH TEXT", "writes a file, through the client if it can", runWrite},
		{"terminal", "COMMAND [ARG...]", "runs a command in a terminal of the client", runTerminal},
		{"elicit", "", "asks the user to fill in a form", runElicit},
		{"wait", "", "says one chunk and waits until the turn is cancelled", runWait},
		{"wait-tool", "", "starts a tool call that runs until the turn is cancelled", runWaitTool},
		{"image", "", "says an image block", runBlock(func(t *Turn) any { return t.b.ImageBlock() })},
		{"audio", "", "says an audio block", runBlock(func(t *Turn) any { return t.b.AudioBlock() })},
		{"resource", "", "says two embedded resources, a text and a blob", runResource},
		{"link", "", "says a resource link with annotations", runBlock(func(t *Turn) any { return t.b.LinkBlock(t.b.Annotations()) })},
		{"error", "[CODE]", "ends the turn with an error, -32603 by default", runError},
		{"refuse", "", "ends the turn with the stop reason refusal", runStop("refusal")},
		{"max-tokens", "", "ends the turn with the stop reason max_tokens", runStop("max_tokens")},
		{"max-turn-requests", "", "ends the turn with the stop reason max_turn_requests", runStop("max_turn_requests")},
		{"evict", "[ID]", "evicts the session after this turn, or another one at once; a store on disk keeps it", runEvict},
		{"commands", "", "sends the available commands again", runCommands},
		{"mode", "ID", "changes the mode of the session and announces it", runMode},
		{"info", "", "announces the title of the session", runInfo},
		{"usage", "", "announces how much of the context is used", runUsage},
		{"notice", "TEXT", "sends a notice, if the client knows notices", runNotice},
		{"compact", "", "reports a compaction of the context, if the client knows it", runCompact},
		{"background", "[stop]", "starts a tool call that goes on after the turn, or completes those that do (version 2)", runBackground},
		{"subagent", "[stop]", "starts a sub-agent whose session is live until it is stopped, if the client knows sub-agents", runSubagent},
	}
}

// step is one directive with its arguments.
type step struct {
	Directive
	args string
}

// steps finds the directives in a prompt; any other line is ignored if there is at least one.
func steps(text string) []step {
	var found []step
	for _, line := range strings.Split(text, "\n") {
		word, args, _ := strings.Cut(strings.TrimSpace(line), " ")
		for _, d := range directives() {
			if word == "/"+d.Name {
				found = append(found, step{d, strings.TrimSpace(args)})
			}
		}
	}
	return found
}

// stepsIn are those that a version of the protocol has.
func stepsIn(version int, text string) []step {
	return slices.DeleteFunc(steps(text), func(s step) bool { return !s.in(version) })
}

// in tells whether a version of the protocol has what the directive needs.
func (d Directive) in(version int) bool {
	switch d.Name {
	case "terminal":
		return version == 1
	case "background":
		return version == 2
	}
	return true
}

// words are the directives that the agent announces.
func words(version int) []any {
	names := []any{}
	for _, d := range directives() {
		if d.in(version) {
			names = append(names, d.Name)
		}
	}
	return names
}

// work executes the directives of the prompt in order, or echoes a prompt that has none.
func work(t *Turn) (string, error) {
	todo := stepsIn(t.d.version, t.text)
	if len(todo) == 0 {
		t.b.Reply(t)
		return "end_turn", nil
	}
	for _, s := range todo {
		if t.isCancelled() {
			return "", errCancelled
		}
		if reason, err := s.run(t, s.args); err != nil || reason != "" {
			return reason, err
		}
	}
	return "end_turn", nil
}

// reply is the answer to a prompt without directives.
func reply(t *Turn) { t.say("You said: ", t.text) }

func runSay(t *Turn, args string) (string, error) {
	t.say(args)
	return "", nil
}

func runStream(t *Turn, args string) (string, error) {
	count, words, _ := strings.Cut(args, " ")
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 || n > 100000 {
		n = 3
	}
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strings.TrimSpace(fmt.Sprintf("%d %s", i+1, words)) + "\n"
	}
	id := t.newMessageID("agent")
	for _, part := range t.b.StreamOrder(parts) {
		if t.isCancelled() {
			return "", errCancelled
		}
		t.send(t.b.MessageChunk(t, t.b.TextBlock(part), id))
	}
	return "", nil
}

func streamOrder(parts []string) []string { return parts }

func runThink(t *Turn, args string) (string, error) {
	t.send(t.b.ThoughtChunk(t, t.b.TextBlock(args), t.newMessageID("thought")))
	return "", nil
}

func runPlan(t *Turn, _ string) (string, error) {
	for done := 0; done <= 3; done++ {
		t.send(t.d.plan(t, done))
	}
	return "", nil
}

func runTool(t *Turn, kind string) (string, error) {
	if kind != "edit" && kind != "execute" {
		kind = "read"
	}
	path := ""
	if kind != "execute" {
		path = t.b.Path(t, "notes.txt")
	}
	tool := t.newTool(kind, "A tool of kind "+kind, path)
	t.begin(tool)
	for _, status := range t.b.ToolSteps() {
		switch {
		case status != "completed":
			t.progress(tool, status)
		case kind == "edit":
			t.progress(tool, status, t.d.diff(path, "old\n", "new\n"))
		default:
			t.progress(tool, status, toolText("done"))
		}
	}
	return "", nil
}

func toolSteps() []string { return []string{"in_progress", "completed"} }

func runWait(t *Turn, _ string) (string, error) {
	_, err := t.waitFor(waitCancel, func(*waiter) { t.say("waiting for a cancel") })
	return "", err
}

func runWaitTool(t *Turn, _ string) (string, error) {
	tool := t.newTool("execute", "A tool that does not return", "")
	_, err := t.waitFor(waitTool, func(*waiter) {
		t.begin(tool)
		t.progress(tool, "in_progress")
	})
	return "", err
}

func runBlock(block func(t *Turn) any) func(*Turn, string) (string, error) {
	return func(t *Turn, _ string) (string, error) {
		t.sayBlock(block(t))
		return "", nil
	}
}

func runResource(t *Turn, _ string) (string, error) {
	t.sayBlock(t.b.ResourceBlock())
	t.sayBlock(t.b.BlobBlock())
	return "", nil
}

func runError(t *Turn, args string) (string, error) {
	code, err := strconv.Atoi(args)
	if err != nil {
		code = t.b.BackendCode()
	}
	return "", &Error{Code: code, Message: "The turn failed"}
}

func backendCode() int { return codeInternal }

func runStop(reason string) func(*Turn, string) (string, error) {
	return func(t *Turn, _ string) (string, error) {
		t.say("that is all")
		return reason, nil
	}
}

func runEvict(t *Turn, id string) (string, error) {
	if id == "" || id == t.s.ID {
		t.say("forgetting this session")
		t.evicts = true
		return "", nil
	}
	other := t.c.a.active(id)
	if other == nil {
		t.say("there is no such session in memory")
		return "", nil
	}
	t.say("forgetting the other session")
	t.c.leaveMemory(other)
	return "", nil
}

func runCommands(t *Turn, _ string) (string, error) {
	t.state(t.d.commands())
	return "", nil
}

func runMode(t *Turn, mode string) (string, error) {
	if !contains(modeIDs[:], mode) {
		t.say("there is no such mode")
		return "", nil
	}
	t.c.setMode(t.s, mode)
	t.state(t.d.mode(t, mode))
	return "", nil
}

func runInfo(t *Turn, _ string) (string, error) {
	var title, updated string
	t.c.a.update(func() { title, updated = t.s.Title, t.s.Updated })
	t.state(t.b.InfoUpdate(title, updated))
	return "", nil
}

func runUsage(t *Turn, _ string) (string, error) {
	t.state(t.b.UsageUpdate())
	return "", nil
}

func runNotice(t *Turn, args string) (string, error) {
	if args == "" {
		args = "something to know"
	}
	if !t.b.MayNotice(t.c) {
		t.say("the client knows no notices")
		return "", nil
	}
	t.state(t.b.Notice(args))
	return "", nil
}

func runCompact(t *Turn, _ string) (string, error) {
	if !t.b.MayCompact(t.c) {
		t.say("the client knows no compaction")
		return "", nil
	}
	var n int
	t.c.a.update(func() { t.s.Tools++; n = t.s.Tools })
	for _, u := range t.b.Compactions(fmt.Sprintf("compaction_%04d_%04d", t.s.Number, n)) {
		t.state(u)
	}
	return "", nil
}
