package schemas

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
	"time"
)

// coldChild is set in the process that BenchmarkCold starts, to the work that it is to do.
const coldChild = "ACP_CONFORM_TEST_COLD"

var coldWork = []struct {
	name string
	do   func(e *Edition) bool
}{
	// What a run needs before it can judge its first message.
	{"valid-message", func(e *Edition) bool { return e.CheckName("SessionNotification", chunk) == nil }},
	// What the first message that is not valid needs on top: the validator, for its definition and all that it reaches.
	{"invalid-message", func(e *Edition) bool { return e.CheckName("SessionNotification", json.RawMessage(`{}`)) != nil }},
	// Every definition, which no run needs.
	{"everything", func(e *Edition) bool { return e.Compile() == nil }},
}

// TestColdChild does the work in a process of its own.
func TestColdChild(t *testing.T) {
	name := os.Getenv(coldChild)
	if name == "" {
		t.Skip("only BenchmarkCold starts this")
	}
	for _, work := range coldWork {
		if work.name == name {
			begin := time.Now()
			ok := work.do(Ours().Edition(1, false))
			t.Logf("cold %v %d ns", ok, time.Since(begin).Nanoseconds())
		}
	}
}

var coldLine = regexp.MustCompile(`cold true (\d+) ns`)

// BenchmarkCold reads, and compiles as far as is needed, the edition in use in a process that has done nothing else yet. It
// reports the time that this took there, in milliseconds; the time for the process itself is not in it.
func BenchmarkCold(b *testing.B) {
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	for _, work := range coldWork {
		b.Run(work.name, func(b *testing.B) {
			total := 0
			for b.Loop() {
				c := exec.Command(exe, "-test.run=^TestColdChild$", "-test.v")
				c.Env = append(os.Environ(), coldChild+"="+work.name)
				out, err := c.CombinedOutput()
				m := coldLine.FindSubmatch(out)
				if err != nil || m == nil {
					b.Fatalf("%v\n%s", err, out)
				}
				ns, _ := strconv.Atoi(string(m[1]))
				total += ns
			}
			b.ReportMetric(float64(total)/float64(b.N)/1e6, "cold-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}
