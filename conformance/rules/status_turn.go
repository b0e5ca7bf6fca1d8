package rules

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// asksInTurn is how often a running turn is asked about.
func asksInTurn(c *rule.Case) int { return c.Env.Times(20, 8) }

// asksWhilePending is how often it is asked about while it waits for a permission.
const asksWhilePending = 5

// tale is how a turn went: the kinds of its updates, its text, and how it ended.
type tale struct {
	kinds map[string]int
	said  any
	ended any
	cite  []wire.Frame
	early string // it was over before it should have been
	// lasted is how long the questions took.
	lasted time.Duration
}

// tell reads a turn that has ended. What comes behind its end may have come by now or not, and is another rule's.
func tell(t *client.Turn) tale {
	reason := t.StopReason()
	k := tale{kinds: map[string]int{}, ended: reason.Of, cite: reason.Cite}
	end, said := lastLine(reason.Cite), ""
	for _, u := range t.Updates() {
		if end > 0 && u.Seq > end {
			break
		}
		if u.Kind == "agent_message_chunk" {
			chunk, _ := text(wire.Member(wire.Member(u.Body, "content"), "text"))
			said += chunk
		}
		if !statusAnnounced(u.Kind) {
			k.kinds[u.Kind]++
		}
	}
	k.said = said
	return k
}

// lastLine is the number of the agent's last line among those that tell how a turn ended, 0 if there is none.
func lastLine(cite []wire.Frame) (last int) {
	for _, f := range cite {
		if f.From == wire.Agent {
			last = max(last, f.Seq)
		}
	}
	return last
}

// statusAnnounced tells whether a kind of update says something of the session that may be said at any time.
func statusAnnounced(kind string) bool {
	return slices.Contains([]string{"usage_update", "available_commands_update", "session_info_update", "current_mode_update", "config_option_update"}, kind)
}

// heldTurn runs a turn that goes on until it is cancelled, with questions or without.
func heldTurn(c *rule.Case, ask bool, pace time.Duration) tale {
	v := shelved{Client: c.Connect()}
	defer c.End(v.Client)
	s := c.NewSessionOn(v.Client)
	turn := c.Prompt(s, rule.LongTurn)
	c.Require(turn.Started(), "the turn ended before it could be asked about")
	began := time.Now()
	if ask {
		v.questions(c, s, asksInTurn(c))
	} else {
		v.othersFor(asksInTurn(c), pace)
	}
	lasted, early := time.Since(began), ""
	if turn.Held() && turn.Done() {
		early = "it ended before it was cancelled"
	}
	turn.Cancel()
	k := tell(turn)
	k.early, k.lasted = early, lasted
	return k
}

// workingTurn runs a turn that says and does things, and asks about it all at once.
func workingTurn(c *rule.Case, ask bool, _ time.Duration) tale {
	v := shelved{Client: c.Connect()}
	defer c.End(v.Client)
	s := c.NewSessionOn(v.Client)
	turn := c.Prompt(s, rule.Numbered, "40")
	var calls []*client.Call
	for range asksInTurn(c) {
		if ask {
			calls = append(calls, v.Start("session/status", client.StatusParams(s.ID)))
		}
	}
	for _, call := range calls {
		requireAnswered(c, call.Wait())
	}
	return tell(turn)
}

// undisturbed is oracle O9: a turn goes on and ends as it does when nobody asks. What a model says differs each time: then only the
// end is compared.
func undisturbed(c *rule.Case, run func(*rule.Case, bool, time.Duration) tale, certain bool, pace time.Duration) oracle {
	without, again := run(c, false, pace), run(c, false, pace)
	if !without.same(again, certain) {
		return oracle{unusable: "turns go and end differently by themselves"}
	}
	o := oracle{control: fmt.Sprintf("two turns without questions end with %v", without.ended)}
	with := run(c, true, pace)
	o.lasted = with.lasted
	if !with.same(without, certain) {
		o.shown = true
		o.finding = rule.Finding{Why: "a turn went or ended differently because its session was asked about", Expected: without.String(certain), Found: with.String(certain), Cite: with.cite}
	}
	return o
}

func (k tale) same(other tale, certain bool) bool {
	if fmt.Sprint(k.ended) != fmt.Sprint(other.ended) || k.early != other.early {
		return false
	}
	return !certain || maps.Equal(k.kinds, other.kinds) && fmt.Sprint(k.said) == fmt.Sprint(other.said)
}

// String tells the turn to a person.
func (k tale) String(certain bool) string {
	s := fmt.Sprintf("it ended with %v", k.ended)
	if k.early != "" {
		s = k.early
	}
	if certain {
		for _, kind := range slices.Sorted(maps.Keys(k.kinds)) {
			s += fmt.Sprintf(", %d × %s", k.kinds[kind], kind)
		}
		s += fmt.Sprintf(", said %q", k.said)
	}
	return s
}

// permitted runs a turn that waits for a permission, asks about its session meanwhile, and permits.
func permitted(c *rule.Case, ask bool, pace time.Duration) tale {
	v := shelved{Client: c.Connect()}
	defer c.End(v.Client)
	v.HoldAll(permissionMethod)
	s := c.NewSessionOn(v.Client)
	turn := c.Prompt(s, rule.Permission)
	held, ok := v.AwaitAsk(permissionMethod, turn)
	if !ok {
		turn.End()
		c.NotObserved("the turn asked for no permission")
	}
	m, began := v.Mark(), time.Now()
	if ask {
		v.questions(c, s, asksWhilePending)
	} else {
		v.othersFor(asksWhilePending, pace)
	}
	lasted, early := time.Since(began), ""
	if turn.Done() {
		early = "it ended while the permission was pending"
	}
	for _, l := range v.Since(m) {
		if l.Name == "$/cancel_request" && string(wire.Member(l.Params, "requestId")) == string(held.ID()) {
			early = "the permission was withdrawn"
		}
	}
	answer := client.RejectPermission
	if c.Env.Facts.Fake { // it does no harm
		answer = client.AllowPermission
	}
	if result, failure := answer(held); failure == nil {
		held.Reply(result)
	} else {
		held.Reply(client.CancelledPermission())
	}
	k := tell(turn)
	k.early, k.lasted = early, lasted
	return k
}

const permissionMethod = "session/request_permission"

var statusTurnUndisturbed = rule.Rule{
	ID:    "status.sidefx.turn-undisturbed",
	Title: "asking for the status of a session does not disturb the turn that runs in it",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("contract"),
	Advice:  "Answer beside the turn, from what is known of the session, without touching the turn.",
	Prompts: 6,
	Needs:   func() rule.Needs { n := storedNeeds(); n.Stimulus = rule.LongTurn; return n }(),
	Act: func(c *rule.Case) {
		held := compare("O9 mid-turn", func(pace time.Duration) oracle {
			return undisturbed(c, heldTurn, c.Task(rule.LongTurn).Certain, pace)
		})
		if t, ok := c.Env.Stimuli(rule.Numbered, "40"); !ok || !t.Certain {
			judgeAll(c, held)
			return
		}
		judgeAll(c, held, compare("O9 mid-turn, everything that is said", func(pace time.Duration) oracle { return undisturbed(c, workingTurn, true, pace) }))
	},
}

var statusPermissionUndisturbed = rule.Rule{
	ID:    "status.sidefx.pending-permission-undisturbed",
	Title: "asking for the status of a session does not answer or withdraw a permission request that is pending",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("contract"),
	Advice:  "Leave the requests to the user alone that the session waits for.",
	Prompts: 3,
	Needs:   func() rule.Needs { n := storedNeeds(); n.Stimulus = rule.Permission; return n }(),
	Act: func(c *rule.Case) {
		judgeAll(c, compare("O9 mid-turn, with a permission pending", func(pace time.Duration) oracle {
			return undisturbed(c, permitted, c.Task(rule.Permission).Certain, pace)
		}))
	},
}
