package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
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
	case errors.As(err, &invalid) && isNumber(invalid.GetFlag().Value.Type()):
		return fmt.Errorf("--%s %s: %s; `%s --help` lists the flags", invalid.GetFlag().Name, invalid.GetValue(), whatNumber(invalid), c.CommandPath())
	case errors.As(err, &invalid):
		if _, e := strconv.ParseFloat(invalid.GetValue(), 64); e == nil && invalid.GetFlag().Value.Type() == "duration" {
			hint = fmt.Sprintf("; write %ss for seconds", invalid.GetValue())
		}
	}
	return fmt.Errorf("%w%s; `%s --help` lists the flags", err, hint, c.CommandPath())
}

func isNumber(kind string) bool {
	return slices.Contains([]string{"int", "int64", "uint64", "float64"}, kind)
}

// whatNumber says what to write in place of a value that is no number of the kind that a flag takes.
func whatNumber(invalid *pflag.InvalidValueError) string {
	hint := "give a number"
	if invalid.GetFlag().Value.Type() != "float64" {
		hint = "give a whole number"
	}
	if invalid.GetFlag().Value.Type() == "uint64" && strings.HasPrefix(invalid.GetValue(), "-") {
		return hint + " that is not negative"
	}
	if _, err := strconv.ParseFloat(invalid.GetValue(), 64); err == nil || errors.Is(err, strconv.ErrRange) {
		if !strings.ContainsAny(invalid.GetValue(), ".eE") {
			return hint + " that is not so large"
		}
		return hint
	}
	if n := strings.TrimLeft(invalid.GetValue(), "vV"); n != invalid.GetValue() {
		if _, err := strconv.Atoi(n); err == nil {
			return fmt.Sprintf("%s: --%s %s", hint, invalid.GetFlag().Name, n)
		}
	}
	return hint
}

// misspelt finds a command that somebody meant where an agent's name stands, if there is no program of that name.
func misspelt(root *cobra.Command, name, dir string) error {
	if len(name) < 3 || filepath.Base(name) != name || exists(name) || exists(filepath.Join(dir, name)) {
		return nil
	}
	if _, err := exec.LookPath(name); err == nil {
		return nil
	}
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && slips(name, c.Name()) <= max(1, len(name)/3) {
			return fmt.Errorf("there is no program %s; did you mean the command `%s`? An agent of that name is written ./%[1]s", name, c.Name())
		}
	}
	return nil
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

// didYouMean asks behind a message for the name that was probably meant, if there is any.
func didYouMean(typed string, names []string) string {
	if near, ok := nearest(typed, names); ok {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}

// slips is how many letters too many, too few or wrong make one name of the other; two that have changed places count as one.
func slips(typed, name string) int {
	typed, name = strings.ToLower(typed), strings.ToLower(name)
	least := levenshtein.ComputeDistance(typed, name)
	for i := 0; i+1 < len(typed) && len(typed) < mostTyped; i++ {
		b := []byte(typed)
		b[i], b[i+1] = b[i+1], b[i]
		least = min(least, 1+levenshtein.ComputeDistance(string(b), name))
	}
	return least
}

// mostTyped is how long a name may be in which letters are looked for that have changed places: longer ones are no slip of a hand.
const mostTyped = 100

// nearest finds the name that somebody probably meant: at most a third of the letters are wrong, or the rest is missing.
func nearest(typed string, names []string) (string, bool) {
	best, least := "", max(1, len(typed)/3)+1
	for _, name := range names {
		d := slips(typed, name)
		if typed != "" && strings.HasPrefix(name, typed) {
			d = min(d, 1)
		}
		if d < least {
			best, least = name, d
		}
	}
	return best, best != ""
}
