package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError names the flag that is nearest to one that does not exist.
func flagError(c *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	return fmt.Errorf("%w%s; `%s --help` lists the flags", err, nearestFlag(c.Flags(), err), c.CommandPath())
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

// nearest finds the name that somebody probably meant.
func nearest(typed string, names []string) (string, bool) {
	best, least := "", len(typed)/2+1
	for _, name := range names {
		d := levenshtein.ComputeDistance(strings.ToLower(typed), strings.ToLower(name))
		if strings.HasPrefix(name, typed) {
			d = min(d, 1)
		}
		if d < least {
			best, least = name, d
		}
	}
	return best, best != ""
}
