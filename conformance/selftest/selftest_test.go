package selftest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/acp-conform/acp-conform/conformance/canary"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// asFake makes this test binary be the fake agent: faults of a process need one.
const asFake = "ACP_CONFORM_TEST_FAKE"

// asCanary makes it be the MCP server of the suite.
const asCanary = "ACP_CONFORM_TEST_CANARY"

func TestMain(m *testing.M) {
	if os.Getenv(asCanary) != "" { // it may be the fake that starts it
		os.Exit(serveCanary(os.Args[1:]))
	}
	if os.Getenv(asFake) != "" {
		os.Exit(serveFake(os.Args[1:]))
	}
	flag.Parse()
	debug.SetGCPercent(400) // as the program does
	goleak.VerifyTestMain(m)
}

func serveFake(args []string) int {
	var cfg fakeagent.Config
	for i := 0; i+1 < len(args); i += 2 {
		switch args[i] {
		case "--fault":
			cfg.Faults = append(cfg.Faults, args[i+1])
		case "--variant":
			cfg.Variants = append(cfg.Variants, args[i+1])
		case "--store":
			cfg.Store = args[i+1]
		}
	}
	cfg.Stderr, cfg.Salt = os.Stderr, fmt.Sprint(os.Getpid())
	a, err := fakeagent.New(cfg)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if err := a.Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// self is the command that makes this binary the fake agent.
func self() []string { return []string{"env", asFake + "=1", os.Args[0]} }

// canaryCommand is the command that makes this binary the MCP server.
func canaryCommand() []string {
	env, err := exec.LookPath("env") // an MCP server is named by an absolute path
	if err != nil {
		return nil
	}
	return []string{env, asCanary + "=1", os.Args[0]}
}

func serveCanary(args []string) int {
	if err := canary.Serve(os.Stdin, os.Stdout, args[len(args)-1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// here lists the working directory.
func here(t *testing.T) string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(entries)
}

var full = flag.Bool("full", false, "run all rules against all faults, and against the legal variants")

func TestSelftest(t *testing.T) {
	o := Options{Self: self(), Canary: canaryCommand(), Full: *full, FaultsOnly: !*full} // `acp-conform selftest` tries the variants
	if raced {
		o.Patterns, o.FaultsOnly = []string{"transport", "!transport.within-limits", "cancel", "update"}, true
	}
	before := here(t)
	rep, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if after := here(t); after != before {
		t.Errorf("a fault left something where the suite runs: %s", after)
	}
	if !rep.OK {
		t.Errorf("%d problems:\n%s", len(rep.Problems), strings.Join(rep.Problems, "\n"))
	}
}
