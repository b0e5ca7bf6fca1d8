package steady

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// holding is what this process holds: its open files by descriptor, and the processes that come from it.
type holding map[string]string

// markVariable is in the environment of everything that this process starts: also of commands that run for an agent, from whose
// environment everything else is taken.
const markVariable = "TMPDIR"

// mark makes what this process starts from now on known by its environment.
func mark(t *testing.T) {
	t.Helper()
	t.Setenv(markVariable, t.TempDir())
}

func holds(t *testing.T) holding {
	t.Helper()
	h := holding{}
	for _, fd := range names(t, "/proc/self/fd") {
		if target, err := os.Readlink("/proc/self/fd/" + fd); err == nil { // else it was the one for this list
			h["descriptor "+fd] = target
		}
	}
	needle := []byte(markVariable + "=" + os.Getenv(markVariable) + "\x00")
	for _, pid := range names(t, "/proc") {
		if n, err := strconv.Atoi(pid); err != nil || n == os.Getpid() {
			continue
		}
		env, _ := os.ReadFile(filepath.Join("/proc", pid, "environ"))
		if bytes.Contains(env, needle) || child(pid) {
			line, _ := os.ReadFile(filepath.Join("/proc", pid, "cmdline"))
			h["process "+pid] = string(bytes.ReplaceAll(line, []byte{0}, []byte{' '}))
		}
	}
	return h
}

// child tells whether a process is our own child, be it one that has ended and nobody has taken notice.
func child(pid string) bool {
	stat, _ := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	return len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid())
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := f.Readdirnames(-1)
	_ = f.Close()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// beyond lists what was not held before.
func (h holding) beyond(before holding) (more []string) {
	for what, is := range h {
		if before[what] != is {
			more = append(more, fmt.Sprintf("%s: %s", what, is))
		}
	}
	return more
}

// What a rule would leave is found: these leave something on purpose.
func TestWhatIsLeftIsFound(t *testing.T) {
	mark(t)
	before, known := holds(t), goleak.IgnoreCurrent()
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	if more := holds(t).beyond(before); len(more) != 1 || !strings.HasSuffix(more[0], os.DevNull) {
		t.Errorf("an open file: %q", more)
	}
	_ = file.Close()
	in, out := io.Pipe()
	go func() { _, _ = io.Copy(io.Discard, in) }()
	if err := goleak.Find(known); err == nil {
		t.Error("a goroutine: nothing")
	}
	_ = out.Close()
	p, err := wire.Command([]string{"sh", "-c", "setsid sleep 1000 & echo; exec sleep 1000"})(t.Context(), wire.Launch{})
	if err != nil {
		t.Fatal(err)
	}
	_, _ = bufio.NewReader(p.Output()).ReadString('\n')
	processes := 0
	for deadline := time.Now().Add(30 * time.Second); processes != 2 && time.Now().Before(deadline); { // one that becomes another program has no environment
		processes = 0
		for what := range holds(t) {
			if strings.HasPrefix(what, "process ") {
				processes++
			}
		}
	}
	if processes != 2 {
		t.Errorf("%d processes were found", processes)
	}
	p.End(0)
	_ = p.Output().(io.Closer).Close()
	if more := holds(t).beyond(before); len(more) > 0 {
		t.Errorf("when all is over: %q", more)
	}
}
