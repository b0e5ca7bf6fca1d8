package rules

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/rule"
)

// A bad end counts where the client does not always end like that, also if it comes to one where nothing is odd; why it came to it is
// only said of one that ends well there.
func TestClientRulesOnBadEnds(t *testing.T) {
	const (
		well    = `"control":{"sent":["session/status"],"well":true,"ends":true}`
		always  = `"control":{"sent":["session/status"]}`             // however it goes, it ends badly
		falling = `"control":{"sent":["session/status"],"ends":true}` // it dies of every status
		hangs   = `# {"exit":{"code":-1,"signal":"killed","timeLimit":true}}`
		floods  = `# {"exit":{"code":-1,"signal":"killed","flooded":true}}`
	)
	played := func(actions, control string) string {
		return strings.Replace(script(actions), habitual, control, 1)
	}
	again := `> {"jsonrpc":"2.0","id":8,"method":"session/status","params":{"sessionId":"s"}}`
	resumed := `< {"jsonrpc":"2.0","id":3,"result":{}}`
	gone := `< {"jsonrpc":"2.0","id":3,"error":{"code":-32002,"message":"gone","data":{"sessionId":"s"}}}`
	unknown := `< {"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"gone","data":{"sessionId":"s"}}}`
	warming := says(`{"status":"warming"}`)
	for _, c := range []struct {
		name    string
		version int
		want    string
		script  string
		lines   []string // behind the request for the status
	}{
		{"dies of an odd word", 1, "unknown-value-no-crash", played("visit", well), []string{warming, badEnd}},
		{"dies of every word", 1, "unknown-value-no-crash", played("visit", falling), []string{warming, badEnd}},
		{"always ends badly", 1, "", played("visit", always), []string{warming, badEnd}},
		{"floods at an odd word", 1, "unknown-value-no-crash", played("visit", well), []string{warming, floods}},
		{"dies of the second look at an odd word", 1, "unknown-value-no-crash", played("visit", well),
			[]string{warming, resuming, resumed, again, `< {"jsonrpc":"2.0","id":8,"result":{"status":"warming"}}`, badEnd}},
		{"dies of every answer, also of an error", 1, "unknown-error", played("look", falling), []string{unknown, badEnd}},
		{"dies of every resume", 1, "snapshot-errors", played("visit", falling), []string{says(`{"status":"active"}`), resuming, gone, badEnd}},
		{"waits after active", 1, "no-update-expectation", played("visit", well), []string{says(`{"status":"active"}`), hangs}},
		{"waits for the updates of a session that it has opened", 1, "", played("visit", well), []string{says(`{"status":"inactive"}`), resuming, resumed, again,
			`< {"jsonrpc":"2.0","id":8,"result":{"status":"active"}}`, hangs}},
		{"hangs after every word", 1, "", played("visit", falling), []string{says(`{"status":"active"}`), hangs}},
		{"floods after active", 1, "", played("visit", well), []string{says(`{"status":"active"}`), floods}},
		{"dies of a malformed state", 2, "omitted-state-not-idle", played("visit", well), []string{says(`{"status":"active","state":7}`), badEnd}},
		{"dies of every state", 2, "", played("visit", falling), []string{says(`{"status":"active","state":7}`), badEnd}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := slices.Collect(maps.Keys(talk(t, c.version, append([]string{c.script, hello1, welcome(c.version, "{}"), "> " + askStatus}, c.lines...)...)))
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

// A rule that needs no printed lines to be seen is owed if it is a MUST; the reason for one that was not seen tells what the client
// did not do.
func TestClientRulesThatAreOwed(t *testing.T) {
	idle := ClientHabits{Agreed: true}
	asks := ClientHabits{Agreed: true, Sent: []string{"session/status"}}
	before := ClientHabits{Agreed: true, Sent: []string{"session/status"}, Before: true}
	owed := map[string]bool{}
	for _, r := range Client() {
		owed[strings.TrimPrefix(r.ID, "status.client.")] = ClientOwed(r)
		if o := clientOccasions[r.ID]; ClientOwed(r) && (o.prints || o.shows || o.counts || r.Level != rule.Must) {
			t.Errorf("%s is owed, though it needs what the client prints", r.ID)
		}
		if ClientSpares(r.ID, asks) || ClientSpares(r.ID, before) != clientOccasions[r.ID].closed {
			t.Errorf("%s: it is spared %v, and by one that opens first %v", r.ID, ClientSpares(r.ID, asks), ClientSpares(r.ID, before))
		}
		if why := ClientUnseen(r.ID, ClientHabits{}); why != "the client did nothing after the handshake" {
			t.Errorf("%s: of a client that only shakes hands: %s", r.ID, why)
		}
		if why := ClientUnseen(r.ID, idle); clientOccasions[r.ID].asks != strings.Contains(why, "does not ask") {
			t.Errorf("%s: of a client that does not ask: %s", r.ID, why)
		}
		if why := ClientUnseen(r.ID, before); clientOccasions[r.ID].closed != strings.Contains(why, "opens a session before") {
			t.Errorf("%s: of a client that opens first: %s", r.ID, why)
		}
	}
	for id, want := range map[string]bool{"gate": true, "unknown-value": true, "lazy-agent": true, "result-by-id": false, "omitted-state-not-idle": false, "no-probe-storm": false} {
		if owed[id] != want {
			t.Errorf("%s is owed: %v", id, owed[id])
		}
	}
}

func TestClientEndsInWords(t *testing.T) {
	for want, e := range map[string]ClientExit{
		"it exited with code 7":                   {Code: 7},
		"it was ended by signal: killed":          {Code: -1, Signal: "killed"},
		"it did not end within its time":          {Code: -1, Signal: "killed", TimeLimit: true},
		"it printed to its stdout without an end": {Code: -1, Signal: "killed", Flooded: true},
	} {
		if e.How() != want || e.Well() {
			t.Errorf("%+v: %s, well %v", e, e.How(), e.Well())
		}
	}
	if !(ClientExit{}).Well() {
		t.Error("exit code 0 is no good end")
	}
}
