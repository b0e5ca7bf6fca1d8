package steady

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// kinds are what can happen to a line; a line has its end with it.
var kinds = []func(c change, g *garbler, lines [][]byte) [][]byte{
	drop, double, hold, flip, cutOff, cutInTwo, insertBytes, otherID, otherValue, withoutMember, renamedMember, doubledMember, beside, before, exits, unended,
	moreMembers, asText, hundredfold,
}

func drop(change, *garbler, [][]byte) [][]byte { return nil }
func double(_ change, _ *garbler, lines [][]byte) [][]byte {
	return append(slices.Clone(lines), lines...)
}
func exits(_ change, g *garbler, lines [][]byte) [][]byte   { g.over = true; return lines }
func hundredfold(_ change, _ *garbler, l [][]byte) [][]byte { return slices.Repeat(l, 100) }
func hold(_ change, g *garbler, lines [][]byte) [][]byte {
	g.held = append(g.held, lines...)
	return nil
}
func before(c change, _ *garbler, lines [][]byte) [][]byte {
	return append([][]byte{c.made()}, lines...)
}
func beside(c change, _ *garbler, lines [][]byte) [][]byte { return append(lines, c.made()) }
func unended(_ change, _ *garbler, lines [][]byte) [][]byte {
	return each(lines, func(l []byte) []byte { return bytes.TrimSuffix(l, []byte("\n")) })
}
func cutOff(c change, _ *garbler, lines [][]byte) [][]byte {
	return each(lines, func(l []byte) []byte { return append(l[:c.at%len(l)], '\n') })
}
func asText(c change, _ *garbler, lines [][]byte) [][]byte {
	return each(lines, func([]byte) []byte { return append(bytes.Clone(c.bytes), '\n') })
}
func cutInTwo(c change, g *garbler, lines [][]byte) [][]byte {
	return insertBytes(change{at: c.at, bytes: []byte("\n")}, g, lines)
}
func otherID(c change, _ *garbler, lines [][]byte) [][]byte {
	return edited(lines, func(m map[string]any) { m["id"] = c.value() })
}
func moreMembers(c change, _ *garbler, lines [][]byte) [][]byte {
	return edited(lines, func(m map[string]any) {
		m[string(c.bytes)] = c.value()
		for _, name := range []string{"params", "result"} {
			if _, there := m[name]; !there {
				m[name] = nil
			}
		}
	})
}

func each(lines [][]byte, f func([]byte) []byte) (out [][]byte) {
	for _, l := range lines {
		if len(l) > 0 {
			out = append(out, f(bytes.Clone(l)))
		}
	}
	return out
}

func flip(c change, _ *garbler, lines [][]byte) [][]byte {
	return each(lines, func(l []byte) []byte { l[c.at%len(l)] ^= byte(c.by) | 1; return l })
}

func insertBytes(c change, _ *garbler, lines [][]byte) [][]byte {
	return each(lines, func(l []byte) []byte { return slices.Insert(l, c.at%len(l), c.bytes...) })
}

// edited changes lines as JSON; a line that is none stays as it is.
func edited(lines [][]byte, edit func(map[string]any)) [][]byte {
	return each(lines, func(l []byte) []byte {
		d := json.NewDecoder(bytes.NewReader(l))
		d.UseNumber()
		var m map[string]any
		if d.Decode(&m) != nil || m == nil {
			return l
		}
		edit(m)
		out, err := json.Marshal(m)
		if err != nil { // a raw value of ours that is no JSON: it is what is wanted
			return l
		}
		return append(out, '\n')
	})
}

// place is a member of an object, or an item of an array, somewhere in a message.
type place struct {
	of  map[string]any
	key string
}

// places are all members of a message and of the objects in it, in a fixed order.
func places(v any) (all []place) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			all = append(all, place{v, k})
			all = append(all, places(v[k])...)
		}
	case []any:
		for _, item := range v {
			all = append(all, places(item)...)
		}
	}
	return all
}

// atPlace edits the place that a change is about.
func atPlace(c change, lines [][]byte, edit func(place)) [][]byte {
	return edited(lines, func(m map[string]any) {
		if all := places(m); len(all) > 0 {
			edit(all[c.at%len(all)])
		}
	})
}

func withoutMember(c change, _ *garbler, lines [][]byte) [][]byte {
	return atPlace(c, lines, func(p place) { delete(p.of, p.key) })
}

func renamedMember(c change, _ *garbler, lines [][]byte) [][]byte {
	return atPlace(c, lines, func(p place) {
		v := p.of[p.key]
		delete(p.of, p.key)
		p.of[[]string{string(c.bytes), strings.ToUpper(p.key), "_" + p.key, "", "_meta"}[c.by%5]] = v
	})
}

func otherValue(c change, _ *garbler, lines [][]byte) [][]byte {
	return each(lines, func(l []byte) []byte {
		const stand = "\"\u0001stand\""
		out := atPlace(c, [][]byte{l}, func(p place) { p.of[p.key] = "\u0001stand" })[0]
		return bytes.ReplaceAll(out, []byte(strings.ReplaceAll(stand, "\u0001", `\u0001`)), c.raw())
	})
}

// doubledMember writes a member a second time, with another value.
func doubledMember(c change, _ *garbler, lines [][]byte) [][]byte {
	return each(lines, func(l []byte) []byte {
		keys := []string{"jsonrpc", "id", "method", "params", "result", "error"}
		i := bytes.LastIndexByte(l, '}')
		if i < 0 {
			return l
		}
		return slices.Concat(l[:i], []byte(`,"`+keys[c.at%len(keys)]+`":`), c.raw(), l[i:])
	})
}

// raws are values that are odd somewhere; the last one is a text of the recipe's own.
var raws = []string{`null`, `true`, `0`, `-1`, `1.5`, `7.0`, `1e3`, `18446744073709551616`, `1e400`, `1e10000000`, `-0`, `""`, `"1"`, `[]`, `{}`, `[null]`, `[[[[[]]]]]`,
	`{"a":{"a":{}}}`, `"\ud800"`, `"\u0000"`, `"../../etc/passwd"`, `"session/update"`, `{"sessionId":1}`, `1`, `2`, `3`, `[1,2]`, `"end_turn"`, `{"":null}`, "\"\xff\"",
	"\"\u2028\"", `{"_meta":[]}`, `"` + long + `"`, `[` + long + `]`, nested}

var (
	long   = strings.Repeat("1", 70_000)
	nested = strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000)
)

func (c change) raw() []byte {
	if i := c.by % (len(raws) + 1); i < len(raws) {
		return []byte(raws[i])
	}
	out, _ := json.Marshal(string(c.bytes))
	return out
}

// value is the raw one where it is JSON, else a text.
func (c change) value() any {
	var v any
	d := json.NewDecoder(bytes.NewReader(c.raw()))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return string(c.bytes)
	}
	return v
}

// made is a line that the fake would not say.
func (c change) made() []byte {
	methods := []string{"session/update", "session/request_permission", "fs/read_text_file", "fs/write_text_file", "terminal/create", "terminal/output",
		"terminal/wait_for_exit", "elicitation/create", "$/cancel_request", "_x", "initialize", string(c.bytes)}
	method, _ := json.Marshal(methods[c.at%len(methods)])
	forms := [][]string{{`{"jsonrpc":"2.0","method":`, `,"params":`, `}`}, {`{"jsonrpc":"2.0","id":1,"method":`, `,"params":`, `}`},
		{`{"jsonrpc":"2.0","id":"x","method":`, `,"params":`, `}`}}
	params := [][]byte{c.raw(), []byte(`{"sessionId":"s","path":"/etc/hostname","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}}`),
		[]byte(`{"sessionId":"s","command":"true","terminalId":"term_1","requestId":1,"options":[],"toolCall":{"toolCallId":"t"}}`)}
	if c.at > 200 { // a response to nothing
		return slices.Concat([]byte(`{"jsonrpc":"2.0","id":`), c.raw(), []byte(`,"result":{}}`+"\n"))
	}
	f := forms[c.by%len(forms)]
	return slices.Concat([]byte(f[0]), method, []byte(f[1]), params[c.at%len(params)], []byte(f[2]+"\n"))
}
