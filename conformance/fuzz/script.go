package fuzz

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// scriptSchema names the form of a script on disk.
const scriptSchema = "acp-conform/fuzz-script/1"

// Script is a conversation that can be played again, from the first line on.
type Script struct {
	Schema   string `json:"schema"`
	Protocol int    `json:"protocol"`       // the version that initialize asks for
	Note     string `json:"note,omitempty"` // what the script shows, for a person
	// WatchMs is for how many milliseconds behind its last line the end of the agent is waited for, if that is longer than usual.
	WatchMs int64  `json:"watchMs,omitempty"`
	Steps   []Step `json:"steps"`
}

// Step is one line of ours, and what is waited for behind it.
type Step struct {
	// Send is the line, without its line end. A placeholder in it stands for what only the conversation or the machine knows, or for
	// what is too long to be written out:
	//
	//	${dir}                a directory that exists
	//	${NAME.member}        a string of the result of the step called NAME, such as ${s1.sessionId}; behind |escaped each of its
	//	                      characters is escaped, behind |upper in capitals, behind |padded a blank follows it
	//	${repeat:N:TEXT}      the text N times
	//	${nest:N}, ${deep:N}  N arrays or objects inside of each other
	//	${bytes:HEX}          bytes that need not be UTF-8
	//	${id}                 the id of the agent's request that a Reply answers
	Send string `json:"send"`
	// Name is how later steps call the result.
	Name string `json:"name,omitempty"`
	// Then is what comes next.
	Then Then `json:"then,omitempty"`
	// Reply: the line is sent when the agent makes its next request, and answers it.
	Reply bool `json:"reply,omitempty"`
}

// Then is what is waited for behind a line.
type Then string

// What can be waited for.
const (
	GoOn   Then = ""       // nothing
	Join   Then = "join"   // nothing: the next line is part of the same write, behind the last one a harmless request
	Answer Then = "answer" // the response to the line
	Fence  Then = "fence"  // the response to a harmless request that is sent behind it
	Line   Then = "line"   // any line of the agent
	Settle Then = "settle" // all that is owed so far; turns that still run are cancelled
)

var thens = []Then{GoOn, Join, Answer, Fence, Line, Settle}

// ReadScript reads a script as Encode writes it.
func ReadScript(b []byte) (Script, error) {
	var s Script
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return s, fmt.Errorf("no script of a fuzzer: %w", err)
	}
	switch {
	case s.Schema != scriptSchema:
		return s, fmt.Errorf("the member schema is %q, and should be %q", s.Schema, scriptSchema)
	case s.Protocol != 1 && s.Protocol != 2:
		return s, fmt.Errorf("there is no version %d of the protocol; there are 1 and 2", s.Protocol)
	case len(s.Steps) == 0:
		return s, errors.New("there are no steps")
	}
	for i, step := range s.Steps {
		if !slices.Contains(thens, step.Then) {
			return s, fmt.Errorf("step %d: nobody can wait for %q", i+1, step.Then)
		}
	}
	return s, nil
}

// Encode writes a script as a file: one step a line.
func (s Script) Encode() []byte {
	s.Schema = scriptSchema
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"schema\":%s,\"protocol\":%d,\"note\":%s,", quote(s.Schema), s.Protocol, quote(s.Note))
	if s.WatchMs > 0 {
		fmt.Fprintf(&b, "\"watchMs\":%d,", s.WatchMs)
	}
	b.WriteString("\"steps\":[\n")
	for i, step := range s.Steps {
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		_ = e.Encode(step) // strings always encode
		b.Truncate(b.Len() - 1)
		if i < len(s.Steps)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]}\n")
	return b.Bytes()
}

var placeholder = regexp.MustCompile(`\$\{[^}]*\}`)

// longest is how long a placeholder may become, in bytes.
const longest = 8 << 20

// expand fills in the placeholders of a line. known gives the string that a name stands for, such as "dir" or "s1.sessionId".
func expand(line string, known func(name string) (string, bool)) []byte {
	if !strings.Contains(line, "${") {
		return []byte(line)
	}
	return []byte(placeholder.ReplaceAllStringFunc(line, func(p string) string { return fill(p[2:len(p)-1], known) }))
}

// nobody stands for a name that nothing is known of.
const nobody = "acp-conform-none"

func fill(p string, known func(string) (string, bool)) string {
	kind, rest, _ := strings.Cut(p, ":")
	count, text, _ := strings.Cut(rest, ":")
	n, _ := strconv.Atoi(count)
	switch kind {
	case "repeat":
		return strings.Repeat(text, max(0, min(n, longest/max(1, len(text)))))
	case "nest":
		n = max(0, min(n, longest))
		return strings.Repeat("[", n) + strings.Repeat("]", n)
	case "deep":
		n = max(0, min(n, longest/8))
		return strings.Repeat(`{"x":`, n) + "0" + strings.Repeat("}", n)
	case "bytes":
		b, _ := hex.DecodeString(rest)
		return string(b)
	}
	name, how, _ := strings.Cut(p, "|")
	v, ok := known(name)
	if !ok {
		v = nobody
	}
	switch how {
	case "escaped":
		return escaped(v)
	case "upper":
		v = strings.ToUpper(v)
	case "padded":
		v += " "
	}
	if name == "id" {
		return v
	}
	q := quote(v)
	return q[1 : len(q)-1]
}

// escaped writes each character of a text as an escape.
func escaped(text string) string {
	var b strings.Builder
	for _, c := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&b, `\u%04x`, c)
	}
	return b.String()
}

// names are the steps whose results a line speaks of.
func names(line string) []string {
	var all []string
	for _, p := range placeholder.FindAllString(line, -1) {
		if name, _, ok := strings.Cut(p[2:len(p)-1], "."); ok && !strings.Contains(name, ":") {
			all = append(all, name)
		}
	}
	return all
}
