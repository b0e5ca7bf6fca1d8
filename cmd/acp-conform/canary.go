package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/conformance/canary"
	"github.com/acp-conform/acp-conform/conformance/result"
)

// canaryCommand is the MCP server of our own sessions: an agent starts it, nobody else has a use for it.
func (p *program) canaryCommand() *cobra.Command {
	var log string
	c := &cobra.Command{
		Use:    canary.Command + " --log FILE",
		Short:  "Be an MCP server that notes in a file that it was started",
		Hidden: true,
		Args:   noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if log == "" {
				log = p.env(canary.Variable)
			}
			if log == "" {
				return fmt.Errorf("--log is missing: name the file to note in, or set %s", canary.Variable)
			}
			return p.beCanary(c, log)
		},
	}
	c.Flags().StringVar(&log, "log", "", "note in `FILE`; by default in the one that "+canary.Variable+" names")
	return c
}

// beCanary serves until the input ends or a signal comes, even while somebody does not read the output.
func (p *program) beCanary(c *cobra.Command, log string) error {
	served := make(chan error, 1)
	go func() { served <- canary.Serve(p.stdin, p.stdout, log) }()
	select {
	case err := <-served:
		if err != nil {
			_, _ = fmt.Fprintf(p.stderr, "%s: %v\n", programName, err)
			return exit(result.ExitFailed)
		}
		return nil
	case <-c.Context().Done():
		return exit(result.ExitInterrupted)
	}
}
