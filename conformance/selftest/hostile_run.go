package selftest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/fakeagent/hostile"
)

// hostileRun is one run of the program on a hostile mode, in directories of its own.
type hostileRun struct {
	HostileOptions
	mode string
	row  hostileRow
	rep  *HostileReport
	base string
	took time.Duration
	over bool // it had to be ended
}

// problem notes what is otherwise than expected, and what must never be.
func (h *hostileRun) problem(format string, args ...any) {
	h.rep.Problems = append(h.rep.Problems, fmt.Sprintf(format, args...))
}

// The directories of a run. Only out may have anything in it afterwards.
var hostileDirs = []string{"tmp", "cwd", "home", "out"}

func (h *hostileRun) prepare(dir string) error {
	h.base = filepath.Join(dir, h.mode)
	for _, name := range hostileDirs {
		if err := os.MkdirAll(filepath.Join(h.base, name), 0o700); err != nil {
			return err
		}
	}
	return nil
}

func (h *hostileRun) path(parts ...string) string {
	return filepath.Join(append([]string{h.base}, parts...)...)
}

// command is the program, judging a hostile agent that is this program as well.
func (h *hostileRun) command() (*exec.Cmd, error) {
	words := slices.Concat(h.Program, []string{"--no-color", "--jobs", "2", "--slow", ftoa(h.Slow), "--report", "text"}, h.reports(),
		[]string{"--rules", strings.Join(hostileRules(h.row), ",")}, h.flags(), h.limits(), []string{"--"}, h.Program,
		[]string{"fake-agent", "--hostile", h.mode, "--hostile-scale", ftoa(h.scale())})
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = h.path("cwd")
	cmd.Env = append(os.Environ(), "TMPDIR="+h.path("tmp"), "HOME="+h.path("home"), hostile.Secret+"=1")
	stdout, err := os.Create(h.path("out", "stdout"))
	if err != nil {
		return nil, err
	}
	stderr, err := os.Create(h.path("out", "stderr"))
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd, err
}

// limits are the limits that the mode is to cross, as small as the mode itself.
func (h *hostileRun) limits() []string {
	if h.Scale == 1 {
		return nil
	}
	d := wire.DefaultLimits()
	full := map[wire.Limit]int64{wire.LimitLine: d.Line, wire.LimitFrames: d.Frames, wire.LimitRecorded: d.Recorded, wire.LimitStderr: d.Stderr,
		wire.LimitRequests: d.Requests, wire.LimitTerminals: d.Terminals, wire.LimitChildren: d.Children}
	var flags []string
	for _, name := range h.row.crosses {
		scale := h.Scale
		if name == "frames" {
			scale = min(1, 10*scale) // they are counted by the second, and time is not scaled
		}
		flags = append(flags, "--limit", fmt.Sprintf("%s=%d", name, max(1, int64(float64(full[wire.Limit(name)])*scale))))
	}
	return flags
}

// flags are those of the row. A flood at full length is handled as fast as it can be, and what comes behind it is not called missing;
// where a row has timeouts of its own they are what it is about.
func (h *hostileRun) flags() []string {
	const long = "15m"
	switch {
	case h.Scale < 1:
		return h.row.flags
	case len(h.row.patient) > 0:
		return h.row.patient
	case len(h.row.crosses) == 0 || len(h.row.flags) > 0:
		return h.row.flags
	}
	return []string{"--start-timeout", long, "--timeout", long, "--turn-timeout", long, "--limit", "rule-time=" + long}
}

// scale is how long the mode is, of its full length.
func (h *hostileRun) scale() float64 {
	if h.Scale == 1 || h.row.share == 0 {
		return h.Scale
	}
	return h.Scale * h.row.share
}

func ftoa(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// most is how long the run may take.
func (h *hostileRun) most() time.Duration {
	d := max(h.row.limit, hostileTime)
	if h.Scale == 1 {
		d = max(d, hostileLong, h.row.long)
	}
	return time.Duration(h.Slow * float64(d))
}

// play runs the program to its end, which it is helped to if it takes far too long.
func (h *hostileRun) play(ctx context.Context) error {
	cmd, err := h.command()
	if err != nil {
		return err
	}
	ownGroup(cmd)
	started := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	hung := time.NewTimer(2 * h.most())
	defer hung.Stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for running := true; running; {
		select {
		case err = <-ended:
			running = false
		case <-look.C:
			h.rep.PeakBytes = max(h.rep.PeakBytes, peakNow(cmd.Process.Pid))
			continue
		case <-hung.C:
			h.over = true
			killGroup(cmd)
		case <-ctx.Done():
			killGroup(cmd)
			ctx = context.Background() // to its end
		}
	}
	h.took = time.Since(started)
	h.rep.Millis, h.rep.ExitCode = h.took.Milliseconds(), cmd.ProcessState.ExitCode()
	var status *exec.ExitError
	if errors.As(err, &status) {
		err = nil
	}
	return errors.Join(err, cmd.Stdout.(*os.File).Close(), cmd.Stderr.(*os.File).Close())
}

func (h *hostileRun) checkLimits() {
	h.rep.late = h.over || h.took > h.most()+hostileGrace
	switch {
	case h.over:
		h.problem("the run did not end within %v and had to be killed", 2*h.most())
	case h.rep.late:
		h.problem("the run took %v, and its limit is %v", h.took.Round(time.Millisecond), h.most())
	}
	if h.rep.PeakBytes > hostileMemory {
		h.problem("the suite took %d MiB of memory, and may take %d", h.rep.PeakBytes>>20, hostileMemory>>20)
	}
}

// checkLeft looks for processes and files that should not be there any more, and ends the processes.
func (h *hostileRun) checkLeft() {
	for _, p := range endLeft(h.base) {
		h.problem("a process is left: %s", p)
	}
	for _, name := range hostileDirs[:3] {
		entries, err := os.ReadDir(h.path(name))
		if err != nil {
			h.problem("%v", err)
		}
		for _, e := range entries {
			h.problem("%s/%s is left", name, e.Name())
		}
	}
}

// remove takes away the directories of the run, also what is locked.
func (h *hostileRun) remove() {
	_ = filepath.WalkDir(h.base, func(path string, d os.DirEntry, err error) error {
		if err != nil && d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(h.base)
}
