package fakeagent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf16"
)

// always matches every message.
func always(*Message) bool { return true }

// wireVariants write the same messages in other ways that the protocol and JSON allow.
func wireVariants() []Fault {
	return []Fault{
		{Name: "meta-everywhere", Description: "adds _meta to params, results, updates and content blocks", Break: func(b *Behaviour) {
			before := b.Envelope
			b.Envelope = func(m *Message) []Member {
				members := before(m)
				for i, member := range members {
					if member.Key == "params" || member.Key == "result" {
						members[i].Value = annotate(member.Value)
					}
				}
				return members
			}
		}},
		{Name: "vendor-notifications", Description: "sends a notification of its own before every message after initialize", Break: func(b *Behaviour) {
			before := b.Frame
			b.Frame = func(c *Conn, m *Message, line []byte) [][]byte {
				pieces := before(c, m, line)
				if m.Answers == "initialize" || !c.isInitialized() {
					return pieces
				}
				vendor := []byte(`{"jsonrpc":"2.0","method":"_vendor/heartbeat","params":{"load":0.5,"next_beat":null}}` + "\n")
				return append([][]byte{vendor}, pieces...)
			}
		}},
		{Name: "string-request-ids", Description: "gives its requests ids that are strings",
			Break: func(b *Behaviour) { b.RequestID = func(_ *Conn, n int) any { return fmt.Sprintf("agent-%d", n) } }},
		{Name: "request-ids-of-client", Description: "gives its requests the ids that the client used for its own", Break: func(b *Behaviour) {
			b.RequestID = func(_ *Conn, n int) any { return n - 1 }
		}},
		{Name: "negative-request-ids", Description: "gives its requests negative ids",
			Break: func(b *Behaviour) { b.RequestID = func(_ *Conn, n int) any { return -n } }},
		{Name: "one-byte-writes", Description: "writes byte by byte", Break: onFrame(always, func(line []byte) [][]byte {
			pieces := make([][]byte, len(line))
			for i := range line {
				pieces[i] = line[i : i+1]
			}
			return pieces
		})},
		{Name: "reordered-keys", Description: "writes the members of every object in reverse order", Break: func(b *Behaviour) {
			b.Encode = func(members []Member) []byte { return encodeReversed(members) }
		}},
		{Name: "spaced-json", Description: "writes blanks wherever JSON allows them in a line", Break: onFrame(always, func(line []byte) [][]byte {
			var out bytes.Buffer
			if json.Indent(&out, bytes.TrimSpace(line), "", "") != nil {
				return [][]byte{line}
			}
			return [][]byte{append(bytes.ReplaceAll(out.Bytes(), []byte("\n"), []byte(" ")), " \n"...)}
		})},
		{Name: "escaped-text", Description: "writes every character outside ASCII as an escape, and slashes too", Break: func(b *Behaviour) {
			before := b.Encode
			b.Encode = func(members []Member) []byte { return escape(before(members)) }
		}},
		{Name: "raw-line-separators", Description: "writes the characters U+2028 and U+2029 as they are", Break: func(b *Behaviour) {
			before := b.TextBlock
			b.TextBlock = func(words string) any {
				block, _ := before(words).(Object)
				raw := bytes.TrimSuffix(encodeValue(words), []byte(`"`))
				return with(block, "text", json.RawMessage(string(raw)+"\u2028and\u2029so\""))
			}
		}},
		{Name: "stderr-noise", Description: "logs to standard error all the time",
			Break: func(b *Behaviour) {
				before := b.Frame
				b.Frame = func(c *Conn, m *Message, line []byte) [][]byte {
					c.Log("\x1b[33msending ✓\x1b[0m")
					return before(c, m, line)
				}
			}},
		{Name: "stderr-not-utf8", Description: "logs bytes to standard error that are not UTF-8",
			Break: func(b *Behaviour) { b.Start = func(c *Conn) { c.Log("\xff\xfe broken \x80 log") } }},
		{Name: "slow-start", Description: "takes a while before it reads anything",
			Break: func(b *Behaviour) { b.Start = func(c *Conn) { c.pause(300 * time.Millisecond) } }},
	}
}

// annotate adds _meta to an object and to the objects in it that are types of the protocol.
func annotate(v any) any {
	o, ok := v.(Object)
	if !ok {
		return v
	}
	annotated := with(o, "_meta", Object{"vendor.example/trace": Object{"span_id": 7.0, "path": "notes.txt", "_meta": "free", "nested": []any{nil, true}}})
	if meta, ok := o["_meta"].(Object); ok {
		annotated["_meta"] = with(meta, "vendor.example/trace", nil)
	}
	for _, key := range []string{"update", "content", "toolCall", "agentCapabilities", "agentInfo", "modes"} {
		if inner, ok := o[key].(Object); ok {
			annotated[key] = annotate(inner)
		}
	}
	return annotated
}

func encodeReversed(v any) []byte {
	var pairs [][2]any
	switch v := v.(type) {
	case []Member:
		for _, m := range v {
			pairs = append([][2]any{{m.Key, m.Value}}, pairs...)
		}
	case Object:
		for _, key := range sortedKeys(v) {
			pairs = append([][2]any{{key, v[key]}}, pairs...)
		}
	case []any:
		var parts []string
		for _, item := range v {
			parts = append(parts, string(encodeReversed(item)))
		}
		return []byte("[" + strings.Join(parts, ",") + "]")
	default:
		return encodeValue(v)
	}
	var parts []string
	for _, pair := range pairs {
		parts = append(parts, string(encodeValue(pair[0]))+":"+string(encodeReversed(pair[1])))
	}
	return []byte("{" + strings.Join(parts, ",") + "}")
}

func escape(line []byte) []byte {
	var out bytes.Buffer
	for _, r := range string(line) {
		switch {
		case r == '/':
			out.WriteString(`\/`)
		case r < 0x80:
			out.WriteRune(r)
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&out, `\u%04x`, unit)
			}
		}
	}
	return out.Bytes()
}
