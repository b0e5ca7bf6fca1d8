package judge

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// sight is what the rules saw in a take.
type sight struct {
	protocol int
	logs     [][]*rule.Log // by rule, then by connection
	prompts  int
}

func (j *judgement) script() rules.ClientScript {
	return rules.ClientScript{Active: j.Words[0], Inactive: j.Words[1]}
}

// habitsOf folds what the client did in a take.
func (j *judgement) habitsOf(t Take) rules.ClientHabits {
	var h rules.ClientHabits
	watching := &rule.Rule{ID: "habits", Versions: []int{t.Protocol}, Watch: rules.WatchHabits(&h)}
	for n := range t.Connections {
		j.show(t, n, j.script(), []*rule.Rule{watching})
	}
	h.Well = t.Exit != nil && t.Exit.Well()
	return h
}

// show shows one connection of a take to rules.
func (j *judgement) show(t Take, n int, script rules.ClientScript, watching []*rule.Rule) *rule.Audience {
	a := rule.NewAudience(schemas.Ours().Edition(t.Protocol, false), watching, t.seenIn())
	for _, f := range t.entries(n, script) {
		env := wire.Envelope{}
		if f.From == wire.Client || f.From == wire.Agent {
			env = wire.Inspect(f.Line)
		}
		a.Tap(f, env)
	}
	return a
}

// control is what the client does in a version where nothing is odd. What it shows and counts may be seen in any script, and that it
// can come to a good end.
func (j *judgement) control(protocol int) rules.ClientHabits {
	var h rules.ClientHabits
	for _, t := range j.takes {
		if t.Protocol != protocol {
			continue
		}
		here := t.habits
		if t.Script.Name == j.Scripts[0].Name {
			h.Sent, h.Well, h.Opened, h.Before, h.Shook, h.Agreed = here.Sent, here.Well, here.Opened, here.Before, here.Shook, here.Agreed
		}
		h.Ends = h.Ends || here.Well
		if t.Script.Actions != "many" { // there the answers come in an odd order
			h.Knows = h.Knows || here.Knows
		}
		h.Prints, h.Shows, h.Counts, h.Idle = h.Prints || here.Prints, h.Shows || here.Shows, h.Counts || here.Counts, h.Idle || here.Idle
	}
	return h
}

// look shows a take to all rules.
func (j *judgement) look(t Take) sight {
	script := j.script()
	script.Control, script.Here = j.habits[t.Protocol], t.habits
	watching := make([]*rule.Rule, len(j.Rules))
	for i := range j.Rules {
		watching[i] = &j.Rules[i]
	}
	s := sight{protocol: t.Protocol, logs: make([][]*rule.Log, len(j.Rules))}
	for n, c := range t.Connections {
		a := j.show(t, n, script, watching)
		for i, l := range a.Logs {
			s.logs[i] = append(s.logs[i], l)
		}
		for _, f := range c {
			if f.From == wire.Client && wire.Inspect(f.Line).Name == "session/prompt" {
				s.prompts++
			}
		}
	}
	return s
}

// outcome merges what the watchers of a rule saw in all takes.
func (j *judgement) outcome(r *rule.Rule, seen []sight) result.Outcome {
	o := result.Outcome{ID: r.ID, Area: r.Area(), Level: string(r.Level), Basis: string(r.Basis), Stability: string(r.Stability), Kind: r.Kind(),
		Subject: r.Binds(), Title: r.Title, Ref: r.Ref.URL(), Advice: r.Advice, Owed: j.owed(r), Rerun: j.Rerun([]string{r.ID})}
	spoken := slices.DeleteFunc(slices.Clone(r.Versions), func(p int) bool { return !slices.Contains(j.spoken, p) })
	var all []result.Observation
	occasions := map[int]int{}
	internal := ""
	n := slices.IndexFunc(j.Rules, func(other rule.Rule) bool { return other.ID == r.ID })
	for _, s := range seen {
		if s.logs == nil {
			continue
		}
		for _, l := range s.logs[n] {
			occasions[s.protocol] += l.Occasions
			o.Occasions += l.Occasions
			o.Suppressed += l.Suppressed
			all = append(all, l.Seen...)
			if internal == "" {
				internal = l.Internal
			}
		}
	}
	o.Verdict = result.Worst(o.Occasions, all)
	o.Evidence = result.Distinct(all, &o.Suppressed)
	switch {
	case internal != "":
		o.Verdict, o.Reason = result.Error, internal
	case len(j.spoken) == 0:
		o.Reason = j.apart()
	case len(spoken) == 0:
		o.Verdict, o.Reason = result.Skipped, fmt.Sprintf("the rule is one of version %s, which %s", names(r.Versions), j.unspoken(r))
	default:
		o.Reason = j.unseen(r, spoken, occasions)
	}
	return o
}

func (j *judgement) unspoken(r *rule.Rule) string {
	for _, p := range r.Versions {
		if slices.Contains(j.Protocols, p) {
			return "the client does not speak"
		}
	}
	return "was not asked for"
}

// unseen says in which versions a rule met no occasion, and why.
func (j *judgement) unseen(r *rule.Rule, spoken []int, occasions map[int]int) string {
	var reasons []string
	for _, p := range spoken {
		if occasions[p] > 0 {
			continue
		}
		why := j.unshown(r, p)
		if len(spoken) > 1 && (len(reasons) == 0 || !strings.HasSuffix(reasons[0], why)) {
			reasons = append(reasons, fmt.Sprintf("version %d: %s", p, why))
		} else if len(spoken) == 1 {
			reasons = append(reasons, why)
		}
	}
	if len(spoken) > 1 && len(reasons) == 1 && occasions[spoken[0]] == 0 && occasions[spoken[1]] == 0 {
		_, why, _ := strings.Cut(reasons[0], ": ") // the same in both
		return why
	}
	return strings.Join(reasons, "; ")
}

// keep writes the transcripts of all takes, one file for each connection. One that fails does not keep the others.
func (j *judgement) keep() error {
	if j.Keep == "" {
		return nil
	}
	var failed error
	for _, t := range j.takes {
		script := j.script()
		script.Control, script.Here = j.habits[t.Protocol], t.habits
		for n := range t.Connections {
			var b bytes.Buffer
			kept := wire.NewTranscript(nil, &b)
			kept.Redact(j.Redact)
			for _, f := range t.entries(n, script) {
				kept.Write(f)
			}
			name := fmt.Sprintf("%s-v%d.jsonl", t.Script.Name, t.Protocol)
			if n > 0 {
				name = fmt.Sprintf("%s-v%d-%d.jsonl", t.Script.Name, t.Protocol, n+1)
			}
			failed = cmp.Or(failed, os.WriteFile(filepath.Join(j.Keep, name), b.Bytes(), 0o644))
		}
	}
	return failed
}
