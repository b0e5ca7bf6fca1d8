package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

const testLong = `acp-conform starts an agent of the Agent Client Protocol, talks to it over its stdin and stdout as an editor would, and
says which rules of the protocol it keeps and which it breaks, with the lines that prove it.

Flags come before the agent. Everything from the agent's name on is its own command line. Write ./rules or -- rules
for an agent that has the name of one of the commands below. @fake stands for the agent that is built in.`

const testExamples = `  acp-conform @fake                                  see what a run looks like: the built-in agent keeps every rule
  acp-conform @fake --fault cancel-ignored           and now it breaks one
  acp-conform ./my-agent --its --own --flags         judge an agent
  acp-conform --home temp node build/agent.js        with an empty HOME, so that no settings or login play a part
  acp-conform --rules cancel,prompt.* ./my-agent     only some rules
  acp-conform --rules '!cancel' --strict ./my-agent  all but some; warnings count as failures
  acp-conform --report json=result.json ./my-agent   a report for programs besides the one for you
  acp-conform explain transport.utf8                 what a rule wants, why, and where the protocol says it
  acp-conform schema session/prompt                  what is sent under a method, as JSON Schema`

const exitCodes = `  0    no rule fails
  1    a rule fails (with --strict also: a rule warns, or a MUST that any agent offers an occasion for was not observed)
  2    the command line, the file of --config or a baseline is wrong, or a report cannot be written;
       no agent was started
  3    inconclusive: the agent did not start or no version was agreed, whatever was found; or no rule fails, but no
       session was opened, no rule concluded or the suite itself failed
  130  interrupted by Ctrl-C, SIGTERM or SIGHUP; the report holds what was known by then`

// helpCommand prints the help of a command, or of the main job.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		RunE: func(c *cobra.Command, args []string) error {
			of, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("there is no command %q to help with; `%s --help` lists the commands", strings.Join(args, " "), programName)
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
	}
}

// help is the help of the main job, with its flags in groups; other commands have that of the library.
func (p *program) help(root *cobra.Command, groups []flagGroup) func(*cobra.Command, []string) {
	standard := (&cobra.Command{}).HelpFunc()
	return func(c *cobra.Command, args []string) {
		if c != root {
			standard(c, args)
			return
		}
		var b bytes.Buffer
		section := func(title, text string) { fmt.Fprintf(&b, "\n%s:\n%s\n", title, strings.TrimRight(text, "\n")) }
		b.WriteString(root.Long + "\n")
		section("Usage", "  "+root.Use+"\n  "+programName+" COMMAND [flags]")
		section("Examples", root.Example)
		section("Commands", commands(root))
		for _, g := range groups {
			section(g.title, g.flags.FlagUsagesWrapped(helpWidth))
		}
		section("Other flags", "      --help      print this help; `"+programName+" COMMAND --help` that of a command\n      --version   print the version")
		section("Exit codes", exitCodes)
		_, _ = p.stdout.Write(b.Bytes())
	}
}

const helpWidth = 120

func commands(root *cobra.Command) string {
	var b strings.Builder
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			fmt.Fprintf(&b, "  %-12s %s\n", c.Name(), c.Short)
		}
	}
	return b.String()
}
