package fuzz

import (
	"reflect"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/schemas"
)

func TestPlaceholders(t *testing.T) {
	known := func(name string) (string, bool) {
		v, ok := map[string]string{"dir": `/a "b"`, "s1.sessionId": "ab", "id": `"7"`}[name]
		return v, ok
	}
	for line, want := range map[string]string{
		`plain`:                          `plain`,
		`"${dir}/x"`:                     `"/a \"b\"/x"`,
		`"${s1.sessionId}"`:              `"ab"`,
		`"${s1.sessionId|escaped}"`:      `"\u0061\u0062"`,
		`"${s1.sessionId|upper}"`:        `"AB"`,
		`"${s1.sessionId|padded}"`:       `"ab "`,
		`"${s2.sessionId}"`:              `"acp-conform-none"`,
		`"${repeat:3:ab}"`:               `"ababab"`,
		`"${repeat:-3:ab}${repeat:x:y}"`: `""`,
		`${nest:2}`:                      `[[]]`,
		`${deep:2}`:                      `{"x":{"x":0}}`,
		`${bytes:ff41}`:                  "\xffA",
		`{"id":${id}}`:                   `{"id":"7"}`,
		`${unfinished`:                   `${unfinished`,
	} {
		if got := string(expand(line, known)); got != want {
			t.Errorf("%s became %s, want %s", line, got, want)
		}
	}
	if n := len(expand(`${repeat:999999999:abc}`, known)); n > longest {
		t.Errorf("%d bytes", n)
	}
	if got := names(`{"a":"${s1.sessionId}","b":"${dir}","c":"${repeat:3:x.y}","d":"${l2.nextCursor}"}`); !reflect.DeepEqual(got, []string{"s1", "l2"}) {
		t.Errorf("%q", got)
	}
}

func TestScriptsAreReadAsTheyAreWritten(t *testing.T) {
	s := Script{Schema: scriptSchema, Protocol: 2, Note: "a <b> \"c\"", Steps: []Step{hello(2), session("s1", 2),
		{Send: `{"a":"${repeat:3:x}"}`, Then: Join}, {Send: "\x1b<&>", Then: GoOn}, {Send: "{}", Reply: true}}}
	b := s.Encode()
	back, err := ReadScript(b)
	if err != nil || !reflect.DeepEqual(s, back) {
		t.Errorf("%v\n%+v\n%+v", err, s, back)
	}
	if n := strings.Count(string(b), "\n"); n != len(s.Steps)+2 {
		t.Errorf("%d lines: %s", n, b)
	}
	for text, want := range map[string]string{
		`{`: "no script of a fuzzer",
		`{"schema":"x","protocol":1,"steps":[{"send":""}]}`:                                                "the member schema is",
		`{"schema":"acp-conform/fuzz-script/1","protocol":3,"steps":[{"send":""}]}`:                        "no version 3",
		`{"schema":"acp-conform/fuzz-script/1","protocol":1,"steps":[]}`:                                   "no steps",
		`{"schema":"acp-conform/fuzz-script/1","protocol":1,"steps":[{"send":"x","then":"tea"}]}`:          `wait for "tea"`,
		`{"schema":"acp-conform/fuzz-script/1","protocol":1,"steps":[{"sned":"x"}]}`:                       "unknown field",
		`{"schema":"acp-conform/fuzz-script/1","protocol":1,"steps":[{"send":"x","then":"fence"}],"x":""}`: "unknown field",
	} {
		if _, err := ReadScript([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestTreesAreReadAsTheyAreWritten(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `"a"`, `-1e400`, `{"a":1,"a":{"b":[null,true,"\ud800"]}}`, `{"x":${deep:3}}`, `"${s1.sessionId}"`, `{"\u0061":"\""}`} {
		if tr, err := read(text); err != nil || tr.String() != text || tr.clone().String() != text {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{``, `{`, `[1`, `{"a"}`, `{"a":}`, `{a:1}`, `{} {}`, `"a`, `{"a":1,}`, `[,]`, strings.Repeat("[", 500) + strings.Repeat("]", 500)} {
		if tr, err := read(text); err == nil {
			t.Errorf("%.40s was read as %.40s", text, tr)
		}
	}
}

func TestIDsAreFoundAgain(t *testing.T) {
	for _, same := range [][]string{{`1`, `1.0`, `1e0`}, {`"a"`, `"\u0061"`}, {`9007199254740993`}, {`"1"`}, {`-0`, `0`}, {`null`}, {`""`}, {``}, {`true`}, {`[1]`}} {
		for _, other := range same[1:] {
			if keyOf([]byte(same[0])) != keyOf([]byte(other)) {
				t.Errorf("%s and %s", same[0], other)
			}
		}
	}
	for _, differ := range [][2]string{{`1`, `"1"`}, {`9007199254740993`, `9007199254740992`}, {`"a"`, `"A"`}, {`null`, `"null"`}} {
		if keyOf([]byte(differ[0])) == keyOf([]byte(differ[1])) {
			t.Errorf("%s and %s are taken for one", differ[0], differ[1])
		}
	}
	if !sameButRounded(keyOf([]byte("9007199254740993")), keyOf([]byte("9007199254740992"))) || sameButRounded(keyOf([]byte("4294967297")), keyOf([]byte("1"))) {
		t.Error("only what floats of 64 bits round is rounded")
	}
}

func TestWhatStrictReadersMayRefuseIsOdd(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":"b","c":[1,2.5,-3,1e10]}`:                   false,
		`{"a":1,"b":{"a":1}}`:                             false,
		`{"a":1,"a":1}`:                                   true,
		`{"a":{"b":1,"\u0062":1}}`:                        true,
		`{"a":"\ud83d\ude42"}`:                            false,
		`{"a":"\ud83d"}`:                                  true,
		`{"a":"\ude42"}`:                                  true,
		`{"a":"\\ud83d"}`:                                 false,
		`{"a":1e999}`:                                     true,
		`{"a":123456789012345678901}`:                     true,
		`{"a":"123456789012345678901 {[{[ 1e999"}`:        false,
		strings.Repeat("[", 61) + strings.Repeat("]", 61): true,
		strings.Repeat("[", 60) + strings.Repeat("]", 60): false,
		`"` + strings.Repeat("x", 70<<10) + `"`:           false,
		`"` + strings.Repeat("x", widest) + `"`:           true,
		`{"a":"` + strings.Repeat("{", 100) + `"}`:        false,
	} {
		if got := isOdd([]byte(text)); got != want {
			t.Errorf("%.60s: %v", text, got)
		}
	}
	for text, want := range map[string]clarity{
		`{"jsonrpc":"2.0","id":1,"method":"x","params":{}}`:                   plain,
		`{"jsonrpc":"2.0","id":0,"method":"x","params":[]}`:                   plain,
		`{"jsonrpc":"2.0","id":"x","method":"x"}`:                             plain,
		`{"jsonrpc":"2.0","id":9007199254740991,"method":"x"}`:                plain,
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}`:                odd,
		`{"jsonrpc":"2.0","id":-1,"method":"x"}`:                              odd,
		`{"jsonrpc":"2.0","id":1,"method":"x","params":1}`:                    odd,
		`{"jsonrpc":"2.0","method":"x","params":null}`:                        odd,
		`{"jsonrpc":"2.0","id":1.5,"method":"x"}`:                             broken,
		`{"jsonrpc":"2.0","id":null,"method":"x"}`:                            broken,
		`{"jsonrpc":"1.0","id":1,"method":"x"}`:                               broken,
		`42`:                                                                  broken,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":\"\xff\"}": broken,
	} {
		if got := look([]byte(text), 0, schemas.Ours().Edition(1, false)); got.clarity != want || got.owed && want == broken {
			t.Errorf("%s: %d, owed an answer: %v", text, got.clarity, got.owed)
		}
	}
}
