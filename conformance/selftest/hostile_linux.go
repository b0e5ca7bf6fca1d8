package selftest

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// leftPatience is how long a process that has been killed may take to be gone.
const leftPatience = time.Second

// endLeft finds processes that work below a directory or have it in their environment, and ends them.
func endLeft(dir string) []string {
	var left []string
	for deadline := time.Now().Add(leftPatience); ; {
		if left = livingIn(dir, false); len(left) == 0 || time.Now().After(deadline) {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if len(left) > 0 {
		for range 20 {
			if len(livingIn(dir, true)) == 0 {
				break
			}
		}
	}
	return left
}

// livingIn describes processes that belong to a directory, and kills them where that is wanted.
func livingIn(dir string, kill bool) []string {
	entries, _ := os.ReadDir("/proc")
	var found []string
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		cwd, _ := os.Readlink("/proc/" + e.Name() + "/cwd")
		env, _ := os.ReadFile("/proc/" + e.Name() + "/environ")
		if !strings.HasPrefix(cwd, dir+"/") && !bytes.Contains(env, []byte("="+dir+"/")) {
			continue
		}
		words, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		found = append(found, fmt.Sprintf("%d %s", pid, bytes.ReplaceAll(words, []byte{0}, []byte(" "))))
		if kill {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return found
}

// peakNow is the most memory that a process has had so far, in bytes. It is asked while the process runs: what the system tells of one
// that has ended counts the processes that this one had waited for as well, which are the hostile ones.
func peakNow(pid int) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	var kib int64
	_, _ = fmt.Sscan(after, &kib)
	return kib << 10
}
