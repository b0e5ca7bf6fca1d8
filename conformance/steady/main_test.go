package steady

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/acp-conform/acp-conform/conformance/canary"
	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// The variables that make this test binary the fake agent, the MCP server of the suite, or somebody who keeps a CPU busy.
const (
	asFake   = "ACP_CONFORM_TEST_FAKE"
	asCanary = "ACP_CONFORM_TEST_CANARY"
	asBusy   = "ACP_CONFORM_TEST_BUSY"
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(asCanary) != "": // it may be the fake that starts it
		os.Exit(code(canary.Serve(os.Stdin, os.Stdout, os.Args[len(os.Args)-1])))
	case os.Getenv(asFake) != "":
		os.Exit(code(serveFake(os.Args[1:])))
	case os.Getenv(asBusy) != "":
		os.Exit(busy())
	}
	debug.SetGCPercent(400) // as the program does
	goleak.VerifyTestMain(m)
}

func code(err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// serveFake is the fake agent with the faults that are named. It keeps its sessions in a HOME that is its own: in one that it shares
// their names would tell in which order the rules ran.
func serveFake(faults []string) error {
	cfg := fakeagent.Config{Faults: faults, Stderr: os.Stderr, Salt: os.Getenv(asFake)}
	if home := os.Getenv("HOME"); filepath.Base(home) != "home" {
		cfg.Store = filepath.Join(home, "store")
	}
	a, err := fakeagent.New(cfg)
	if err != nil {
		return err
	}
	return a.Serve(context.Background(), os.Stdin, os.Stdout)
}

// spun is what the busy loops count.
var spun atomic.Uint64

// busy keeps the CPUs busy until its stdin ends.
func busy() int {
	for range runtime.NumCPU() {
		go func() {
			for turns := uint64(0); ; turns++ {
				spun.Store(turns)
			}
		}()
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

// inProcess is the fake agent in this process: a new one for each connection, as if it were a process. Its sessions are named after
// the rule, so that their names do not tell in which order the rules ran.
func inProcess(faults ...string) wire.Launcher {
	return func(ctx context.Context, l wire.Launch) (wire.Peer, error) {
		a, err := fakeagent.New(fakeagent.Config{Faults: faults, Salt: l.For, Store: l.Home, Dir: l.Dir})
		if err != nil {
			return nil, err
		}
		return wire.InProcess(a.Serve)(ctx, l)
	}
}

// ownProcess is the fake agent as a process.
func ownProcess(faults ...string) wire.Launcher {
	return func(ctx context.Context, l wire.Launch) (wire.Peer, error) {
		l.Env = append(l.Env, asFake+"="+l.For) // after which its sessions are named
		return wire.Command(append([]string{os.Args[0]}, faults...))(ctx, l)
	}
}

// canaryCommand is the command that makes this binary the MCP server.
func canaryCommand() []string {
	env, err := exec.LookPath("env") // an MCP server is named by an absolute path
	if err != nil {
		return nil
	}
	return []string{env, asCanary + "=1", os.Args[0]}
}

// all are the rules of a version, without those that the test leaves out.
func all(t testing.TB, protocol int, but ...string) []rule.Rule {
	t.Helper()
	chosen, err := engine.Select(slices.DeleteFunc(rules.All(), func(r rule.Rule) bool { return !r.For(protocol) }), but)
	if err != nil {
		t.Fatal(err)
	}
	return chosen
}

// whole is a run of everything.
func whole(t testing.TB, protocol int) engine.Config {
	t.Helper()
	return engine.Config{Protocol: protocol, Rules: all(t, protocol), MaxPrompts: -1, Canary: canaryCommand(), Home: "temp", Dir: t.TempDir(), TempDir: t.TempDir(), Share: share}
}

// share is how much rules do of what they do again and again.
const share = 0.1

// impatient are timeouts for agents that surely do not answer.
func impatient() client.Timeouts {
	return client.Timeouts{Start: time.Second, Request: 50 * time.Millisecond, Turn: 50 * time.Millisecond, Exit: 20 * time.Millisecond, Window: 2 * time.Millisecond}
}

func run(t testing.TB, cfg engine.Config) result.Run {
	t.Helper()
	r, err := engine.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
