package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/acp-conform/acp-conform/fakeagent"
)

// flagError says what to do about a flag that does not exist, or that has another kind of value.
func flagError(c *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	hint := nearestFlag(c.Flags(), err)
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		if h := elsewhere(c, unknown.GetSpecifiedName()); h != "" {
			hint = h
		}
	case errors.As(err, &invalid):
		if _, e := strconv.ParseFloat(invalid.GetValue(), 64); e == nil && invalid.GetFlag().Value.Type() == "duration" {
			hint = fmt.Sprintf("; write %ss for seconds", invalid.GetValue())
		}
	}
	return fmt.Errorf("%w%s; `%s --help` lists the flags", err, hint, c.CommandPath())
}

// elsewhere tells where a flag that is unknown here has its place.
func elsewhere(c *cobra.Command, flag string) string {
	if c.HasParent() {
		if c.Root().Flags().Lookup(flag) == nil {
			return ""
		}
		return fmt.Sprintf("; --%s goes with an agent, and %[2]s is a command here: write -- %[2]s or ./%[2]s for an agent of that name", flag, c.Name())
	}
	fake := pflag.NewFlagSet(fakeName, pflag.ContinueOnError)
	fakeFlags(fake, &fakeagent.Config{})
	if fake.Lookup(flag) == nil {
		return ""
	}
	return fmt.Sprintf("; it is a flag of the built-in agent: write it behind %s", fakeName)
}

// noArgs refuses words behind a command that takes none.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	if slices.Contains(explainable(), args[0]) {
		hint = fmt.Sprintf(", `%s explain %s` tells about that", programName, args[0])
	}
	return fmt.Errorf("%s takes flags only, but %q was given; `%s --help` lists them%s", c.Name(), args[0], c.CommandPath(), hint)
}

func nearestFlag(flags *pflag.FlagSet, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return ""
	}
	name, ok := nearest(unknown.GetSpecifiedName(), flagNames(flags))
	if !ok {
		return ""
	}
	return fmt.Sprintf("; did you mean --%s?", name)
}

func flagNames(flags *pflag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// nearest finds the name that somebody probably meant: at most a third of the letters are wrong, or the rest is missing.
func nearest(typed string, names []string) (string, bool) {
	best, least := "", max(1, len(typed)/3)+1
	for _, name := range names {
		d := levenshtein.ComputeDistance(strings.ToLower(typed), strings.ToLower(name))
		if typed != "" && strings.HasPrefix(name, typed) {
			d = min(d, 1)
		}
		if d < least {
			best, least = name, d
		}
	}
	return best, best != ""
}
