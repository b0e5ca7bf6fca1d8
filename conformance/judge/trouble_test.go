package judge

import (
	"os"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// A client that dies of every answer is known by how it ends where it cannot ask: it does not always end like that.
func TestAClientThatDiesOfEveryAnswer(t *testing.T) {
	takes := map[string]Take{
		"":          said(70, hello, welcome, ask, told),
		"value-x":   said(70, hello, welcome, ask, `{"jsonrpc":"2.0","id":2,"result":{"status":"x"}}`),
		"no-marker": said(0, hello, unsupported, list),
	}
	only := rules.Client()
	for i := range only {
		if only[i].ID == "status.client.unknown-value-no-crash" {
			only = only[i : i+1]
			break
		}
	}
	for _, c := range []Config{{}, {Rules: only}, {Only: []string{"value-x"}}} {
		run, played := stage(t, c, takes)
		if o := outcome(t, run, "status.client.unknown-value-no-crash"); o.Verdict != result.Fail || run.Verdict != result.Nonconformant {
			t.Errorf("%v were played: %s: %s %s", played, run.Verdict, o.Verdict, o.Reason)
		}
	}
	takes["no-marker"] = said(70, hello, unsupported, list) // it always ends like that
	if run, _ := stage(t, Config{}, takes); run.Verdict != result.Incomplete || !strings.Contains(run.Problem, "the script plain") || !strings.Contains(run.Problem, "code 70") {
		t.Errorf("%s, %s: %s", run.Verdict, run.ExitReason, run.Problem)
	}
}

// A bad end that no rule holds against the client keeps it from being called conformant.
func TestABadEndOfWhichNoRuleTells(t *testing.T) {
	takes := good()
	takes["active"] = said(1, hello, welcome, ask, told, resume, resumed, prompt)
	run, _ := stage(t, Config{Only: []string{"active"}}, takes)
	if run.Verdict != result.Incomplete || run.ExitCode != result.ExitOK || !strings.Contains(run.ExitReason, "active (version 1)") || !strings.Contains(run.Problem, "code 1") {
		t.Errorf("%s, exit code %d, %s: %s", run.Verdict, run.ExitCode, run.ExitReason, run.Problem)
	}
	if run, _ = stage(t, Config{Only: []string{"active"}, Policy: result.Policy{Strict: true}}, takes); run.ExitCode != result.ExitFailed || !strings.HasPrefix(run.ExitReason, "--strict") {
		t.Errorf("exit code %d, %s", run.ExitCode, run.ExitReason)
	}
	takes["plain"] = said(1, hello, welcome, ask, told, resume, resumed, prompt)
	takes["no-marker"] = said(1, hello, unsupported, list)
	if run, _ = stage(t, Config{Only: []string{"active"}}, takes); run.Verdict != result.Conformant {
		t.Errorf("of one that always ends with 1: %s: %s", run.Verdict, run.ExitReason)
	}
}

func TestHowFarAClientCame(t *testing.T) {
	exit := &rules.ClientExit{Code: 4, Stderr: "no\nidea"}
	with := func(lines ...string) Take {
		take := said(0, lines...)
		take.Exit = exit
		return take
	}
	other := `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":2}}`
	for _, c := range []struct {
		name                string
		take                Take
		reason, how, ending string
	}{
		{"is not there", Take{Problem: "./x: no such file or directory. Check the path."}, "could not be started", "The client could not be started: ./x", "Check the path."},
		{"starts no agent", Take{Exit: exit}, "did not start the agent", "did not start the agent", "no\nidea"},
		{"says nothing", Take{Exit: exit, Started: true}, "agreed on no version", "did not send initialize", "code 4"},
		{"says something else", with(list), "agreed on no version", "did not send initialize", "code 4"},
		{"does not wait", with(hello), "agreed on no version", "was gone before the answer", "code 4"},
		{"is refused", with(hello, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bad"}}`), "agreed on no version", `answered with an error: {"code":-32602`, "code 4"},
		{"wants another version", with(hello, other), "agreed on no version", "asked for version 1 of the protocol, the agent has only 2", "code 4"},
		{"floods", Take{Started: true, Exit: &rules.ClientExit{Code: -1, Signal: "killed", Flooded: true}}, "agreed on no version", "did not send initialize", "It printed to its stdout without an end"},
		{"hangs", Take{Started: true, Exit: &rules.ClientExit{Code: -1, Signal: "killed", TimeLimit: true}}, "agreed on no version", "did not send initialize", "It did not end within its time"},
	} {
		run, _ := stage(t, Config{}, map[string]Take{"": c.take})
		if run.Verdict != result.Inconclusive || run.ExitCode != result.ExitInconclusive || !strings.Contains(run.ExitReason, c.reason) || !strings.Contains(run.Rules[0].Reason, c.reason) {
			t.Errorf("%s: %s, exit code %d, %s", c.name, run.Verdict, run.ExitCode, run.ExitReason)
		}
		if !strings.Contains(run.Problem, c.how) || !strings.Contains(run.Problem, c.ending) {
			t.Errorf("%s: %q", c.name, run.Problem)
		}
	}
}

func TestWhatIsSaidOfAClientThatCannotBeStarted(t *testing.T) {
	p := Process{Command: []string{"./no-such-client", "x"}, Dir: t.TempDir(), Agent: func(Script, int, string, string) string { return "" }, Timeout: 1}
	take, err := p.Play(t.Context(), Script{Name: "plain"}, 1)
	if err != nil || !strings.HasPrefix(take.Problem, "./no-such-client x: ") || !strings.Contains(take.Problem, "Check the path") {
		t.Errorf("%v, %q", err, take.Problem)
	}
	if hint := notStarted(&wire.NotStarted{Argv: []string{"x"}, Err: os.ErrPermission}); !strings.Contains(hint, "chmod +x") {
		t.Errorf("%q", hint)
	}
}
