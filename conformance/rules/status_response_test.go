package rules

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// A session that the configuration names is looked at although the suite can make inactive ones of its own, and the report says so.
func TestTheSessionOfTheConfigurationIsUsed(t *testing.T) {
	store := t.TempDir()
	const id = "0f3c"
	file := filepath.Join(store, id+".session.json")
	if err := os.WriteFile(file, []byte(`{"sessionId":"`+id+`","cwd":"/home/me/project","number":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	named := func(id string) rule.Profile { return rule.Profile{Session: id, SessionDir: "/home/me/project"} }
	for _, c := range []struct {
		what    string
		profile rule.Profile
		change  func(*fakeagent.Behaviour)
		verdict result.Verdict
		says    string // of the evidence
	}{
		{"it is known", named(id), nil, result.Pass, "(inactiveSession) is asked about here alone | inactive"},
		{"it is not known", named("0f3d"), nil, result.Pass, "(inactiveSession) is asked about here alone | error -32002"},
		{"none is named", rule.Profile{}, nil, result.Pass, ""},
		{"it is not known to session/status alone", named(id), func(b *fakeagent.Behaviour) {
			status := b.Status
			b.Status = func(c *fakeagent.Conn, r *fakeagent.Request) (any, *fakeagent.Error) {
				if r.Params["sessionId"] == id {
					r.Params["sessionId"] = "0f3d"
				}
				return status(c, r)
			}
		}, result.Fail, "the session that the configuration names is not known to session/status, and could be started again"},
	} {
		t.Run(c.what, func(t *testing.T) {
			o := tried{profile: c.profile, change: c.change, shared: store}.judged(t, statusStored)
			words, value, _ := strings.Cut(c.says, " | ")
			says := func(e result.Observation) bool {
				return strings.Contains(e.Explanation, words) && strings.HasPrefix(e.Actual, value)
			}
			if o.Verdict != c.verdict || words != "" && !slices.ContainsFunc(o.Evidence, says) {
				t.Errorf("%s %s %+v", o.Verdict, o.Reason, o.Evidence)
			}
			if mentioned := strings.Contains(strings.ToLower(strings.Join(explanations(o), " ")), "configuration"); mentioned != (words != "") {
				t.Errorf("the configuration is mentioned: %v", explanations(o))
			}
		})
	}
}

func explanations(o result.Outcome) []string {
	var all []string
	for _, e := range o.Evidence {
		all = append(all, e.Explanation)
	}
	return all
}
