package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/fakeagent"
)

// checkFakeNames finds names that the fake agent does not know, and suggests those that are like them.
func checkFakeNames(cfg fakeagent.Config) error {
	for _, c := range []struct {
		kind         string
		given, known []string
		like         func(typed string, known []string) (string, bool)
		lists        string
	}{
		{"fault", cfg.Faults, append(namesOf(fakeagent.Faults()), namesOf(fakeagent.InputFaults())...), nearest, "`" + programName + " faults` lists the faults"},
		{"variant", cfg.Variants, namesOf(fakeagent.Variants()), nearest, "`" + programName + " faults --variants` lists the variants"},
		{"capability", cfg.Without, fakeagent.Capabilities(), nearestPath, "there are " + strings.Join(fakeagent.Capabilities(), ", ")},
	} {
		for _, name := range c.given {
			if slices.Contains(c.known, name) {
				continue
			}
			hint := ""
			if near, ok := c.like(name, c.known); ok {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			return fmt.Errorf("unknown %s %q%s (%s)", c.kind, name, hint, c.lists)
		}
	}
	return nil
}

// nearestPath finds the dotted path that somebody probably meant: one with the same last name comes first, whatever stands before it,
// because that is how a capability is called, and the way to it is another one in each version.
func nearestPath(typed string, paths []string) (string, bool) {
	last := func(path string) string { return path[strings.LastIndexAny(path, "./")+1:] }
	names := make([]string, len(paths))
	for i, path := range paths {
		if names[i] = last(path); strings.EqualFold(names[i], last(typed)) {
			return path, true
		}
	}
	if path, ok := nearest(typed, paths); ok {
		return path, true
	}
	if name, ok := nearest(last(typed), names); ok {
		return paths[slices.Index(names, name)], true
	}
	return "", false
}
