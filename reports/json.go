package reports

import (
	"encoding/json"
	"io"
	"maps"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// JSON writes the run as one JSON object, in the shape of report.schema.json.
func JSON(w io.Writer, r result.Run) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false) // evidence is easier to read, and to compare with a transcript
	e.SetIndent("", "  ")
	return e.Encode(complete(r))
}

// complete gives every list and map of the report a value, so that a reader never meets null. It changes nothing of r.
func complete(r result.Run) result.Run {
	if r.Schema == "" {
		r.Schema = result.Schema
	}
	if r.Agent.Command == nil {
		r.Agent.Command = []string{}
	}
	if r.Agent.Capabilities == nil {
		r.Agent.Capabilities = map[string]any{}
	}
	if r.Rules == nil {
		r.Rules = []result.Outcome{}
	}
	counts := map[result.Verdict]int{}
	for _, v := range result.Verdicts() {
		counts[v] = 0
	}
	maps.Copy(counts, r.Counts)
	r.Counts = counts
	return r
}
