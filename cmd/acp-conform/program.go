package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/result"
)

const programName = "acp-conform"

// program is the command line with its streams. The environment is asked through it and nowhere else.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	version        string
	suite          func(context.Context, conformance.Config) (result.Run, error)
	guard          *guard
	amend          func([]*sink) // by which tests make a report fail; nil = nothing
	amendBaseline  func()        // and the writing of a baseline
}

// run is the program: it takes its arguments without its name and returns its exit code.
func run(ctx context.Context, g *guard, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{stdin: stdin, stdout: stdout, stderr: stderr, version: version(), suite: conformance.Run, guard: g}
	return p.execute(ctx, args)
}

func (p *program) execute(ctx context.Context, args []string) int {
	root := p.root()
	root.SetArgs(args)
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	err := root.ExecuteContext(ctx)
	var code exitCode
	switch {
	case err == nil:
		return result.ExitOK
	case errors.As(err, &code):
		return int(code)
	}
	_, _ = fmt.Fprintf(p.stderr, "%s: %v\n", programName, err)
	return result.ExitUsage
}

// exitCode is the error of a command that has said all there is to say. Any other error of a command is about the command
// line: it is printed, and the exit code is 2.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// exit gives the error of a command that ends with the code.
func exit(code int) error {
	if code == result.ExitOK {
		return nil
	}
	return exitCode(code)
}

// version is the version of this program as its build knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

func (p *program) env(name string) string { return os.Getenv(name) }

// terminal tells whether a stream is a terminal that obeys colour and cursor codes.
func (p *program) terminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok || p.env("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// root is the command tree.
func (p *program) root() *cobra.Command {
	c := p.testCommand()
	c.AddCommand(p.fakeAgentCommand(), p.rulesCommand(), p.faultsCommand(), p.explainCommand(), p.schemaCommand(), p.selftestCommand(), p.fuzzCommand())
	c.AddCommand(p.canaryCommand(), p.compareCommand(), p.clientCommand(), p.referenceClientCommand())
	c.SetHelpCommand(helpCommand())
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetFlagErrorFunc(flagError)
	p.completion(c)
	completed(c)
	return c
}
