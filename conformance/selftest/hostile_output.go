package selftest

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hostileFormats are the reports that each run writes, beside the text on stdout, with what an agent must not get into one.
var hostileFormats = []struct {
	name  string
	check func(b []byte) error
}{
	{"json", func([]byte) error { return nil }}, // see compare
	{"jsonl", linesOfJSON},
	{"html", noMarkup},
	{"markdown", func(b []byte) error { return noMarkup(outsideFences(b)) }},
	{"junit", wellFormed},
	{"github", onlyOurs},
	{"badge", func(b []byte) error { return json.Unmarshal(b, new(any)) }},
}

// reports are the flags for all formats.
func (h *hostileRun) reports() []string {
	var flags []string
	for _, f := range hostileFormats {
		flags = append(flags, "--report", f.name+"="+h.path("out", f.name))
	}
	return flags
}

// checkOutput finds what an agent has made of a report or of a terminal.
func (h *hostileRun) checkOutput() {
	for _, name := range []string{"stdout", "stderr"} {
		b, err := os.ReadFile(h.path("out", name))
		if err != nil {
			h.problem("%v", err)
		}
		odd := func(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) }
		if i := strings.IndexFunc(string(b), odd); i >= 0 || !utf8.Valid(b) {
			h.problem("on %s is what a terminal would obey: %q", name, b[max(0, i-20):min(len(b), max(0, i)+20)])
		}
		if name == "stderr" && bytes.Contains(b, []byte("goroutine ")) {
			h.problem("the suite panicked: %s", b)
		}
	}
	for _, f := range hostileFormats {
		b, err := os.ReadFile(h.path("out", f.name))
		if err == nil && len(b) == 0 {
			err = errors.New("it is empty")
		}
		if err == nil {
			err = f.check(b)
		}
		if err != nil {
			h.problem("the %s report: %v", f.name, err)
		}
	}
}

func linesOfJSON(b []byte) error {
	for line := range bytes.Lines(b) {
		if err := json.Unmarshal(line, new(any)); err != nil {
			return err
		}
	}
	return nil
}

// noMarkup finds the markup of hostile agents where a browser would obey it.
func noMarkup(b []byte) error {
	for _, markup := range []string{"<script>alert", "<img src=x", "<!--]]"} {
		if i := bytes.Index(b, []byte(markup)); i >= 0 {
			return errors.New("the agent's markup is in it: " + string(b[max(0, i-40):min(len(b), i+40)]))
		}
	}
	return nil
}

// outsideFences is Markdown without its blocks of code, in which nothing is obeyed.
func outsideFences(b []byte) []byte {
	var out []byte
	fence := ""
	for line := range bytes.Lines(b) {
		text := strings.TrimSpace(string(line))
		ticks := text[:len(text)-len(strings.TrimLeft(text, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
		case fence == "":
			out = append(out, line...)
		case text == ticks && len(ticks) >= len(fence):
			fence = ""
		}
	}
	return out
}

func wellFormed(b []byte) error {
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// onlyOurs finds lines that are no command of ours.
func onlyOurs(b []byte) error {
	for line := range bytes.Lines(b) {
		ours := false
		for _, kind := range []string{"::error title=", "::warning title=", "::notice title="} {
			ours = ours || bytes.HasPrefix(line, []byte(kind))
		}
		if !ours || bytes.ContainsAny(line, "\r\x00\x1b") {
			return errors.New("a line is no annotation of ours: " + string(line))
		}
	}
	return nil
}
