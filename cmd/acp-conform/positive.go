package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// positive refuses numbers and times that were given and are not above zero: 0 would otherwise pass for no flag at all.
func positive(c *cobra.Command, flags ...string) error {
	for _, name := range flags {
		f := c.Flags().Lookup(name)
		value := f.Value.String()
		if !f.Changed || value != "0" && value != "0s" && !strings.HasPrefix(value, "-") {
			continue
		}
		want := "number such as 4"
		if f.Value.Type() == "duration" {
			want = "time such as 30s"
		}
		return fmt.Errorf("--%s %s: give a positive %s, or leave out the flag", name, value, want)
	}
	return nil
}
