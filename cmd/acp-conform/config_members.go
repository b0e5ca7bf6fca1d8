package main

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/stimulus"
)

// configMembers are what may stand in a configuration file; reading one fills in the file.
func configMembers(f *configFile) []member {
	p := &f.profile
	return []member{
		{"prompts", func(r *configReader, path string, n *yaml.Node) { f.prompts = r.prompts(path, n) }},
		{"probeUnadvertised", flag(&p.ProbeUnadvertised)},
		{"evictAfter", func(r *configReader, path string, n *yaml.Node) { p.EvictAfter = r.time(path, n) }},
		{"inactiveSession", func(r *configReader, path string, n *yaml.Node) { r.session(path, n, p) }},
		{"storeDir", func(r *configReader, path string, n *yaml.Node) { p.StoreDir = r.dir(path, n) }},
		{"sharedStore", flag(&p.SharedStore)},
	}
}

// text reads a text that is not empty.
func (r *configReader) text(path string, n *yaml.Node, right string) string {
	switch {
	case n.Kind != yaml.ScalarNode:
		r.wrong(n.Line, "%s; %s", isInstead(path, n), right)
		return ""
	case n.Value == "":
		r.wrong(n.Line, "%s is empty; %s", path, right)
	}
	return n.Value
}

// flag reads true or false, also in the words that older YAML has for them.
func flag(into *bool) func(*configReader, string, *yaml.Node) {
	return func(r *configReader, path string, n *yaml.Node) {
		quoted := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
		switch word := strings.ToLower(n.Value); {
		case n.Kind == yaml.ScalarNode && !quoted && slices.Contains([]string{"true", "yes", "on"}, word):
			*into = true
		case n.Kind == yaml.ScalarNode && !quoted && slices.Contains([]string{"false", "no", "off"}, word):
			*into = false
		default:
			r.wrong(n.Line, "%s; write true or false", isInstead(path, n))
		}
	}
}

// time reads a time that is more than nothing.
func (r *configReader) time(path string, n *yaml.Node) time.Duration {
	const right = "write a time above zero, such as 500ms or 10m"
	text := r.text(path, n, right)
	d, err := time.ParseDuration(text)
	switch {
	case text == "": // that has been said
	case err == nil && d > 0:
		return d
	case n.Tag == "!!int" || n.Tag == "!!float":
		r.wrong(n.Line, "%s is %s, which is a number and no time; %s", path, text, right)
	case err != nil:
		r.wrong(n.Line, "%s is %q, which is no time; %s", path, text, right)
	default:
		r.wrong(n.Line, "%s is %s; %s", path, text, right)
	}
	return 0
}

// dir reads the path of a directory.
func (r *configReader) dir(path string, n *yaml.Node) string {
	const right = "name an existing directory"
	dir := r.text(path, n, right)
	if dir == "" {
		return ""
	}
	if err := isDir(dir); err != nil {
		r.wrong(n.Line, "%s is %s: %v; %s", path, dir, err, right)
	}
	return dir
}

// prompts reads the user's own prompts.
func (r *configReader) prompts(path string, n *yaml.Node) map[string]string {
	all, names := map[string]string{}, stimulus.Names()
	var known []member
	for _, name := range slices.Sorted(maps.Keys(names)) {
		known = append(known, member{name, func(r *configReader, path string, n *yaml.Node) {
			prompt := r.text(path, n, "write the text of a prompt")
			if arg := argumentOf(names[name]); arg != "" && prompt != "" && !strings.Contains(prompt, "%s") {
				r.wrong(n.Line, "%s has no %%s; write it where %s stands", path, arg)
			}
			all[name] = prompt
		}})
	}
	r.members(n, path, known)
	return all
}

// argumentOf is what a prompt for a stimulus has to name; "" = nothing.
func argumentOf(s rule.Stimulus) string {
	switch s {
	case rule.ReadFile, rule.WriteFile:
		return "the path of the file"
	case rule.RunCommand:
		return "the command"
	case rule.SayText:
		return "the text"
	}
	return ""
}

// session reads the session that the agent knows and does not have in memory.
func (r *configReader) session(path string, n *yaml.Node, p *rule.Profile) {
	const idRight, cwdRight = "write the id of a session that the agent keeps", "write the absolute path that the session works in"
	before := len(r.mistakes)
	r.members(n, path, []member{
		{"id", func(r *configReader, path string, n *yaml.Node) { p.Session = r.text(path, n, idRight) }},
		{"cwd", func(r *configReader, path string, n *yaml.Node) {
			if p.SessionDir = r.text(path, n, cwdRight); p.SessionDir != "" && !filepath.IsAbs(p.SessionDir) {
				r.wrong(n.Line, "%s is %q, which is no absolute path; %s", path, p.SessionDir, cwdRight)
			}
		}},
	})
	if len(r.mistakes) > before {
		return
	}
	if p.Session == "" {
		r.wrong(n.Line, "%s has no id; %s", path, idRight)
	}
	if p.SessionDir == "" {
		r.wrong(n.Line, "%s has no cwd; %s", path, cwdRight)
	}
}
