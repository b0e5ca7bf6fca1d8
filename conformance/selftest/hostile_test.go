//go:build unix

package selftest

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/fakeagent/hostile"
)

var (
	hostileModes = flag.String("hostile", "", "only these hostile modes, comma-separated")
	hostileScale = flag.Float64("hostile-scale", ShortScale, "at what share of their full lengths hostile modes run")
)

func TestHostileAgents(t *testing.T) {
	if raced {
		t.Skip("the program that is tried is built without the race detector")
	}
	o := HostileOptions{Program: []string{program(t)}, Scale: *hostileScale}
	if *hostileModes != "" {
		o.Modes = strings.Split(*hostileModes, ",")
	}
	reports, err := RunHostile(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		if testing.Verbose() || len(r.Problems) > 0 { // of a failure, the log of a CI keeps few lines
			t.Logf("%-32s %6d ms %4d MiB %s %v", r.Mode, r.Millis, r.PeakBytes>>20, r.Verdict, r.Fired)
		}
		for _, p := range r.Problems {
			t.Errorf("%s: %s", r.Mode, p)
		}
	}
}

// program builds the program.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "acp-conform")
	cmd := exec.Command("go", "build", "-o", path, "../../cmd/acp-conform")
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

func TestEveryHostileModeHasARow(t *testing.T) {
	rows := hostileRows()
	for _, m := range hostile.Modes() {
		if _, ok := rows[m.Name]; !ok {
			t.Errorf("nothing is expected of %s", m.Name)
		}
		delete(rows, m.Name)
	}
	for name := range rows {
		t.Errorf("there is no hostile mode %s", name)
	}
}
