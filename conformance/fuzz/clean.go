package fuzz

import "slices"

// Redactor takes secrets out of what is written down.
type Redactor interface {
	Shown(text string) string // of a text that may have been cut
	Cut(text string) string   // of one whose end is missing
	Base64(text string) string
	Lines() func([]byte) []byte      // of a text that comes line by line; nil = nothing
	Words(command []string) []string // of a command line
	Values(text string) string       // only what is known to be a secret of this machine, and is no ordinary word
}

// clean takes the secrets out of a result, as far as they come from the agent or its environment.
func (r *run) clean(res Result) Result {
	if r.Redact == nil {
		return res
	}
	shown := r.Redact.Shown
	res.Command, res.Session, res.ExitReason = r.Redact.Words(res.Command), shown(res.Session), shown(res.ExitReason)
	for _, notes := range [][]Note{res.Notes, res.Unconfirmed} {
		for i := range notes {
			notes[i].Text = shown(notes[i].Text)
		}
	}
	for i := range res.Findings {
		f := &res.Findings[i]
		f.Why, f.Stderr = shown(f.Why), shown(f.Stderr)
		f.Script, f.Frames = r.cleanScript(f.Script), r.cleanFrames(f.Frames)
	}
	return res
}

// cleanScript leaves a script such that it can be played again: a line of ours may well have a member called token, which only looks as
// if it held a secret. What is replaced is a value from the environment that the agent has told us, and that we said again.
func (r *run) cleanScript(s Script) Script {
	s.Note, s.Steps = r.Redact.Shown(s.Note), slices.Clone(s.Steps)
	for i := range s.Steps {
		s.Steps[i].Send = r.Redact.Values(s.Steps[i].Send)
	}
	return s
}

func (r *run) cleanFrames(all []Frame) []Frame {
	out, sides := slices.Clone(all), map[string]func([]byte) []byte{}
	for i, f := range out {
		if sides[f.From] == nil {
			sides[f.From] = r.Redact.Lines()
		}
		line := f.Line
		if f.Bytes > 0 {
			line = r.Redact.Cut(line)
		}
		if change := sides[f.From]; change != nil {
			line = string(change([]byte(line)))
		}
		out[i].Line, out[i].Base64 = line, r.Redact.Base64(f.Base64)
	}
	return out
}
