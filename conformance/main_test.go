package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/onsi/ginkgo/v2"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// childVariable holds, in a child process of these tests, the part that it plays.
const childVariable = "ACP_CONFORM_TEST_CHILD"

// child is this test binary at another job.
type child struct {
	Part           string // agent, busy, test or suite
	Faults         []string
	Variants       []string
	Rules          []string
	Strict         bool
	AllowNoSession bool
	Mute           bool   // the agent reads and never answers
	Tether         string // an address that an agent stays connected to for as long as it lives
}

func TestMain(m *testing.M) {
	text, ok := os.LookupEnv(childVariable)
	if !ok {
		os.Exit(m.Run())
	}
	var c child
	err := json.Unmarshal([]byte(text), &c)
	if err == nil {
		err = c.play()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (c child) play() error {
	switch c.Part {
	case "agent":
		return c.agent()
	case "busy":
		return busy()
	case "test":
		c.testing("TestAgent", func(t *testing.T) { conformance.Test(t, c.config(t)) })
	case "suite":
		c.testing("TestSuite", c.suite)
	}
	return fmt.Errorf("there is no part called %q", c.Part)
}

// testing is a test binary with one test; it does not return.
func (c child) testing(name string, f func(*testing.T)) {
	all := func(string, string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: name, F: f}}, nil, nil)
}

// suite is somebody else's Ginkgo suite.
func (c child) suite(t *testing.T) {
	var connections atomic.Int64
	cfg := c.config(t)
	serve := cfg.Serve
	cfg.Serve = func(ctx context.Context, r io.Reader, w io.Writer) error {
		connections.Add(1)
		return serve(ctx, r, w)
	}
	ginkgo.It("is a spec of their own", func() {})
	conformance.Register(cfg)
	ginkgo.RunSpecs(t, "somebody else's suite")
	fmt.Printf("connections: %d\n", connections.Load())
}

func (c child) config(t testing.TB) conformance.Config {
	serve := fake(t, fakeagent.Config{Faults: c.Faults, Variants: c.Variants})
	if c.Mute {
		serve = mute
	}
	return conformance.Config{Serve: serve, Rules: c.Rules, Strict: c.Strict, AllowNoSession: c.AllowNoSession}
}

func (c child) agent() error {
	a, err := fakeagent.New(fakeagent.Config{Faults: c.Faults, Variants: c.Variants})
	if err != nil {
		return err
	}
	if c.Tether != "" {
		conn, err := net.Dial("tcp", c.Tether)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close() }()
	}
	return a.Serve(context.Background(), os.Stdin, os.Stdout)
}

// busy keeps a CPU busy until its stdin ends.
func busy() error {
	var over atomic.Bool
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		over.Store(true)
	}()
	for !over.Load() {
	}
	return nil
}

// variable is the environment variable that makes this binary the child.
func (c child) variable(t testing.TB) string {
	t.Helper()
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return childVariable + "=" + string(b)
}

func (c child) command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(self(t), args...)
	cmd.Env = append(os.Environ(), c.variable(t), "NO_COLOR=1")
	return cmd
}

// run runs the child to its end and gives all that it printed.
func (c child) run(t testing.TB, args ...string) (output string, ok bool) {
	t.Helper()
	cmd := c.command(t, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return out.String(), err == nil
}

func self(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func fake(t testing.TB, cfg fakeagent.Config) func(context.Context, io.Reader, io.Writer) error {
	t.Helper()
	a, err := fakeagent.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return a.Serve
}

// mute is an agent that reads to the end and says nothing.
func mute(_ context.Context, r io.Reader, _ io.Writer) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

// wantParts looks for the parts in a text; how the text is broken into lines does not matter.
func wantParts(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), part) {
			t.Errorf("%q is not in:\n%s", part, text)
		}
	}
}
