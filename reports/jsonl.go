package reports

import (
	"encoding/json"
	"io"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// Live is an event of a run that is under way, as a line of JSON.
type Live struct {
	Event   string          `json:"event"`             // begin, survey, rule
	At      string          `json:"at"`                // RFC 3339
	Agent   []string        `json:"agent,omitempty"`   // begin: as the user named it
	Rule    string          `json:"rule,omitempty"`    // rule: one that has concluded
	Verdict *result.Verdict `json:"verdict,omitempty"` // rule: its verdict so far
	Done    int             `json:"done"`              // rules concluded
	Total   int             `json:"total"`             // rules of the run
}

// JSONLive writes an event as a line.
func JSONLive(w io.Writer, e Live) error { return jsonLine(w, e) }

// JSONLines writes what comes behind the events of a run: a line for each rule, with its evidence, and one for the run without its
// rules, which is the last.
func JSONLines(w io.Writer, r result.Run) error {
	r = complete(r)
	for _, o := range r.Rules {
		if err := jsonLine(w, struct {
			Event string `json:"event"`
			result.Outcome
		}{"outcome", o}); err != nil {
			return err
		}
	}
	r.Rules = []result.Outcome{}
	return jsonLine(w, struct {
		Event string `json:"event"`
		result.Run
	}{"end", r})
}

func jsonLine(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
