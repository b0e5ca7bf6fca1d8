package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/pflag"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// fakeName stands for the built-in agent in the place of an agent's name.
const fakeName = "@fake"

// agent is what the command line says is to be judged.
type agent struct {
	words   []string // as it was typed: so the report names it
	command []string // how it is started as a process; nil for an agent in this one
	serve   func(context.Context, io.Reader, io.Writer) error
	fake    bool
	config  *fakeagent.Config // of the fake agent in this process, else nil
}

// atHome gives the fake agent in this process a directory of its own: some faults write where they are. What it returns
// removes it.
func (a agent) atHome() (leave func(), err error) {
	if a.config == nil {
		return func() {}, nil
	}
	if a.config.Dir, err = os.MkdirTemp("", "acp-conform-fake-"); err != nil {
		return nil, err
	}
	return func() { _ = os.RemoveAll(a.config.Dir) }, nil
}

func (a agent) into(cfg *conformance.Config) {
	cfg.Command, cfg.Serve, cfg.Name = a.command, a.serve, strings.Join(a.words, " ")
}

// typed is the configuration with the agent as it was typed.
func (a agent) typed(cfg conformance.Config) conformance.Config {
	cfg.Command, cfg.Serve = a.words, nil
	return cfg
}

// agent finds out what is to be judged; a relative path counts from dir. Nothing is started.
func (p *program) agent(words []string, dir string) (agent, error) {
	if words[0] != fakeName {
		return agent{words: words, command: words}, checkName(words[0], dir)
	}
	return p.fake(words)
}

// checkName finds names that no program can have.
func checkName(name, dir string) error {
	switch {
	case name == "":
		return fmt.Errorf("the agent's name is empty: write its command line, such as `%s ./my-agent`", programName)
	case strings.HasPrefix(name, "@"):
		return fmt.Errorf("there is no built-in agent %s; did you mean %s? A program of that name is written ./%s", name, fakeName, name)
	}
	path := name
	if filepath.Base(name) != name && !filepath.IsAbs(name) {
		path = filepath.Join(dir, name)
	}
	if _, err := exec.LookPath(name); err != nil && isDir(path) == nil {
		return fmt.Errorf("%s is a directory; name the program in it that is the agent", name)
	}
	return nil
}

// fake is the agent that is built in, as the words behind its name want it.
func (p *program) fake(words []string) (agent, error) {
	var cfg fakeagent.Config
	flags := pflag.NewFlagSet(fakeName, pflag.ContinueOnError)
	flags.Usage = func() {}
	fakeFlags(flags, &cfg)
	err := flags.Parse(words[1:])
	switch {
	case errors.Is(err, pflag.ErrHelp):
		p.printf("%s is the agent that is built in. It takes these flags:\n%s", fakeName, flags.FlagUsagesWrapped(helpWidth))
		return agent{}, exitCode(result.ExitOK)
	case err != nil:
		return agent{}, fmt.Errorf("%s: %w%s; it takes --fault, --variant, --without, --store, --status-vocabulary and --evict-after, flags of %s itself stand before %s", fakeName, err, nearestFlag(flags, err), programName, fakeName)
	case flags.NArg() > 0 && flags.Arg(0) == "":
		return agent{}, fmt.Errorf("%s: an empty word stands behind it; leave that out, or write --fault NAME (`%s faults` lists the faults)", fakeName, programName)
	case flags.NArg() > 0:
		return agent{}, fmt.Errorf("%s: what is %q? A fault is written --fault %s", fakeName, flags.Arg(0), flags.Arg(0))
	}
	if err := checkFake(cfg); err != nil {
		return agent{}, fmt.Errorf("%s: %w", fakeName, err)
	}
	a := agent{words: words, fake: true}
	if needsProcess(cfg.Faults) {
		a.command, err = fakeCommand(cfg)
		return a, err
	}
	a.config = &cfg
	a.serve = serveFake(a.config)
	return a, nil
}

// fakeFlags are the flags of the fake agent, behind @fake as well as behind fake-agent.
func fakeFlags(f *pflag.FlagSet, cfg *fakeagent.Config) {
	f.SortFlags = false
	f.StringSliceVar(&cfg.Faults, "fault", nil, "be wrong in the way `NAME` (repeatable); `"+programName+" faults` lists them")
	f.StringSliceVar(&cfg.Variants, "variant", nil, "differ in the legal way `NAME` (repeatable); `"+programName+" faults --variants` lists them")
	f.StringSliceVar(&cfg.Without, "without", nil, "leave out the optional `CAPABILITY` (repeatable), such as loadSession")
	f.StringVar(&cfg.Store, "store", "", "keep sessions in `DIR`, so that a restarted agent knows them")
	f.StringVar(&cfg.StatusVocabulary, "status-vocabulary", "", "speak of sessions in session/status with the `WORDS` active (and inactive, the default) or open (and saved)")
	f.DurationVar(&cfg.EvictAfter, "evict-after", 0, "forget sessions that nobody used for `TIME`, such as 2s; a store keeps them")
}

// checkFake finds unknown names, without making the store.
func checkFake(cfg fakeagent.Config) error {
	store := cfg.Store
	cfg.Store = ""
	words := fakeagent.StatusVocabularies()
	switch {
	case cfg.StatusVocabulary != "" && !slices.Contains(words, cfg.StatusVocabulary):
		return fmt.Errorf("--status-vocabulary: %q is not one of %s", cfg.StatusVocabulary, strings.Join(words, ", "))
	case cfg.EvictAfter < 0:
		return fmt.Errorf("--evict-after: %v is less than nothing; write a time such as 2s", cfg.EvictAfter)
	}
	if err := ofReference(cfg.Faults, cfg.Variants); err != nil {
		return err
	}
	if err := checkFakeNames(cfg); err != nil {
		return err
	}
	if _, err := fakeagent.New(cfg); err != nil {
		return err
	}
	if store == "" {
		return nil
	}
	if info, err := os.Stat(store); err == nil && !info.IsDir() {
		return fmt.Errorf("--store %s: not a directory", store)
	}
	return nil
}

func needsProcess(names []string) bool {
	return slices.ContainsFunc(fakeagent.Faults(), func(f fakeagent.Fault) bool { return f.Process && slices.Contains(names, f.Name) })
}

// fakeCommand starts this program as its own fake agent.
func fakeCommand(cfg fakeagent.Config) ([]string, error) {
	words, err := self()
	if err != nil {
		return nil, err
	}
	for _, f := range cfg.Faults {
		words = append(words, "--fault", f)
	}
	for _, v := range cfg.Variants {
		words = append(words, "--variant", v)
	}
	for _, c := range cfg.Without {
		words = append(words, "--without", c)
	}
	if cfg.StatusVocabulary != "" {
		words = append(words, "--status-vocabulary", cfg.StatusVocabulary)
	}
	if cfg.EvictAfter != 0 {
		words = append(words, "--evict-after", cfg.EvictAfter.String())
	}
	if cfg.Store != "" {
		store, err := filepath.Abs(cfg.Store) // the agent may have another working directory
		if err != nil {
			return nil, err
		}
		words = append(words, "--store", store)
	}
	return words, nil
}

// self is the command that starts this program's fake agent.
func self() ([]string, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("this program cannot start itself as a fake agent: %w", err)
	}
	return []string{exe, "fake-agent"}, nil
}

// canaryCommand is the command that starts this program's MCP server; none where the program cannot be found.
func canaryCommand() []string {
	exe, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{exe, "mcp-canary"}
}

// serveFake makes a new fake agent for each connection, as if it were a process: no two give out the same session id.
func serveFake(shared *fakeagent.Config) func(context.Context, io.Reader, io.Writer) error {
	var made atomic.Int64
	return func(ctx context.Context, r io.Reader, w io.Writer) error {
		cfg := *shared
		cfg.Salt = strconv.FormatInt(made.Add(1), 10)
		if home := conformance.HomeOf(ctx); home != "" && cfg.Store == "" {
			cfg.Store = home
		}
		a, err := fakeagent.New(cfg)
		if err != nil {
			return err
		}
		return a.Serve(ctx, r, w)
	}
}
