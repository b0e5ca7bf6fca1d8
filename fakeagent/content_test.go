package fakeagent

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// What a client got wrong in a prompt is not said again when the prompt is.
func TestAPromptIsRepeatedWithoutItsMistakes(t *testing.T) {
	for block, want := range map[string]string{
		`{"type":"text","text":"a","_meta":[1],"annotations":{"_meta":5,"audience":["user"],"priority":"x"}}`: `{"annotations":{"audience":["user"]},"text":"a","type":"text"}`,
		`{"type":"text","text":"a","_meta":{"_meta":[1]},"annotations":null}`:                                 `{"_meta":{"_meta":[1]},"annotations":null,"text":"a","type":"text"}`,
		`{"type":"resource_link","uri":"file:///a","name":"a","title":1,"size":"1"}`:                          `{"name":"a","type":"resource_link","uri":"file:///a"}`,
		`{"type":"resource","resource":{"uri":"file:///a","text":"a","_meta":"x"}}`:                           `{"resource":{"text":"a","uri":"file:///a"},"type":"resource"}`,
	} {
		p := connect(t, Config{})
		id := p.open(everything)
		said := p.request("session/prompt", fmt.Sprintf(`{"sessionId":%q,"prompt":[%s]}`, id, block))
		if !strings.HasSuffix(kinds(said), "result end_turn") {
			t.Errorf("%s: %s", block, kinds(said))
		}
		for _, m := range p.request("session/load", reopenParams(id)) {
			var u struct {
				Params struct {
					Update struct {
						SessionUpdate string
						Content       any
					}
				}
			}
			if err := json.Unmarshal([]byte(m), &u); err != nil || u.Params.Update.SessionUpdate != "user_message_chunk" {
				continue
			}
			if got, _ := json.Marshal(u.Params.Update.Content); string(got) != want {
				t.Errorf("%s is repeated as %s", block, got)
			}
		}
		p.close()
	}
}
