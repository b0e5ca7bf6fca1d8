package stimulus

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

func said(t rule.Task) string {
	b, _ := json.Marshal(t.Prompt)
	return string(b)
}

// A directive comes before a configured prompt, that before a plain one; only a directive is certain.
func TestOrder(t *testing.T) {
	own := map[string]string{"say": "please say %s"}
	for name, tt := range map[string]struct {
		announced []string
		own       map[string]string
		want      string
		certain   bool
	}{
		"directive":  {[]string{"say"}, own, "/say hello", true},
		"configured": {[]string{"wait"}, own, "please say hello", false},
		"plain":      {nil, nil, "exactly this text and nothing else, without using any tools: hello", false},
	} {
		task, ok := For(tt.announced, tt.own)(rule.SayText, "hello")
		if !ok || !strings.Contains(said(task), tt.want) || task.Certain != tt.certain {
			t.Errorf("%s: %v, %s, certain %v", name, ok, said(task), task.Certain)
		}
	}
}

// A text of several directives needs all of them.
func TestEveryDirectiveMustBeAnnounced(t *testing.T) {
	if _, ok := For([]string{"image", "audio"}, nil)(rule.RichContent, ""); ok {
		t.Error("two of four directives are enough")
	}
	if _, ok := For([]string{"image", "audio", "resource", "link"}, nil)(rule.RichContent, ""); !ok {
		t.Error("all of them are not enough")
	}
}

func TestNothingCanBringItAbout(t *testing.T) {
	if _, ok := For(nil, nil)(rule.Numbered, "5"); ok {
		t.Error("a model was trusted to number its chunks")
	}
	if _, ok := For(nil, nil)(rule.Chat, ""); ok {
		t.Error("a real model was asked for small talk")
	}
}

func TestDirectivesAreReadFromMeta(t *testing.T) {
	in := client.ReadInitialize(client.Answer{Result: json.RawMessage(`{"agentCapabilities":{"_meta":{"acp-conform/directives":["say","wait"]}}}`)})
	if got := Directives(in); len(got) != 2 || got[1] != "wait" {
		t.Errorf("read %v", got)
	}
	for _, odd := range []string{`{}`, `{"agentCapabilities":{"_meta":null}}`, `{"agentCapabilities":{"_meta":{"acp-conform/directives":7}}}`} {
		if got := Directives(client.ReadInitialize(client.Answer{Result: json.RawMessage(odd)})); len(got) != 0 {
			t.Errorf("%s: read %v", odd, got)
		}
	}
}
