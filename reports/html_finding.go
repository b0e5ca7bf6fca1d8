package reports

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// finding is an observation as a page shows it.
type finding struct {
	result.Observation
	Diff   []diffLine
	Frames []frame
}

type diffLine struct{ Kind, Sign, Text string }

// frame is a line of the conversation in its lane.
type frame struct {
	Seq                   int
	Lane, Who, Label, Raw string
	Guilty, Deliberate    bool
	Cut                   int
}

func (p *page) finding(ob result.Observation, raw bool) finding {
	f := finding{Observation: ob, Diff: diff(ob.Expected, ob.Actual)}
	f.Explanation, f.Oracle, f.Control = Printable(ob.Explanation), Printable(ob.Oracle), Printable(ob.Control)
	about := guilty(ob.Frames, p.Who)
	for i, fr := range ob.Frames {
		shown := frame{Seq: fr.Seq, Lane: laneOf(fr.From), Who: fr.From, Label: label(fr), Guilty: i == about && ob.Severity != result.Noted, Deliberate: fr.Deliberate, Cut: fr.Cut}
		shown.Raw, _ = indented(fr.Line)
		if fr.Base64 != "" {
			shown.Raw = "base64: " + fr.Base64
		}
		if !raw {
			shown.Raw = "left out, because this page would be too large with it: see the JSON report"
		}
		f.Frames = append(f.Frames, shown)
	}
	return f
}

// laneOf is where a line runs: out from the client to the agent, in from the agent, or aside of both.
func laneOf(from string) string {
	switch from {
	case "client":
		return "out"
	case "agent":
		return "in"
	}
	return "aside"
}

// label says what a message is, as short as can be.
func label(f result.Frame) string {
	var m struct {
		ID     json.RawMessage
		Method string
		Error  *struct {
			Code    json.RawMessage
			Message string
		}
		Result json.RawMessage
		Params struct {
			Update struct {
				Kind string `json:"sessionUpdate"`
			}
		}
	}
	if f.From != "client" && f.From != "agent" || json.Unmarshal([]byte(f.Line), &m) != nil {
		return Printable(cutRunes(f.Line, 100))
	}
	id := ""
	if len(m.ID) > 0 {
		id = " (id " + cutRunes(string(m.ID), 40) + ")"
	}
	switch {
	case m.Method != "" && m.Params.Update.Kind != "":
		return Printable(m.Method + " " + m.Params.Update.Kind)
	case m.Method != "":
		return Printable(m.Method + id)
	case m.Error != nil:
		return Printable(fmt.Sprintf("error %s%s: %s", m.Error.Code, id, cutRunes(m.Error.Message, 80)))
	case m.Result != nil:
		return "result" + Printable(id)
	}
	return Printable(cutRunes(f.Line, 100))
}

func cutRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// diff sets what was expected against what was found: line by line where both are JSON, else as they are.
func diff(expected, actual string) []diffLine {
	if expected == "" && actual == "" {
		return nil
	}
	a, wasJSON := indented(expected)
	b, isJSON := indented(actual)
	if wasJSON && isJSON && strings.Contains(a, "\n") && strings.Contains(b, "\n") {
		return lineDiff(a, b)
	}
	var out []diffLine
	if expected != "" {
		out = append(out, diffLine{"minus", "expected", lines(expected)})
	}
	if actual != "" {
		out = append(out, diffLine{"plus", "found", lines(actual)})
	}
	return out
}

// lineDiff lists the lines of both, those that only one has with the name of that one.
func lineDiff(expected, actual string) []diffLine {
	out := []diffLine{}
	unified, err := udiff.ToUnified("expected", "found", expected+"\n", udiff.Lines(expected+"\n", actual+"\n"), strings.Count(expected, "\n")+1)
	if err != nil || unified == "" {
		return []diffLine{{"same", "both", expected}}
	}
	for i, l := range strings.Split(strings.TrimSuffix(unified, "\n"), "\n") {
		if i < 3 { // the names and the place
			continue
		}
		switch {
		case strings.HasPrefix(l, "-"):
			out = append(out, diffLine{"minus", "expected", l[1:]})
		case strings.HasPrefix(l, "+"):
			out = append(out, diffLine{"plus", "found", l[1:]})
		case l != "":
			out = append(out, diffLine{"same", "", l[1:]})
		}
	}
	return out
}
