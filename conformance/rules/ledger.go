package rules

import (
	"embed"
	"encoding/csv"
	"fmt"
	"io"

	"github.com/acp-conform/acp-conform/conformance/rule"
)

//go:embed catalogue.csv
var files embed.FS

// Row is one normative statement of the specification.
type Row struct {
	ID, Level, Basis, Source, Area, Stability, Side string
}

// Catalogue reads our list of the normative statements of the specification.
func Catalogue() ([]Row, error) {
	f, err := files.Open("catalogue.csv")
	if err != nil {
		return nil, err
	}
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, r := range records[1:] {
		rows = append(rows, Row{r[0], r[1], r[2], r[3], r[4], r[5], r[6]})
	}
	return rows, nil
}

// What a row of the ledger says where no rule implements it.
const (
	notYet      = "not yet"
	notTestable = "not testable over stdio"
)

// noted are the rows that are a note of another rule: what they say is worth knowing and never a breach.
var noted = map[string]string{
	"transport.stderr-utf8":              "transport.utf8",
	"transport.accepts-crlf-and-blank":   "jsonrpc.parse-error",
	"jsonrpc.error-message-concise":      "jsonrpc.error-shape",
	"status.capability.optional":         "status.unsupported.method-not-found",
	"status.lazy.may-answer-stored":      "status.unknown.error-code",
	"status.state.v2-stopreason-context": "status.state.v2-equals-last-update",
	"status.snapshot.race-tolerated":     "status.consistency.open-vs-methods",
	"status.cancel-request":              "status.method.name",
}

// unseen are the rows that cannot be seen from outside, with the reason.
var unseen = map[string]string{
	"auth.login-only-flow":                  notTestable + ": a person logs in",
	"list.auth-scoped":                      notTestable + ": needs two accounts",
	"config.order-priority":                 notTestable + ": only the agent knows its priorities",
	"plan.dynamic":                          notTestable + ": a plan may change or not",
	"notice.not-relied-on":                  notTestable + ": needs the same run of a model twice",
	"cancel-request.internal-cancel":        notTestable + ": happens inside the agent",
	"elicitation.bound-to-connection":       notTestable + ": happens inside the agent",
	"elicitation.no-tokens-over-acp":        notTestable + ": a token cannot be told from other text",
	"proxy.initialize-forwards":             notTestable + ": binds a proxy, which needs two connections",
	"proxy.successor-unchanged":             notTestable + ": binds a proxy, which needs two connections",
	"client.auth-terminal-honest":           notTestable + ": happens in the client's user interface",
	"client.dirs-no-merge":                  notTestable + ": happens inside the client",
	"client.mark-tools-cancelled":           notTestable + ": happens in the client's user interface",
	"client.plan-replace":                   notTestable + ": happens in the client's user interface",
	"client.message-id-opaque":              notTestable + ": happens inside the client",
	"client.compaction-order":               notTestable + ": happens inside the client",
	"client.terminal-display-after-release": notTestable + ": happens in the client's user interface",
}

// Ledger writes, for every row of the catalogue, the rule that implements it or the reason why none does.
func Ledger(w io.Writer, all []rule.Rule) error {
	rows, err := Catalogue()
	if err != nil {
		return err
	}
	have := map[string]rule.Rule{}
	for _, r := range all {
		have[r.ID] = r
	}
	out := csv.NewWriter(w)
	_ = out.Write([]string{"id", "level", "stability", "side", "implemented"})
	for _, r := range rows {
		_ = out.Write([]string{r.ID, r.Level, r.Stability, r.Side, implemented(r, have)})
	}
	out.Flush()
	return out.Error()
}

func implemented(r Row, have map[string]rule.Rule) string {
	if of, ok := noted[r.ID]; ok {
		return "noted by " + of
	}
	if why, ok := unseen[r.ID]; ok {
		return why
	}
	if x, ok := have[r.ID]; ok {
		return fmt.Sprintf("rule (%s)", x.Kind())
	}
	return notYet
}
