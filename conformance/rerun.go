package conformance

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/rules"
)

// commands are the words that acp-conform takes for one of its commands where an agent's name could stand.
var commands = []string{"client", "compare", "completion", "explain", "fake-agent", "faults", "fuzz", "help", "mcp-canary", "reference-client", "rules", "schema", "selftest", "__complete", "__completeNoDesc"}

// CommandLine is the command of acp-conform, for a shell, that judges the agent by these rules again, with all settings that
// decide what it is judged by. It is "" for an agent that has neither a Command nor a Name: a shell cannot start it.
func (cfg Config) CommandLine(rules []string) string {
	agent := cfg.Command
	if len(agent) == 0 && cfg.Name != "" {
		agent = []string{cfg.Name}
	}
	if len(agent) == 0 {
		return ""
	}
	words := append([]string{toolName, "--rules", quote(strings.Join(rules, ","))}, append(cfg.flags(), cfg.drawn(rules)...)...)
	if strings.HasPrefix(agent[0], "-") || slices.Contains(commands, agent[0]) {
		words = append(words, "--")
	}
	for _, w := range agent {
		words = append(words, quote(w))
	}
	return strings.Join(words, " ")
}

// drawn are the flags without which rules that draw what they do at random would do something else.
func (cfg Config) drawn(ids []string) []string {
	if !slices.ContainsFunc(ids, rules.Seeded) {
		return nil
	}
	words := []string{"--seed", strconv.FormatInt(cmp.Or(cfg.Seed, engine.DefaultSeed), 10)}
	if cfg.ModelSequences > 0 {
		words = append(words, "--model-sequences", strconv.Itoa(cfg.ModelSequences))
	}
	return words
}

// flags are the settings as flags, quoted.
func (cfg Config) flags() []string {
	var words []string
	set := func(is bool, flag string) {
		if is {
			words = append(words, flag)
		}
	}
	give := func(is bool, flag, value string) {
		if is {
			words = append(words, flag, quote(value))
		}
	}
	wait := func(flag string, d time.Duration) { give(d > 0, flag, d.String()) }
	give(cfg.Protocol != 0 && cfg.Protocol != client.Version, "--protocol", strconv.Itoa(cfg.Protocol))
	set(cfg.StableOnly, "--stable-only")
	give(cfg.SchemaDir != "", "--schema", cfg.SchemaDir)
	give(cfg.StatusVocabulary != "", "--status-vocabulary", cfg.StatusVocabulary)
	give(cfg.ConfigFile != "", "--config", cfg.ConfigFile)
	set(cfg.Pure, "--pure")
	set(cfg.AllowNoSession, "--allow-no-session")
	if n := cfg.PromptLimit; n != nil {
		give(*n == 0, "--prompts", "none")
		give(*n > 0, "--prompts", strconv.Itoa(*n))
	}
	wait("--timeout", cfg.Timeouts.Request)
	wait("--start-timeout", cfg.Timeouts.Start)
	wait("--turn-timeout", cfg.Timeouts.Turn)
	give(cfg.Slow != 0 && cfg.Slow != 1, "--slow", strconv.FormatFloat(cfg.Slow, 'g', -1, 64))
	for _, limit := range cfg.Limits.Set() {
		give(true, "--limit", limit)
	}
	for _, pair := range cfg.Env {
		words = append(words, "--env", quoteEnv(pair))
	}
	give(cfg.Dir != "", "--cwd", cfg.Dir)
	give(cfg.Home != "", "--home", cfg.Home)
	return words
}

// testLine is the command that runs the subtests of these rules again.
func testLine(test string, rules []string) string {
	var levels []string
	for level := range strings.SplitSeq(test, "/") {
		levels = append(levels, "^"+regexp.QuoteMeta(level)+"$")
	}
	var ids []string
	for _, id := range rules {
		ids = append(ids, regexp.QuoteMeta(id))
	}
	last := strings.Join(ids, "|")
	if len(ids) > 1 {
		last = "(" + last + ")"
	}
	return "go test -run " + quote(strings.Join(append(levels, "^"+last+"$"), "/"))
}

// unquoted are the words that a POSIX shell leaves as they are.
var unquoted = regexp.MustCompile(`^[A-Za-z0-9@%+=:,./_-]+$`)

// quote writes a word so that a shell reads it as it is. What a terminal would not show is written as an escape.
func quote(word string) string {
	switch {
	case unquoted.MatchString(word):
		return word
	case !utf8.ValidString(word) || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsPrint(r) }):
		return escaped(word)
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// escaped writes a word as $'…', which bash, zsh, ksh and newer POSIX shells know.
func escaped(word string) string {
	var b strings.Builder
	b.WriteString("$'")
	for len(word) > 0 {
		r, n := utf8.DecodeRuneInString(word)
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\'' || r == '\\':
			b.WriteString(`\` + string(r))
		case unicode.IsPrint(r) && !(r == utf8.RuneError && n == 1):
			b.WriteRune(r)
		default:
			for _, c := range []byte(word[:n]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		}
		word = word[n:]
	}
	return b.String() + "'"
}

// secret recognises variables whose value must not stand in a report.
var secret = regexp.MustCompile(`(?i)key|token|secret|passw|passphrase|credential|auth|cookie|_(?:pass|pwd|pat)[0-9]*$`)

// quoteEnv writes NAME=value for a shell. The value of what looks like a secret is left to the variable of that name.
func quoteEnv(pair string) string {
	name, _, _ := strings.Cut(pair, "=")
	if secret.MatchString(name) {
		return quote(name+"=") + `"$` + name + `"`
	}
	return quote(pair)
}
