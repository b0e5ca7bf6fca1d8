package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// A wrapper looks for a package each time that it is started, and a run starts the agent for every rule.
type wrapper struct {
	words   []string // the beginning of the command line
	instead string   // what to do
}

var wrappers = []wrapper{
	{[]string{"npx"}, "install the package (npm install) and start node_modules/.bin/NAME"},
	{[]string{"npm", "exec"}, "install the package (npm install) and start node_modules/.bin/NAME"},
	{[]string{"npm", "x"}, "install the package (npm install) and start node_modules/.bin/NAME"},
	{[]string{"pnpm", "dlx"}, "install the package (pnpm add) and start node_modules/.bin/NAME"},
	{[]string{"pnpx"}, "install the package (pnpm add) and start node_modules/.bin/NAME"},
	{[]string{"yarn", "dlx"}, "install the package (yarn add) and start node_modules/.bin/NAME"},
	{[]string{"bunx"}, "install the package (bun add) and start node_modules/.bin/NAME"},
	{[]string{"bun", "x"}, "install the package (bun add) and start node_modules/.bin/NAME"},
	{[]string{"uvx"}, "install it (uv tool install) and start the program that this makes"},
	{[]string{"uv", "tool", "run"}, "install it (uv tool install) and start the program that this makes"},
	{[]string{"pipx", "run"}, "install it (pipx install) and start the program that this makes"},
}

// behind is the command line behind what only prepares it: env with its flags and variables, exec, or a shell that is given a plain one.
func behind(words []string) []string {
	for len(words) > 1 {
		switch name := filepath.Base(words[0]); {
		case name == "env" || name == "exec" || name == "nice" || name == "nohup":
			words = words[1:]
		case strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "="):
			words = words[1:]
		case slices.Contains(shells, name) && words[1] == "-c" && len(words) > 2:
			words = strings.Fields(words[2])
		default:
			return words
		}
	}
	return words
}

var shells = []string{"sh", "bash", "dash", "zsh"}

// wrapperOf is the wrapper that a command line begins with.
func wrapperOf(words []string) (w wrapper, ok bool) {
	if words = behind(words); len(words) == 0 {
		return w, false
	}
	name := strings.ToLower(filepath.Base(words[0]))
	plain := append([]string{strings.TrimSuffix(strings.TrimSuffix(name, ".cmd"), ".exe")}, words[1:]...)
	i := slices.IndexFunc(wrappers, func(w wrapper) bool { return len(plain) >= len(w.words) && slices.Equal(plain[:len(w.words)], w.words) })
	if i < 0 {
		return w, false
	}
	return wrappers[i], true
}

// slowStart is how long an agent may take for its first answer until the wrapper in front of it is worth a word.
const slowStart = 2 * time.Second

// diagnose gives hints about how the agent is started, if that took long.
func diagnose(words []string, r *result.Run) {
	w, ok := wrapperOf(words)
	if !ok {
		return
	}
	took, answered := startOf(*r)
	if took < slowStart || r.Interrupt && !answered {
		return
	}
	how := fmt.Sprintf("took %s to answer initialize", took.Round(100*time.Millisecond))
	if !answered {
		how = fmt.Sprintf("did not answer initialize in %s", took.Round(100*time.Millisecond))
	}
	r.Hints = append(r.Hints, fmt.Sprintf("the agent is started by %[1]s and %[2]s: %[1]s looks for the package each time, and a run starts the agent for every rule; %[3]s",
		strings.Join(w.words, " "), how, w.instead))
}

// startOf is how long the agent took to answer initialize, or was waited for in vain.
func startOf(r result.Run) (took time.Duration, answered bool) {
	for _, m := range r.Timeline {
		if m.Kind == "message" && strings.HasPrefix(m.What, "initialize ") {
			return time.Duration(m.AtMs) * time.Millisecond, true
		}
	}
	return time.Duration(r.DurationMs) * time.Millisecond, r.Survey.Handshake
}
