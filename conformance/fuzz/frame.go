package fuzz

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// message makes the tree of a message; an empty id makes a notification.
func message(id, method string, params *tree) *tree {
	t := &tree{kind: '{', members: []pair{{`"jsonrpc"`, scalar(`"2.0"`)}}}
	if id != "" {
		t.put("id", scalar(id))
	}
	t.put("method", scalar(quote(method)))
	t.put("params", params)
	return t
}

// form changes how a message is written, and nothing of what it says.
func form(r *rand.Rand, t *tree) string {
	switch r.IntN(12) {
	case 0:
		r.Shuffle(len(t.members), func(i, j int) { t.members[i], t.members[j] = t.members[j], t.members[i] })
	case 1:
		name := t.get("method")
		if name == nil {
			break
		}
		if s, ok := unquote(name.text); ok && !strings.Contains(s, "${") {
			name.text = `"` + escaped(s) + `"`
		}
	case 2:
		return "  " + strings.ReplaceAll(t.String(), `":`, `" :`+"\t") + " "
	case 3:
		return t.String() + "\r"
	}
	return t.String()
}

// oddIDs are ids that any agent has to give back, though most clients use others. n makes them differ.
func oddID(r *rand.Rand, n int) string {
	switch r.IntN(9) {
	case 0:
		return "0"
	case 1:
		return fmt.Sprint(-n)
	case 2:
		return fmt.Sprint(1<<31 + n)
	case 3:
		return fmt.Sprint(1<<53 - n)
	case 4:
		return fmt.Sprintf(`"%d"`, n)
	case 5:
		return fmt.Sprintf(`"ü🙂-%d"`, n)
	case 6:
		return fmt.Sprintf(`"%d-${repeat:150:i}"`, n)
	case 7:
		return fmt.Sprint(1<<32 + n)
	}
	return fmt.Sprintf(`"0e5f8b1c-6d3a-4f27-9b48-%012d"`, n)
}

// badIDs are ids that nobody can be expected to give back.
var badIDs = []string{"null", "1.5", "1.0", "true", "[]", "{}", "1e3", `"${repeat:5000:i}"`, "9223372036854775808", "9007199254740993", `""`}

// unknownMethods are methods that agents do not have.
var unknownMethods = []string{"_acp_conform/none", "acp_conform/none", "session/none", "", "__proto__", "toString", "rpc.discover", "session/update",
	"fs/read_text_file", "Session/Prompt", "session/prompt ", "session", "/", "sessionPrompt", "session/\u0000", "${repeat:5000:m}", "$/none", "🙂"}

// mutateEnvelope changes what stands around the params.
func mutateEnvelope(r *rand.Rand, t *tree) {
	set := func(name string, values ...string) { t.put(name, scalar(pick(r, values))) }
	switch r.IntN(14) {
	case 0:
		set("jsonrpc", `"1.0"`, "2.0", "null", `"2"`, `""`, "2")
	case 1:
		t.drop("jsonrpc")
	case 2, 3:
		set("id", badIDs...)
	case 4, 12, 13:
		if t.index("id") >= 0 {
			t.drop("id")
		} else {
			set("id", "8000001", `"acp-conform"`)
		}
	case 5:
		set("method", "null", "5", "[]", `{"x":1}`, "true")
	case 6:
		t.drop("method")
	case 7:
		t.put("method", scalar(quote(pick(r, unknownMethods))))
	case 8:
		set("params", "null", "[]", `"x"`, "0", `[{"sessionId":"x"}]`, "false")
	case 9:
		t.drop("params")
	case 10:
		i := r.IntN(len(t.members))
		t.members = append(t.members, pair{t.members[i].name, t.members[i].value.clone()})
	case 11:
		set(pick(r, []string{"result", "error", "_meta", "x", "__proto__", "ID", "Method", "Params"}), "null", "{}", `"x"`, "1", "[]")
	}
}

// rawLines are lines that are no message, or none of ours. FRAME stands for one that is.
var rawLines = []string{"42", `"x"`, "null", "true", "[]", "[1]", "{}", " ", "", "{", "}", `{"jsonrpc":"2.0","id":`, "hello", "GET / HTTP/1.1", "Content-Length: 3",
	"${bytes:ff}", "${bytes:00}", "FRAMEFRAME", "FRAME FRAME", "[FRAME]", "[FRAME,FRAME]", "${bytes:efbbbf}FRAME", "FRAME}", "{FRAME", "'FRAME'", "//FRAME",
	"FRAME,", "${repeat:100000:x}", "${nest:100000}", `{"x":${deep:3000}}`, "NaN", "{'jsonrpc':'2.0'}", `{"jsonrpc":"2.0"}`, "${bytes:1b5b324a}", `{"jsonrpc":"2.0","id":8000002}`}

// strays are responses to requests that the agent has not made.
var strays = []string{`{"jsonrpc":"2.0","id":8000003,"result":{}}`, `{"jsonrpc":"2.0","id":"acp-conform","result":null}`,
	`{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"Internal error"}}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
	`{"jsonrpc":"2.0","id":-1,"result":[]}`, `{"jsonrpc":"2.0","id":8000004,"error":"x"}`, `{"jsonrpc":"2.0","id":8000005,"result":{},"error":{"code":1,"message":""}}`}

// tame sees to it that no program but one that does not exist is started, whatever has been made of the params.
func tame(t *tree) {
	for _, s := range t.spots() {
		if s.member < 0 || s.member >= len(s.parent.members) { // of an object that has been emptied
			continue
		}
		name, _ := unquote(s.parent.members[s.member].name)
		if strings.ToLower(strings.Trim(name, " \u0000_")) != "command" {
			continue
		}
		switch typeOf(s.node) {
		case '"':
			if !slices.Contains([]string{`""`, `"acp-conform-no-such-program"`}, s.node.text) {
				s.node.text = `"${dir}/acp-conform-no-such-program"`
			}
		case '[', '{':
			s.node.items, s.node.members = nil, nil
		}
	}
}
