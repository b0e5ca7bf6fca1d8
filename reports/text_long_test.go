package reports

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// The lines of version 2 can be long, and so can what is compared. The text for a person shows what matters of them, the verbose one
// and the JSON report all that there is.
func TestTextCutsLongLines(t *testing.T) {
	pad := strings.Repeat(`{"type":"text","text":"of no interest"},`, 45)
	line := `{"jsonrpc":"2.0","id":4,"result":{"background":[` + pad + `],"status":"busy"}}`
	r := sample()
	r.Rules[0].Evidence = []result.Observation{{Severity: result.Failed, Explanation: "the status is no word of the protocol",
		Expected: strings.Repeat("x", 500) + "active", Actual: "busy", SeenIn: "survey", Frames: []result.Frame{{Seq: 4, From: "agent", Line: line, Cut: 100}}}}
	written := func(o TextOptions) string {
		var b bytes.Buffer
		if err := Text(&b, r, o); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for l := range strings.SplitSeq(written(TextOptions{}), "\n") {
		if utf8.RuneCountInString(l) > 270 {
			t.Errorf("%d characters: %s", utf8.RuneCountInString(l), l)
		}
		if strings.HasPrefix(l, "     <    4") && !(strings.Contains(l, `"status":"busy"`) && strings.Contains(l, `{"jsonrpc":"2.0","id":4,"result"`) && strings.HasSuffix(l, " more bytes)")) {
			t.Errorf("what matters is not shown: %s", l)
		}
	}
	var whole bytes.Buffer
	if err := JSON(&whole, r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(written(TextOptions{Verbose: true}), line+" … (100 more bytes)\n") || !strings.Contains(whole.String(), strings.ReplaceAll(line, `"`, `\"`)) {
		t.Error("the verbose text or the JSON report has less than was cited")
	}
}
