package client

import (
	"errors"
	"strings"
	"testing"
)

func TestHeldPermissionIsCancelledWithTheTurn(t *testing.T) {
	var outcome string
	var prompt message
	on := func(m message) []string {
		switch m.Method {
		case "session/new":
			return []string{result(m, `{"sessionId":"s"}`)}
		case "session/prompt":
			prompt = m
			return []string{`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s","options":[]}}`}
		case "":
			outcome = string(m.Result)
			return []string{result(prompt, `{"stopReason":"cancelled"}`)}
		}
		return nil
	}
	c, _ := connect(t, script{on: on})
	c.HoldAll("session/request_permission")
	s, ok := c.NewSession()
	if !ok {
		t.Fatal(s.Answer)
	}
	turn := s.Prompt(Text("x"), true)
	if _, ok := c.AwaitAsk("session/request_permission", turn.Call); !ok {
		t.Fatal("no request came")
	}
	turn.Cancel()
	if got := turn.StopReason().Of; got != "cancelled" || outcome != `{"outcome":{"outcome":"cancelled"}}` {
		t.Errorf("stop reason %v, outcome %s", got, outcome)
	}
}

func TestEndlessTurnIsCancelledBeforeItIsCalledUnanswered(t *testing.T) {
	for name, obeys := range map[string]bool{"obeys": true, "ignores": false} {
		t.Run(name, func(t *testing.T) {
			var prompt message
			c, remarks := connect(t, script{on: func(m message) []string {
				switch m.Method {
				case "session/new":
					return []string{result(m, `{"sessionId":"s"}`)}
				case "session/prompt":
					prompt = m
				case "session/cancel":
					if obeys {
						return []string{result(prompt, `{"stopReason":"cancelled"}`)}
					}
				}
				return nil
			}})
			s, _ := c.NewSession()
			_, ran, why := s.Prompt(Text("x"), false).Ran()
			c.End()
			noted := strings.Contains(strings.Join(*remarks, " "), "unanswered")
			if ran || noted == obeys {
				t.Errorf("ran %v (%s), remarks %v", ran, why, *remarks)
			}
		})
	}
}

func TestStartedIsFalseWhenTheTurnEndedFirst(t *testing.T) {
	update := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}}}`
	for name, tt := range map[string]struct {
		lines   func(m message) []string
		started bool
		said    string
	}{
		"runs":         {func(message) []string { return []string{update} }, true, "hi"},
		"ends at once": {func(m message) []string { return []string{result(m, `{"stopReason":"end_turn"}`)} }, false, ""},
		"silence":      {func(message) []string { return nil }, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := connect(t, script{on: func(m message) []string {
				if m.Method == "session/new" {
					return []string{result(m, `{"sessionId":"s"}`)}
				}
				return tt.lines(m)
			}})
			s, _ := c.NewSession()
			turn := s.Prompt(Text("x"), false)
			if turn.Started() != tt.started || turn.Said().Of != tt.said {
				t.Errorf("started %v, said %q", !tt.started, turn.Said().Of)
			}
		})
	}
}

func TestPromptsCanBeRefused(t *testing.T) {
	c, _ := connect(t, script{on: func(m message) []string { return []string{result(m, `{"sessionId":"s"}`)} }}, func(o *Options) {
		o.StartTurn = func() (func(), error) { return nil, errors.New("no more prompts") }
	})
	s, _ := c.NewSession()
	turn := s.Prompt(Text("x"), false)
	if a := turn.End(); turn.Refused() == nil || a.State != Never {
		t.Errorf("%+v", a)
	}
}
