// Package stimulus knows who can bring about what a rule may need: the directives that a fake agent announces, the prompts of
// the user's configuration, and plain prompts to whatever model stands behind the agent, in this order.
package stimulus

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// DirectivesKey is the key under agentCapabilities._meta at which an agent announces the directives that its prompts may
// hold. Stimuli look for it and never for the agent's name.
const DirectivesKey = "acp-conform/directives"

// directive is the text that makes a fake agent do it; %s stands for the argument.
var directives = map[rule.Stimulus]string{
	rule.ShortTurn:    "/say PONG",
	rule.LongTurn:     "/wait",
	rule.ToolTurn:     "/tool read",
	rule.LongTool:     "/wait-tool",
	rule.Permission:   "/permission",
	rule.ReadFile:     "/read %s",
	rule.ClientFile:   "/read %s",
	rule.WriteFile:    "/write %s written by acp-conform",
	rule.RunCommand:   "/terminal %s",
	rule.Numbered:     "/stream %s",
	rule.Thought:      "/think one moment\n/say done",
	rule.SayText:      "/say %s",
	rule.RichContent:  "/image\n/audio\n/resource\n/link",
	rule.FailedTurn:   "/error",
	rule.Elicitation:  "/elicit",
	rule.GatedUpdates: "/notice careful\n/compact",
	rule.Evict:        "/evict",
	rule.Subagent:     "/subagent",
	rule.StateUpdates: "/commands\n/info\n/usage\n/plan",
}

// plain is what a person would ask a model. A model need not do it: then the rule meets no occasion.
var plain = map[rule.Stimulus]string{
	rule.ShortTurn:  "Answer with the single word PONG. Do not use any tools.",
	rule.LongTurn:   "Count from 1 to 2000, one number on each line. Do not use any tools and do not stop before 2000.",
	rule.ToolTurn:   "List the files of your working directory with one of your tools and tell me how many there are.",
	rule.Permission: "Run exactly this shell command and tell me what it printed: touch acp-conform-marker",
	rule.ReadFile:   "Read the file %s and answer with exactly its content. Do not guess.",
	rule.ClientFile: "Read the file %s and answer with exactly its content. Do not guess.",
	rule.WriteFile:  "Create the file %s with the content hello. Do nothing else.",
	rule.RunCommand: "Run exactly this shell command and tell me what it printed: %s",
	rule.SayText:    "Answer with exactly this text and nothing else, without using any tools: %s",
}

// Names are the names by which a configuration gives its own prompts, and what each is for.
func Names() map[string]rule.Stimulus {
	return map[string]rule.Stimulus{
		"short": rule.ShortTurn, "long": rule.LongTurn, "tool": rule.ToolTurn, "permission": rule.Permission,
		"read": rule.ReadFile, "write": rule.WriteFile, "run": rule.RunCommand, "say": rule.SayText, "thought": rule.Thought,
	}
}

// Directives reads the directives that an agent announces.
func Directives(in client.Initialized) []string {
	var caps struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	var names []string
	if json.Unmarshal(in.Capabilities, &caps) == nil {
		_ = json.Unmarshal(caps.Meta[DirectivesKey], &names)
	}
	return names
}

// For gives the stimuli for an agent: what it announces, then the user's own prompts by the names of Names (with %s for the
// argument), then plain prompts.
func For(announced []string, own map[string]string) rule.Stimuli {
	return func(s rule.Stimulus, arg string) (rule.Task, bool) {
		if s == rule.Chat && len(announced) > 0 {
			return rule.Task{Prompt: client.Text("Good morning."), Certain: true, By: "an undirected prompt"}, true
		}
		if text, ok := directives[s]; ok && takes(announced, text) {
			return task(text, arg, true, "a directive"), true
		}
		for name, st := range Names() {
			if text, ok := own[name]; ok && st == s {
				return task(text, arg, false, "the configured prompt "+name), true
			}
		}
		if text, ok := plain[s]; ok {
			return task(text, arg, false, "a plain prompt"), true
		}
		return rule.Task{}, false
	}
}

// takes tells whether every directive in the text is announced.
func takes(announced []string, text string) bool {
	for _, line := range strings.Split(text, "\n") {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
		if !slices.Contains(announced, name) {
			return false
		}
	}
	return len(announced) > 0
}

func task(text, arg string, certain bool, by string) rule.Task {
	return rule.Task{Prompt: client.Text(strings.ReplaceAll(text, "%s", arg)), Certain: certain, By: by}
}
