package selftest

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/fakeagent/hostile"
)

// HostileOptions say how the suite is tried on hostile agents.
type HostileOptions struct {
	Program []string // the command that runs this program, before its arguments
	Modes   []string // by name; none = all
	Scale   float64  // of sizes, counts and limits; 0 = ShortScale
	Jobs    int      // modes at the same time, 0 = six for each CPU: most of them wait most of the time
	Slow    float64  // a factor on what the suite and each run are given of time; 0 = 1
	// Report, if not nil, is shown every JSON report.
	Report func(mode string, report []byte) error
}

// ShortScale is at what share of their full lengths the modes run in tests.
const ShortScale = 0.01

// HostileReport is what a run on one hostile mode came to.
type HostileReport struct {
	Mode      string            `json:"mode"`
	Expected  HostileWant       `json:"expected"`
	Verdict   result.RunVerdict `json:"verdict"`
	ExitCode  int               `json:"exitCode"`
	Fired     []string          `json:"fired"`
	Millis    int64             `json:"durationMs"`
	PeakBytes int64             `json:"peakBytes"`       // of the memory of the suite's process, 0 where that cannot be seen
	Alone     bool              `json:"alone,omitempty"` // it was too slow beside others, and this is what came of it by itself
	Problems  []string          `json:"problems,omitempty"`
	OK        bool              `json:"ok"`
	late      bool              // it took longer than it may
}

// HostileWant is what a run on a hostile mode has to come to.
type HostileWant struct {
	Verdict  result.RunVerdict `json:"verdict"`
	ExitCode int               `json:"exitCode"`
	Rules    []string          `json:"rules"` // those that fail or warn, and so name the cause
}

// Hostile is what is expected of a run on a mode.
func Hostile(mode string) HostileWant { return hostileRows()[mode].want() }

// hostileRow is what is expected of a run on one mode, by all rules that watch and some that act.
type hostileRow struct {
	verdict result.RunVerdict
	fails   []string      // the rules that fail
	warns   []string      // the rules that warn
	may     []string      // rules that fail or warn as well if the agent comes to it in time
	says    string        // a part of what the report says about the cause
	acts    []string      // the acting rules of the run
	flags   []string      // of the run
	patient []string      // of the run at full length, where they are others
	crosses []string      // names of limits; they are scaled as the mode is
	share   float64       // of the scale, where even a hundredth is long; 0 = 1
	limit   time.Duration // of wall time, if it is more than 15 s
	long    time.Duration // the limit at full length, if it is more than 2 min
}

func (r hostileRow) want() HostileWant {
	codes := map[result.RunVerdict]int{result.Nonconformant: result.ExitFailed, result.Inconclusive: result.ExitInconclusive, result.Interrupted: result.ExitInterrupted}
	return HostileWant{Verdict: r.verdict, ExitCode: codes[r.verdict], Rules: sorted(slices.Concat(r.fails, r.warns))}
}

// The limits of each run.
const (
	hostileTime   = 15 * time.Second
	hostileLong   = 2 * time.Minute // at full length
	hostileGrace  = 2 * time.Second // beyond the limit of a mode
	hostileMemory = 300 << 20       // bytes of the suite's process
)

// hostileRules are the rules of a run: all that watch, and those that the row names.
func hostileRules(row hostileRow) []string {
	var ids []string
	for _, r := range rules.All() {
		if r.For(1) && (r.Watch != nil || r.ID == withinLimits || slices.Contains(row.acts, r.ID)) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// RunHostile judges hostile agents by this program, as a process for each, and compares what comes of it, how long it takes, what
// it costs and what it leaves behind.
func RunHostile(ctx context.Context, o HostileOptions) ([]HostileReport, error) {
	if o.Scale == 0 {
		o.Scale = ShortScale
	}
	if o.Slow == 0 {
		o.Slow = 1
	}
	if o.Jobs <= 0 {
		o.Jobs = 6 * runtime.NumCPU()
	}
	if len(o.Modes) == 0 {
		for _, m := range hostile.Modes() {
			o.Modes = append(o.Modes, m.Name)
		}
	}
	dir, err := os.MkdirTemp(memoryDir(), "acp-conform-hostile-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	reports := make([]HostileReport, len(o.Modes))
	order, err := slowHostile(o.Modes)
	if err != nil {
		return nil, err
	}
	g, crowd := errgroup.WithContext(ctx)
	g.SetLimit(o.Jobs)
	for _, i := range order {
		g.Go(func() (err error) {
			reports[i], err = judgeHostile(crowd, o, o.Modes[i], hostileRows()[o.Modes[i]], dir)
			return err
		})
	}
	if err := g.Wait(); err != nil || o.Jobs == 1 {
		return reports, err
	}
	// How long a run takes beside others says as much about them. What it has to keep is its limit by itself.
	for i, mode := range o.Modes {
		if !reports[i].late {
			continue
		}
		if reports[i], err = judgeHostile(ctx, o, mode, hostileRows()[mode], dir); err != nil {
			return reports, err
		}
		reports[i].Alone = true
	}
	return reports, nil
}

// AddHostile adds reports on hostile modes to the whole.
func (r *Report) AddHostile(reports []HostileReport) {
	r.Hostile = append(r.Hostile, reports...)
	for _, h := range reports {
		for _, p := range h.Problems {
			r.Problems = append(r.Problems, "the hostile mode "+h.Mode+": "+p)
		}
	}
	r.OK = len(r.Problems) == 0
}

// slowHostile gives the order in which modes are tried: those that may take long first, so that they do not end last.
func slowHostile(modes []string) ([]int, error) {
	var order []int
	for i, mode := range modes {
		if _, ok := hostileRows()[mode]; !ok {
			return nil, fmt.Errorf("nothing is expected of the hostile mode %q", mode)
		}
		order = append(order, i)
	}
	limit := func(i int) time.Duration { return hostileRows()[modes[i]].limit }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(limit(b), limit(a)) })
	return order, nil
}

// judgeHostile makes a run on one mode.
func judgeHostile(ctx context.Context, o HostileOptions, mode string, row hostileRow, dir string) (HostileReport, error) {
	rep := HostileReport{Mode: mode, Expected: row.want(), Fired: []string{}}
	h := &hostileRun{HostileOptions: o, mode: mode, row: row, rep: &rep}
	if err := h.prepare(dir); err != nil {
		return rep, err
	}
	defer h.remove()
	if err := h.play(ctx); err != nil {
		return rep, err
	}
	h.checkLimits()
	h.checkLeft()
	h.checkOutput()
	h.checkReport()
	rep.OK = len(rep.Problems) == 0
	return rep, ctx.Err()
}
