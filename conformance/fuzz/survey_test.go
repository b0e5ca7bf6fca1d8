package fuzz

import (
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// mutes is an agent that answers nothing but initialize on the connections up to one.
func mutes(last int64) wire.Launcher {
	return speaker(func(e wire.Envelope, connection int64) []string {
		if connection > last || e.Name == "initialize" {
			return nil
		}
		return []string{}
	})
}

func TestAnAgentThatAnswersNothing(t *testing.T) {
	cfg := Config{Prompts: -1, Request: time.Minute, Scripts: 20, Now: time.Now, Keep: t.TempDir()}
	cfg.Launch = mutes(1 << 30)
	res := fuzz(t, cfg)
	if got := foundIn(res); got != "hang, failure " || res.ExitCode != result.ExitFailed || res.Scripts > 0 || res.Findings[0].File == "" {
		t.Fatalf("exit code %d: found %q\n%s", res.ExitCode, got, res.show())
	}
	if shown := res.show(); strings.Contains(shown, "later requests") || !strings.Contains(shown, `client {"jsonrpc":"2.0","id":2,"method":"session/new"`) {
		t.Error(shown)
	}
	again(t, cfg, res.Findings[0])
	cfg.Launch = mutes(1) // perhaps the machine was busy
	if res := fuzz(t, cfg); len(res.Findings) > 0 || len(res.Unconfirmed) != 1 || res.Verdict != Passed || res.Scripts != cfg.Scripts {
		t.Errorf("%s after %d scripts\n%s", res.Verdict, res.Scripts, res.show())
	}
}

// It is said that later requests are answered where one was, and nowhere else.
func TestWhetherLaterRequestsAreAnswered(t *testing.T) {
	for _, c := range []struct {
		unanswered string
		want       bool
	}{{"20", true}, {"21", false}} {
		launch := speaker(func(e wire.Envelope, _ int64) []string {
			if strings.HasPrefix(e.Name, "_acp_conform/") || string(e.ID) == c.unanswered {
				return []string{}
			}
			return nil
		})
		res := replayed(t, Config{Launch: launch}, nil, promptStep(20, Answer), promptStep(21, Answer))
		if len(res.Findings) != 1 || res.Findings[0].Kind != Missing || strings.Contains(res.Findings[0].Why, "later requests") != c.want {
			t.Errorf("%s is not answered: %s", c.unanswered, res.show())
		}
	}
}
