package redact

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// Run is a copy of a run without secrets. What comes from outside is redacted; what is the suite's own stays, or a secret that is an
// ordinary word would take the report apart.
func (r *Redactor) Run(run result.Run) result.Run {
	if r == nil {
		return run
	}
	return r.copied(reflect.ValueOf(run)).Interface().(result.Run)
}

// own are the fields that hold the suite's own words and nothing else. Fields of a type of their own, such as Verdict, do so, too.
var own = map[reflect.Type][]string{
	reflect.TypeFor[result.Run]():         {"Schema", "Tool", "Subject", "Protocol", "StartedAt"},
	reflect.TypeFor[result.Outcome]():     {"ID", "Area", "Level", "Basis", "Stability", "Kind", "Subject", "Title", "Ref", "Advice"},
	reflect.TypeFor[result.Observation](): {"Oracle", "SeenIn"},
	reflect.TypeFor[result.Survey]():      {"Fence"},
	reflect.TypeFor[result.Frames]():      {"Edition"},
	reflect.TypeFor[result.Moment]():      {"Kind"},
	reflect.TypeFor[result.Hang]():        {"Rule", "Since"},
	reflect.TypeFor[result.Process]():     {"State"},
	reflect.TypeFor[result.Baseline]():    {"Known", "Unknown"},
	reflect.TypeFor[result.Stale]():       {"Rule"},
}

var runType, hangType, agentType = reflect.TypeFor[result.Run](), reflect.TypeFor[result.Hang](), reflect.TypeFor[result.Agent]()

// ownReason is what of the reason of an exit code is the suite's own; what follows was said by others.
var ownReason = regexp.MustCompile(`^(?:--strict: )?(?:the run was interrupted; .*|no version of the protocol was .*|the agent never shook hands|no session could be opened: ` +
	`|no rule concluded|the suite failed in [0-9]+ rules?|not observed: .*|[0-9]+ warned)?`)

func (r *Redactor) reason(s string) string {
	kept := ownReason.FindString(s)
	return kept + r.Shown(s[len(kept):])
}

func (r *Redactor) copied(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		if v.Type().PkgPath() != "" { // a verdict or a severity
			return v
		}
		out.SetString(r.Shown(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			switch name := v.Type().Field(i).Name; {
			case slices.Contains(own[v.Type()], name):
				out.Field(i).Set(v.Field(i))
			case v.Type() == runType && name == "ExitReason":
				out.Field(i).SetString(r.reason(v.Field(i).String()))
			case v.Type() == agentType && name == "Command":
				out.Field(i).Set(reflect.ValueOf(r.Words(v.Field(i).Interface().([]string))))
			case v.Type() == hangType && name == "Stderr":
				out.Field(i).Set(reflect.ValueOf(r.tail(v.Field(i).Interface().([]string))))
			default:
				out.Field(i).Set(r.copied(v.Field(i)))
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		switch all := v.Interface().(type) {
		case []result.Frame:
			return reflect.ValueOf(r.frames(all))
		case []result.Moment:
			return reflect.ValueOf(r.moments(all))
		case []any:
			return reflect.ValueOf(r.list(all))
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(r.copied(v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		if members, ok := v.Interface().(map[string]any); ok {
			return reflect.ValueOf(r.members(members))
		}
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for _, key := range v.MapKeys() {
			out.SetMapIndex(r.copied(key), r.copied(v.MapIndex(key)))
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v
		}
		if v.Kind() == reflect.Interface {
			out.Set(r.copied(v.Elem()))
			return out
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(r.copied(v.Elem()))
		out.Set(p)
	default:
		return v
	}
	return out
}

// cutOff ends a text whose end the suite has left out.
const cutOff = "…"

// Shown is String for a text that may have been cut to show it.
func (r *Redactor) Shown(s string) string {
	if head, cut := strings.CutSuffix(s, cutOff); cut {
		return r.Cut(head) + cutOff
	}
	return r.String(s)
}

// frames are cited lines. A secret may have several lines of one side; a line may be cut, or be in Base64.
func (r *Redactor) frames(all []result.Frame) []result.Frame {
	out, sides := slices.Clone(all), map[string]*stream{}
	for i, f := range all {
		if sides[f.From] == nil {
			sides[f.From] = &stream{}
		}
		line := sides[f.From].keyless(f.Line)
		if f.Cut > 0 {
			line = r.Cut(line)
		} else {
			line = r.String(line)
		}
		out[i].Line, out[i].Base64 = line, r.Base64(f.Base64)
	}
	return out
}

// tail are the last lines of a text: the beginning of a secret may be missing.
func (r *Redactor) tail(all []string) []string {
	if len(all) == 0 {
		return all
	}
	var t stream
	out := strings.Split(t.keyless(strings.Join(all, "\n")), "\n")
	for i, l := range out {
		out[i] = r.Shown(l)
	}
	return out
}

// stderrMark is what a moment begins with that shows a line of stderr.
const stderrMark = "stderr: "

// moments are redacted each by itself; those that show stderr are a text together.
func (r *Redactor) moments(all []result.Moment) []result.Moment {
	out, stderr := slices.Clone(all), stream{}
	for i, m := range all {
		if line, ok := strings.CutPrefix(m.What, stderrMark); ok {
			out[i].What = stderrMark + r.Shown(stderr.keyless(line))
		} else {
			out[i].What = r.Shown(m.What)
		}
	}
	return out
}
