package rules

import (
	"encoding/json"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// Some strings have to be more than strings: a path has to be absolute, a name of one's own begins with an underscore. No
// schema says so, and schemas.Texts finds it. Each such place belongs to one rule, as in owner.go.

// textPlace is a kind of problem in a definition.
type textPlace struct {
	definition string
	problem    schemas.Problem
}

var textOwners = map[textPlace]string{
	{"Diff", schemas.Path}:                        "tool-call.diff-absolute-path",
	{"ToolCallLocation", schemas.Path}:            "tool-call.location-absolute",
	{"ReadTextFileRequest", schemas.Path}:         "fs.path-absolute",
	{"WriteTextFileRequest", schemas.Path}:        "fs.path-absolute",
	{"CreateTerminalRequest", schemas.Path}:       "terminal.cwd-absolute",
	{"SubagentUpdate", schemas.Path}:              "subagent.cwd-absolute",
	{"SessionInfoUpdate", schemas.Time}:           "session-info.updated-at-iso8601",
	{"NoticeSeverity", schemas.Name}:              "notice.severity-open",
	{"CompactionStatus", schemas.Name}:            "compaction.status-open",
	{"SessionConfigOptionCategory", schemas.Name}: "config.category-custom-underscore",
}

// ownedTexts are the findings about strings of a frame that belong to the rule.
func ownedTexts(r *rule.Reading, id string) []schemas.Finding {
	var own []schemas.Finding
	for _, f := range r.Texts() {
		if textOwners[textPlace{f.Def, f.Problem}] == id {
			own = append(own, f)
		}
	}
	return own
}

// spot is where strings stand: in an update of this kind or in a message of this method, below these members. A star stands
// for every element of a list, *diff for those of this type.
type spot struct{ in, path string }

// textsAt are the strings at those of the spots that are in the frame.
func textsAt(r *rule.Reading, spots []spot) []string {
	if !r.Mine() || r.Broken != wire.Whole || !r.Known {
		return nil
	}
	in, raw := r.Method, r.Part
	if r.IsUpdate() {
		in, raw = r.Update, r.Body
	}
	var found []string
	for _, s := range spots {
		if s.in == in {
			found = append(found, textsBelow(raw, s.path)...)
		}
	}
	return found
}

func textsBelow(raw json.RawMessage, path string) []string {
	if path == "" {
		if s, ok := text(raw); ok {
			return []string{s}
		}
		return nil
	}
	name, rest, _ := strings.Cut(path, ".")
	kind, ofList := strings.CutPrefix(name, "*")
	if !ofList {
		return textsBelow(wire.Member(raw, name), rest)
	}
	var found []string
	for _, item := range initElements(raw) {
		if own, _ := text(wire.Member(item, "type")); kind != "" && own != kind {
			continue
		}
		found = append(found, textsBelow(item, rest)...)
	}
	return found
}

// textRule makes the Watch function of a rule about what strings mean. Each string at one of the spots is an occasion.
func textRule(id string, spots ...spot) func() rule.Watcher {
	return rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		texts := textsAt(r, spots)
		if len(texts) == 0 {
			return
		}
		for range texts {
			l.Occasion()
		}
		for _, f := range ownedTexts(r, id) {
			l.Broken(finding(r, f))
		}
	})
}
