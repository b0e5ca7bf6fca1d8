package main

import (
	"regexp"
	"slices"
	"strings"
)

// unquoted are the words that a POSIX shell leaves as they are.
var unquoted = regexp.MustCompile(`^[A-Za-z0-9@%+=:,./_-]+$`)

// quote writes a word so that a POSIX shell reads it as it is.
func quote(word string) string {
	if unquoted.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// secret recognises variables whose value must not stand in a report.
var secret = regexp.MustCompile(`(?i)key|token|secret|passw|credential|auth`)

// quoteEnv writes NAME=value for a shell. The value of what looks like a secret is left to the variable of that name.
func quoteEnv(pair string) string {
	name, _, _ := strings.Cut(pair, "=")
	if secret.MatchString(name) {
		return quote(name+"=") + `"$` + name + `"`
	}
	return quote(pair)
}

// commandLine is the command that judges the agent by these rules again, with the flags that decide what it is judged by.
// reserved are the words that must not stand in the place of the agent's name.
func (o *options) commandLine(rules, agent, reserved []string) string {
	words := []string{programName, "--rules", quote(strings.Join(rules, ","))}
	add := func(is bool, flag string, value string) {
		if is {
			words = append(words, flag)
			if value != "" {
				words = append(words, quote(value))
			}
		}
	}
	add(o.protocol != defaultProtocol, "--protocol", itoa(o.protocol))
	add(o.pure, "--pure", "")
	add(o.allowNoSession, "--allow-no-session", "")
	add(o.prompts != "", "--prompts", o.prompts)
	add(o.timeout > 0, "--timeout", o.timeout.String())
	add(o.startTimeout > 0, "--start-timeout", o.startTimeout.String())
	add(o.turnTimeout > 0, "--turn-timeout", o.turnTimeout.String())
	add(o.slow != 1, "--slow", ftoa(o.slow))
	for _, pair := range o.env {
		words = append(words, "--env", quoteEnv(pair))
	}
	add(o.cwd != "", "--cwd", o.cwd)
	add(o.home != "" && o.home != homeInherit, "--home", o.home)
	if strings.HasPrefix(agent[0], "-") || slices.Contains(reserved, agent[0]) {
		words = append(words, "--")
	}
	for _, w := range agent {
		words = append(words, quote(w))
	}
	return strings.Join(words, " ")
}
