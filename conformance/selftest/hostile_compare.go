package selftest

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// checkReport reads the JSON report and compares it with what is expected.
func (h *hostileRun) checkReport() {
	b, err := os.ReadFile(h.path("out", "json"))
	if err != nil {
		h.problem("there is no report: %v%s", err, h.lastWords())
		return
	}
	var run result.Run
	if err := json.Unmarshal(b, &run); err != nil {
		h.problem("the report cannot be read: %v", err)
		return
	}
	if h.Report != nil {
		if err := h.Report(h.mode, b); err != nil {
			h.problem("the report: %v", err)
		}
	}
	h.checkComplete(run)
	h.compare(run)
}

// lastWords is what the program said before it ended without a report.
func (h *hostileRun) lastWords() string {
	b, _ := os.ReadFile(h.path("out", "stderr"))
	return "; stderr: " + string(b[max(0, len(b)-2000):])
}

// checkComplete finds what is missing in a report.
func (h *hostileRun) checkComplete(run result.Run) {
	if run.Schema != result.Schema || run.ExitCode != h.rep.ExitCode {
		h.problem("the report is of %s and says exit code %d, and the program exited with %d", run.Schema, run.ExitCode, h.rep.ExitCode)
	}
	var there []string
	sum := 0
	for _, o := range run.Rules {
		there = append(there, o.ID)
		if o.Verdict == result.Error {
			h.problem("the suite failed in %s: %.300s", o.ID, o.Reason)
		}
	}
	for _, n := range run.Counts {
		sum += n
	}
	if missing := slices.DeleteFunc(hostileRules(h.row), func(id string) bool { return slices.Contains(there, id) }); len(missing) > 0 || sum != len(there) {
		h.problem("the report counts %d of %d rules and lacks %v", sum, len(there), missing)
	}
}

// compare finds differences between what the run came to and what is expected.
func (h *hostileRun) compare(run result.Run) {
	h.rep.Verdict = run.Verdict
	var fails, warns []string
	for _, o := range run.Rules {
		switch {
		case o.Verdict == result.Fail && !slices.Contains(h.row.may, o.ID):
			fails = append(fails, o.ID)
		case o.Verdict == result.Warn && !slices.Contains(h.row.may, o.ID):
			warns = append(warns, o.ID)
		}
		if o.Verdict == result.Fail || o.Verdict == result.Warn {
			h.rep.Fired = append(h.rep.Fired, o.ID)
		}
	}
	want := h.row.want()
	if run.Verdict != want.Verdict || h.rep.ExitCode != want.ExitCode {
		h.problem("the run is %s with exit code %d, not %s with %d: %s", run.Verdict, h.rep.ExitCode, want.Verdict, want.ExitCode, first(run))
	}
	if !slices.Equal(sorted(fails), sorted(h.row.fails)) || !slices.Equal(sorted(warns), sorted(h.row.warns)) {
		h.problem("it fails %v and warns %v, not %v and %v: %s", sorted(fails), sorted(warns), sorted(h.row.fails), sorted(h.row.warns), first(run))
	}
	if said := told(run); !strings.Contains(said, h.row.says) {
		h.problem("nothing says %q: %.600s", h.row.says, said)
	}
}

// told is what a report says about causes.
func told(run result.Run) string {
	var b strings.Builder
	fmt.Fprintln(&b, run.ExitReason, run.Problem)
	for _, o := range run.Rules {
		for _, ob := range o.Evidence {
			fmt.Fprintln(&b, o.ID, ob.Severity, ob.Explanation)
		}
	}
	return b.String()
}

// first is the beginning of what a report says about causes.
func first(run result.Run) string { return fmt.Sprintf("%.400s", told(run)) }
