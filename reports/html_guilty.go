package reports

import (
	"encoding/json"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// fenceMethod is a request of the suite that only marks a place in a conversation: that nothing came is not about it.
const fenceMethod = "_acp_conform/fence"

// guilty is the line that a finding is about: the first request behind all that whoever is judged said that got no answer; else the last
// line of whoever is judged; where it said nothing, the last line, to which nothing came. A request before something that was said may
// well have been answered: what is cited then is not its answer but what is wrong. It is -1 where no line is cited.
func guilty(frames []result.Frame, who string) int {
	last := -1
	for i, f := range frames {
		if f.From == who {
			last = i
		}
	}
	for i, f := range frames {
		if i > last && f.From != who && asks(f) {
			return i
		}
	}
	if last < 0 {
		return len(frames) - 1
	}
	return last
}

// asks tells whether a line is a request, to which an answer is owed.
func asks(f result.Frame) bool {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if f.Cut > 0 { // what is left is no JSON, and its beginning tells enough
		return f.From == "client" && strings.HasPrefix(f.Line, `{"id":`) && strings.Contains(f.Line, `"method":"`)
	}
	inLane := f.From == "client" || f.From == "agent"
	return inLane && json.Unmarshal([]byte(f.Line), &m) == nil && len(m.ID) > 0 && m.Method != "" && m.Method != fenceMethod
}
