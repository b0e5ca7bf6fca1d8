package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/judge"
	"github.com/acp-conform/acp-conform/conformance/judge/reference"
)

// clientUnder is the command that starts the client under test. Nothing is started here. The client has a working directory of its
// own, so names of files that count from here are made absolute.
func (p *program) clientUnder(words []string, o *clientOptions) ([]string, error) {
	switch name := words[0]; {
	case name == "":
		return nil, errNoClient
	case name == referenceName:
		return p.referenceCommand(words[1:], o)
	case strings.HasPrefix(name, "@"):
		return nil, fmt.Errorf("there is no built-in client %s; did you mean %s? A program of that name is written ./%s", name, referenceName, name)
	case isDir(name) == nil:
		if _, err := exec.LookPath(name); err != nil {
			return nil, fmt.Errorf("%s is a directory; name the program in it that drives the client", name)
		}
	}
	command := make([]string, len(words))
	for i, word := range words {
		command[i] = word
		info, err := os.Stat(word)
		isFile := err == nil && info.Mode().IsRegular() && (i > 0 || strings.ContainsRune(word, filepath.Separator))
		if full, err := filepath.Abs(word); err == nil && isFile {
			command[i] = full
		}
	}
	return command, nil
}

// referenceName stands for the built-in client in the place of a client's name.
const referenceName = "@reference"

// referenceCommand starts this program as the reference client, as the words behind its name want it.
func (p *program) referenceCommand(words []string, o *clientOptions) ([]string, error) {
	var faults, variants []string
	flags := pflag.NewFlagSet(referenceName, pflag.ContinueOnError)
	flags.Usage = func() {}
	referenceFlags(flags, &faults, &variants)
	err := flags.Parse(words)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		p.printf("%s is the client that is built in. It takes these flags:\n%s", referenceName, flags.FlagUsagesWrapped(helpWidth))
		return nil, exitCode(0)
	case err != nil:
		return nil, fmt.Errorf("%s: %w%s; it takes --fault and --variant, flags of `%s client` itself stand before %s", referenceName, err, nearestFlag(flags, err), programName, referenceName)
	case flags.NArg() > 0:
		return nil, fmt.Errorf("%s: what is %q? A fault is written --fault %s", referenceName, flags.Arg(0), flags.Arg(0))
	}
	if err := ofFake(faults, variants); err != nil {
		return nil, fmt.Errorf("%s: %w", referenceName, err)
	}
	if err := reference.Check(faults, variants); err != nil {
		return nil, fmt.Errorf("%s: %w (`%s faults` lists the faults, with --variants the variants)", referenceName, err, programName)
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("this program cannot start itself as a client: %w", err)
	}
	command := []string{exe, referenceClient}
	for _, f := range faults {
		command = append(command, "--fault", f)
	}
	for _, v := range variants {
		command = append(command, "--variant", v)
	}
	if o.vocabulary != "" {
		command = append(command, "--status-vocabulary", o.vocabulary)
	}
	return command, nil
}

func referenceFlags(f *pflag.FlagSet, faults, variants *[]string) {
	f.SortFlags = false
	f.StringSliceVar(faults, "fault", nil, "be wrong in the way `NAME` (repeatable); `"+programName+" faults` lists them")
	f.StringSliceVar(variants, "variant", nil, "differ in the legal way `NAME` (repeatable); `"+programName+" faults --variants` lists them")
}

// clientAgent makes the command line of the agent that a client is told to start.
type clientAgent struct {
	words      []string // that start the fake agent
	vocabulary string
}

func (a clientAgent) line(s judge.Script, protocol int, transcript, printed string) string {
	words := append(append([]string{}, a.words...), "--script", s.Name, "--protocol", strconv.Itoa(protocol), "--transcript", transcript+"-"+processID+".jsonl", "--no-redact", "--printed", printed)
	if a.vocabulary != "" {
		words = append(words, "--status-vocabulary", a.vocabulary)
	}
	for i, w := range words {
		words[i] = conformance.Quote(w)
	}
	return strings.Join(words, " ")
}

// plainSelf is the command that starts this program's fake agent, by a name that a client need not unquote, if there is one: a
// link in the directory stands for a name with blanks.
func plainSelf(dir string) ([]string, error) {
	words, err := self()
	if err != nil || conformance.Quote(words[0]) == words[0] {
		return words, err
	}
	link := filepath.Join(dir, programName)
	if conformance.Quote(link) == link && os.Symlink(words[0], link) == nil {
		words[0] = link
	}
	return words, nil
}
