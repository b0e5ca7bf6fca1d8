package fakeagent

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// The list of commands after session/new is where most faults of the wire show: nothing else depends on it.

func isCommands(m *Message) bool {
	params, _ := m.Params.(Object)
	update, _ := params["update"].(Object)
	return update["sessionUpdate"] == "available_commands_update"
}

func answersTo(method string) func(*Message) bool {
	return func(m *Message) bool { return m.Method == "" && m.Answers == method }
}

func isError(m *Message) bool { return m.Method == "" && m.Err != nil }

// onFrame changes the line, line feed included, of the messages that match.
func onFrame(match func(*Message) bool, change func(line []byte) [][]byte) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Frame
		b.Frame = func(c *Conn, m *Message, line []byte) [][]byte {
			pieces := before(c, m, line)
			if !match(m) {
				return pieces
			}
			return change(bytes.Join(pieces, nil))
		}
	}
}

func oneLine(change func(line string) string) func([]byte) [][]byte {
	return func(line []byte) [][]byte { return [][]byte{[]byte(change(string(line)))} }
}

// afterInitialize writes text behind the response to initialize.
func afterInitialize(text string) func(*Behaviour) {
	return func(b *Behaviour) { b.AfterInitialize = func(c *Conn) { c.WriteRaw([]byte(text)) } }
}

func atStart(text string) func(*Behaviour) {
	return func(b *Behaviour) { b.Start = func(c *Conn) { c.WriteRaw([]byte(text)) } }
}

func cutNewline(line string) string { return strings.TrimSuffix(line, "\n") }

func wireFaults() []Fault {
	return []Fault{
		{Name: "huge-notification", Description: "sends a notification of eighteen million bytes before it answers its first session/list", Protocols: []int{firstVersion, latestVersion},
			Break: func(b *Behaviour) {
				var sent atomic.Bool
				onFrame(func(m *Message) bool { return m.Answers == "session/list" && !sent.Swap(true) }, func(line []byte) [][]byte {
					data := strings.Repeat("0123456789", 1_800_000)
					return [][]byte{[]byte(`{"jsonrpc":"2.0","method":"_vendor/blob","params":{"data":"` + data + `"}}` + "\n"), line}
				})(b)
			}},
		{Name: "stdout-banner", Description: "writes a line of plain text to standard output after initialize",
			Break: afterInitialize("fake agent ready\n")},
		{Name: "stdout-escape-line", Description: "writes a line of terminal control codes to standard output after initialize",
			Break: afterInitialize("\x1b[2J\x1b[H\x1b[32mready\x1b[0m\n")},
		{Name: "stdout-escape-prefix", Description: "writes a terminal title in front of a message, on the same line",
			Break: onFrame(isCommands, oneLine(func(s string) string { return "\x1b]0;fake agent\x07" + s }))},
		{Name: "stdout-json-log", Description: "writes a log record in JSON to standard output after initialize",
			Break: afterInitialize(`{"level":"info","msg":"ready"}` + "\n")},
		{Name: "stdout-json-string", Description: "writes a JSON string to standard output after initialize",
			Break: afterInitialize("\"ready\"\n")},
		{Name: "stdout-blank-line", Description: "writes an empty line to standard output after initialize",
			Break: afterInitialize("\n")},
		{Name: "byte-order-mark", Description: "begins a line with a byte order mark",
			Break: onFrame(isCommands, oneLine(func(s string) string { return "\ufeff" + s }))},
		{Name: "invalid-utf8", Description: "writes a byte that is not UTF-8 into a string",
			Break: onFrame(isCommands, oneLine(func(s string) string {
				return strings.Replace(s, `"description":"`, "\"description\":\"\xff", 1)
			}))},
		{Name: "invalid-utf8-in-text", Description: "cuts a character of a message's text in two, so that the line is not UTF-8",
			Break: onFrame(isChunk, oneLine(func(s string) string { return strings.Replace(s, `"text":"`, "\"text\":\"\xe2\x82", 1) }))},
		{Name: "pretty-printed", Description: "writes a message over several lines",
			Break: onFrame(isCommands, func(line []byte) [][]byte {
				var out bytes.Buffer
				_ = json.Indent(&out, line, "", "  ")
				return [][]byte{out.Bytes()}
			})},
		{Name: "two-messages-on-a-line", Description: "writes two messages without a line feed between them",
			Break: onFrame(isCommands, oneLine(func(s string) string { return cutNewline(s) + s }))},
		{Name: "truncated-line", Description: "ends a line in the middle of its message",
			Break: onFrame(isCommands, oneLine(func(s string) string { return s[:len(s)/2] + "\n" }))},
		{Name: "sends-batch", Description: "writes a message as a batch of one",
			Break: onFrame(isCommands, oneLine(func(s string) string { return "[" + cutNewline(s) + "]\n" }))},
		{Name: "banner-first", Description: "writes a line of plain text to standard output before it is asked anything",
			Break: atStart("starting the fake agent\n")},
		{Name: "speaks-first", Description: "sends a notification before it is asked anything",
			Break: atStart(`{"jsonrpc":"2.0","method":"_fake/hello","params":{}}` + "\n")},
		{Name: "withholds-newline", Description: "sends the line feed of the response to initialize only when more input comes",
			Break: onFrame(answersTo("initialize"), oneLine(cutNewline))},
		{Name: "withholds-newline-of-errors", Description: "sends the line feed of an error only when more input comes",
			Break: onFrame(isError, oneLine(cutNewline))},
		{Name: "withholds-newline-of-turns", Description: "sends the line feed of the response to a prompt only when more input comes",
			Break: onFrame(answersTo("session/prompt"), oneLine(cutNewline))},
		{Name: "answers-blank-line", Description: "answers an empty line with a parse error",
			Break: func(b *Behaviour) { b.Blank = func(c *Conn) { parseError(c, nil) } }},
		{Name: "refuses-crlf", Description: "takes a carriage return before the line feed for a parse error",
			Break: func(b *Behaviour) { b.Trim = refuseCR }},
		{Name: "long-line-fatal", Description: "exits when a line is longer than 64 KiB",
			Break: onLongLine(func(c *Conn) { c.Exit(1) })},
		{Name: "long-line-lost", Description: "drops a line that is longer than 64 KiB",
			Break: onLongLine(func(*Conn) {})},
		{Name: "read-is-message", Description: "takes whatever one read brings for one message",
			Break: func(b *Behaviour) {
				b.Split = func(buf []byte) (line, rest []byte, ok bool) {
					return bytes.TrimSuffix(buf, []byte("\n")), nil, len(buf) > 0
				}
			}},
		{Name: "only-first-line", Description: "loses what follows the first line of a read",
			Break: func(b *Behaviour) {
				before := b.Split
				b.Split = func(buf []byte) (line, rest []byte, ok bool) {
					line, rest, ok = before(buf)
					if ok {
						rest = nil
					}
					return line, rest, ok
				}
			}},
		{Name: "damages-split-characters", Description: "replaces a character whose bytes arrive in two reads",
			Break: damageSplitCharacters},
	}
}

func isChunk(m *Message) bool {
	params, _ := m.Params.(Object)
	update, _ := params["update"].(Object)
	return update["sessionUpdate"] == "agent_message_chunk"
}

func refuseCR(line []byte) []byte {
	if bytes.HasSuffix(line, []byte("\r")) {
		return append(line[:len(line):len(line)], '?')
	}
	return line
}

func onLongLine(do func(*Conn)) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Admit
		b.Admit = func(c *Conn, line []byte) bool {
			if len(line) > 64<<10 {
				do(c)
				return false
			}
			return before(c, line)
		}
	}
}

func damageSplitCharacters(b *Behaviour) {
	before, seen := b.Split, 0
	b.Split = func(buf []byte) (line, rest []byte, ok bool) {
		if n := seen; n > 0 && n <= len(buf) && !utf8.Valid(buf[:n]) {
			buf = append(bytes.ToValidUTF8(buf[:n], []byte("\ufffd")), bytes.ToValidUTF8(buf[n:], []byte("\ufffd"))...)
		}
		line, rest, ok = before(buf)
		seen = 0
		if !ok {
			seen = len(rest)
		}
		return line, rest, ok
	}
}
