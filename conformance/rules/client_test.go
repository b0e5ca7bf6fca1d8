package rules

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// Every row about clients that session/status has is a rule, and every rule about clients is such a row.
func TestClientRulesAreTheRows(t *testing.T) {
	rows, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]rule.Rule{}
	for _, r := range Client() {
		have[r.ID] = r
	}
	n := 0
	for _, row := range rows {
		if !strings.HasPrefix(row.ID, "status.client.") {
			continue
		}
		n++
		r, ok := have[row.ID]
		switch {
		case !ok:
			t.Errorf("%s is no rule", row.ID)
		case string(r.Level) != row.Level || string(r.Basis) != row.Basis || string(r.Stability) != row.Stability || r.Binds() != row.Side:
			t.Errorf("%s is %s %s %s about %ss; its row says %v", r.ID, r.Level, r.Basis, r.Stability, r.Binds(), row)
		case r.Watch == nil || r.Occasion != rule.ClientsChoice || !strings.HasSuffix(r.Advice, ".") || strings.HasSuffix(r.Title, "."):
			t.Errorf("%s is not made as such a rule is", r.ID)
		case clientOccasions[r.ID].scripts == "" || clientOccasions[r.ID].without == "":
			t.Errorf("%s has no script, or no reason for not being observed", r.ID)
		}
	}
	if n != len(have) || n != len(clientOccasions) {
		t.Errorf("%d rows, %d rules, %d occasions", n, len(have), len(clientOccasions))
	}
	for _, r := range All() {
		if r.Binds() != rule.Agent {
			t.Errorf("%s is among the rules about agents", r.ID)
		}
	}
}

// talk is a conversation written by hand: a line that begins with > is the client's, with < the agent's, with # a remark.
func talk(t *testing.T, version int, lines ...string) map[string]result.Verdict {
	t.Helper()
	var watching []*rule.Rule
	all := Client()
	for i := range all {
		watching = append(watching, &all[i])
	}
	a := rule.NewAudience(schemas.Ours().Edition(version, false), watching, "test")
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, line := range append(lines, `# {"ended":"the connection is over"}`) {
		side := map[byte]wire.Side{'>': wire.Client, '<': wire.Agent, '#': wire.Suite}[line[0]]
		f := wire.Frame{Seq: i + 1, At: at.Add(time.Duration(i) * 10 * time.Millisecond), From: side, Line: []byte(line[2:])}
		env := wire.Envelope{}
		if side != wire.Suite {
			env = wire.Inspect(f.Line)
		}
		a.Tap(f, env)
	}
	got := map[string]result.Verdict{}
	for i, l := range a.Logs {
		if l.Internal != "" {
			t.Fatalf("%s: %s", all[i].ID, l.Internal)
		}
		if v := result.Worst(l.Occasions, l.Seen); v == result.Fail || v == result.Warn {
			got[strings.TrimPrefix(all[i].ID, "status.client.")] = v
		}
	}
	return got
}

const (
	habitual  = `"control":{"sent":["initialize","session/delete","session/list","session/prompt","session/resume","session/status"],"prints":true,"shows":true,"counts":true,"well":true,"ends":true}`
	hello1    = `> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`
	askStatus = `{"jsonrpc":"2.0","id":2,"method":"session/status","params":{"sessionId":"s"}}`
	prompting = `> {"jsonrpc":"2.0","id":4,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"x"}]}}`
	resuming  = `> {"jsonrpc":"2.0","id":3,"method":"session/resume","params":{"sessionId":"s","cwd":"/"}}`
	badEnd    = `# {"exit":{"code":1}}`
	goodEnd   = `# {"exit":{"code":0}}`
)

// script is the first entry of a transcript.
func script(actions string) string {
	return `# {"script":{"name":"x","actions":"` + actions + `","active":"active","inactive":"inactive","last":true,` + habitual + `,"here":{"sent":["session/list","session/resume","session/delete"],"well":true}}}`
}

// welcome is the answer to initialize with a capability for session/status; "" leaves it out.
func welcome(version int, marker string) string {
	caps := `"list":{},"resume":{},"delete":{}`
	if marker != "" {
		caps += `,"status":` + marker
	}
	if version == 1 {
		return `< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{` + caps + `}}}}`
	}
	return `< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{` + caps + `}}}}`
}

func says(result string) string { return `< {"jsonrpc":"2.0","id":2,"result":` + result + `}` }

func statusStep(rest string) string {
	return `# {"step":{"step":"status","sessionId":"s",` + rest + `}}`
}

func TestClientRulesOnHandWrittenConversations(t *testing.T) {
	resumed := `< {"jsonrpc":"2.0","id":3,"result":{}}`
	gone := `< {"jsonrpc":"2.0","id":3,"error":{"code":-32002,"message":"gone","data":{"sessionId":"s"}}}`
	unknown := `< {"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"gone","data":{"sessionId":"s"}}}`
	update := func(body string) string {
		return `< {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":` + body + `}}`
	}
	for _, c := range []struct {
		name    string
		version int
		want    string // rules and verdicts
		lines   []string
	}{
		{"asks before it knows the capabilities", 1, "gate:fail", []string{script("visit"), "> " + askStatus, hello1, welcome(1, "{}"), goodEnd}},
		{"asks where nothing is advertised", 1, "gate:fail", []string{script("visit"), hello1, welcome(1, ""), "> " + askStatus, goodEnd}},
		{"asks where true is advertised", 1, "invalid-marker:fail", []string{script("visit"), hello1, welcome(1, "true"), "> " + askStatus, says(`{"status":"active"}`), goodEnd}},
		{"asks where an array is advertised", 2, "invalid-marker:fail", []string{script("visit"), hello1, welcome(2, "[]"), "> " + askStatus, says(`{"status":"active"}`), goodEnd}},
		{"asks where an object is advertised", 2, "", []string{script("visit"), hello1, welcome(2, `{"_meta":5}`), "> " + askStatus, says(`{"status":"inactive"}`), goodEnd}},
		{"prompts after active", 1, "resume-before-prompt:fail", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"active"}`), prompting, goodEnd}},
		{"resumes before the answer has come, and prompts", 1, "", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"active"}`), resuming, prompting, goodEnd}},
		{"resumes and prompts", 1, "", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"active"}`), resuming, resumed, prompting, goodEnd}},
		{"prompts after a word of the other family", 1, "unknown-value:fail", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"open"}`), prompting, goodEnd}},
		{"sets a mode after a word that it does not know", 1, "unknown-value:fail", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":""}`),
			`> {"jsonrpc":"2.0","id":9,"method":"session/set_mode","params":{"sessionId":"s","modeId":"m"}}`, goodEnd}},
		{"does nothing after a word that it does not know", 1, "", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"warming"}`), goodEnd}},
		{"dies of a word that it does not know", 1, "unknown-value-no-crash:fail", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"warming"}`), badEnd}},
		{"dies later", 1, "", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"warming"}`), resuming, resumed, badEnd}},
		{"dies of no word", 1, "non-string-status:warn", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{}`), badEnd}},
		{"prompts after no word", 1, "non-string-status:warn", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":null}`), prompting, goodEnd}},
		{"prompts after a resume that failed", 1, "snapshot-errors:fail", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"active"}`), resuming, gone, prompting, goodEnd}},
		{"the same after inactive", 1, "lazy-agent:fail", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"inactive"}`), resuming, gone, prompting, goodEnd}},
		{"dies of a resume that fails", 1, "snapshot-errors:fail", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"active"}`), resuming, gone, badEnd}},
		{"goes on after a resume that fails", 1, "", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"active"}`), resuming, gone, "> " + askStatus, goodEnd}},
		{"resumes what is unknown", 1, "unknown-error:fail", []string{script("look"), hello1, welcome(1, "{}"), "> " + askStatus, unknown, resuming, gone, goodEnd}},
		{"resumes what is unknown because the user wants it", 1, "", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, unknown, resuming, gone, goodEnd}},
		{"shows no state as idle", 2, "omitted-state-not-idle:fail", []string{script("visit"), hello1, welcome(2, "{}"), "> " + askStatus, says(`{"status":"active"}`), statusStep(`"shown":"idle"`), goodEnd}},
		{"shows a text as idle", 2, "omitted-state-not-idle:fail", []string{script("visit"), hello1, welcome(2, "{}"), "> " + askStatus, says(`{"status":"active","state":"idle"}`), statusStep(`"shown":"idle"`), goodEnd}},
		{"shows no state as idle after an update that said so", 2, "", []string{script("visit"), hello1, welcome(2, "{}"), resuming, update(`{"sessionUpdate":"state_update","state":"idle"}`), resumed,
			"> " + askStatus, says(`{"status":"active"}`), statusStep(`"shown":"idle"`), goodEnd}},
		{"shows an odd state as idle", 2, "unrecognised-state:fail", []string{script("visit"), hello1, welcome(2, "{}"), "> " + askStatus, says(`{"status":"active","state":{"state":"_x"}}`), statusStep(`"shown":"idle"`), goodEnd}},
		{"shows an idle state with a bad list as idle", 2, "", []string{script("visit"), hello1, welcome(2, "{}"), "> " + askStatus, says(`{"status":"active","state":{"state":"idle","background":"x"}}`), statusStep(`"shown":"idle"`), goodEnd}},
		{"counts a snapshot", 2, "idle-not-completion:fail", []string{script("visit"), hello1, welcome(2, "{}"), "> " + askStatus, says(`{"status":"active","state":{"state":"idle"}}`), statusStep(`"completions":1`), goodEnd}},
		{"counts the usage of a snapshot", 2, "idle-not-completion:fail", []string{script("visit"), hello1, welcome(2, "{}"), "> " + askStatus, says(`{"status":"active","state":{"state":"idle"}}`), statusStep(`"usage":12`), goodEnd}},
		{"counts a turn", 2, "", []string{script("visit"), hello1, welcome(2, "{}"), "> " + askStatus, says(`{"status":"active","state":{"state":"idle"}}`), resuming, resumed, prompting,
			`< {"jsonrpc":"2.0","id":4,"result":{"messageId":"m"}}`, update(`{"sessionUpdate":"state_update","state":"running"}`), update(`{"sessionUpdate":"state_update","state":"idle"}`), statusStep(`"completions":1`), goodEnd}},
		{"shows a state in version 1 as idle", 1, "v1-ignores-state:warn", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"active","state":{"state":"idle"}}`), statusStep(`"shown":"idle"`), goodEnd}},
		{"waits", 1, "no-update-expectation:fail", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"active"}`), `# {"exit":{"code":-1,"timeLimit":true}}`}},
		{"dies at once where it could have waited", 1, "", []string{script("visit"), hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"active"}`), badEnd}},
		{"without a script, as through a proxy", 1, "resume-before-prompt:fail", []string{hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"open"}`), prompting}},
		{"without a script, a correct one", 1, "", []string{hello1, welcome(1, "{}"), "> " + askStatus, says(`{"status":"saved"}`), resuming, resumed, prompting}},
		{"says nothing that can be read", 1, "", []string{script("visit"), `> {`, hello1, `< {"jsonrpc":"2.0","id":1,"result":7}`, `> []`, goodEnd}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for id, v := range talk(t, c.version, c.lines...) {
				got = append(got, fmt.Sprintf("%s:%s", id, v))
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}
