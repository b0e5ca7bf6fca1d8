package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/judge"
	"github.com/acp-conform/acp-conform/conformance/judge/reference"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// referenceClient is the hidden command that is the reference client.
const referenceClient = "reference-client"

func (p *program) referenceClientCommand() *cobra.Command {
	var faults, variants []string
	var vocabulary string
	c := &cobra.Command{
		Use:    referenceClient + " [flags]",
		Short:  "Be the client of a script: what `" + programName + " client " + referenceName + "` starts",
		Hidden: true,
		Args:   noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			words, err := statusWords(vocabulary)
			if err != nil {
				return err
			}
			return p.beClient(c, reference.Client{Faults: faults, Variants: variants, Words: words})
		},
	}
	referenceFlags(c.Flags(), &faults, &variants)
	c.Flags().StringVar(&vocabulary, "status-vocabulary", "", "know the `WORDS` active (and inactive, the default) or open (and saved)")
	return c
}

// beClient plays the script that the environment asks for.
func (p *program) beClient(c *cobra.Command, cl reference.Client) error {
	argv, err := splitWords(p.env(judge.AgentVariable))
	if err != nil || len(argv) == 0 {
		return fmt.Errorf("the variable %s holds no command line: %s is started by `%s client %s`", judge.AgentVariable, referenceClient, programName, referenceName)
	}
	if cl.Dir, err = os.Getwd(); err != nil {
		return err
	}
	cl.Launch = wire.Command(argv)
	cl.Actions, cl.Session = p.env(judge.ActionsVariable), p.env(judge.SessionVariable)
	cl.Protocol, _ = strconv.Atoi(p.env(judge.ProtocolVariable))
	cl.Out, cl.Timeouts = p.stdout, client.DefaultTimeouts()
	code, err := cl.Run(c.Context())
	if err != nil {
		_, _ = fmt.Fprintf(p.stderr, "%s: %v\n", referenceClient, err)
	}
	return exit(code)
}

var errUnclosed = errors.New("a quote is not closed")

// splitWords reads a command line as a POSIX shell does, without expanding anything.
func splitWords(line string) (words []string, err error) {
	var word strings.Builder
	begun := false
	var quote rune
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, begun = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, begun = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	if quote != 0 || escaped {
		return nil, errUnclosed
	}
	return words, nil
}
