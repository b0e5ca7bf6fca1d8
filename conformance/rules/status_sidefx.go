package rules

import (
	"time"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// statusSideEffects is the first sentence of https://agentclientprotocol.com/rfds/session-status#contract: asking changes nothing.
func statusSideEffects() []rule.Rule {
	return []rule.Rule{
		statusNoLoad, statusNoResume, statusNoCreate, statusNoClose, statusNoChangeMetadata, statusNoChangeConfig, statusNoChangeHistory,
		statusNoAttach, statusNoUpdateEmitted, statusNoAgentRequest, statusNoMCPStart, statusTurnUndisturbed, statusPermissionUndisturbed,
		statusOtherSessions, statusWholeConversation, statusResidency, statusAuth,
	}
}

// storedNeeds are those of a rule about inactive sessions.
func storedNeeds(more ...string) rule.Needs {
	n := statusNeeds(more...)
	n.Turn = true
	return n
}

func stableOracle(c *rule.Case) oracle { return ofRun(c, "O3 stability", stable) }
func gateOracle(c *rule.Case) oracle   { return ofRun(c, "O4 prompt gate", gate) }
func serverOracle(c *rule.Case) oracle { return ofRun(c, "O7 MCP canary", servers) }

var statusNoLoad = rule.Rule{
	ID:    "status.sidefx.no-load",
	Title: "asking for the status of an inactive session does not bring it into memory",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:      statusPage("contract"),
	Advice:   "Look the session up in the table of those in memory, and after that only whether it exists in the store; do not open it.",
	Mild:     "what the agent holds the files open for cannot be seen from outside",
	Prompts:  shelfPrompts + 8, // of the two comparisons that others look at as well
	Needs:    storedNeeds(),
	Optional: true, // an agent need not keep sessions that are not in memory
	Act: func(c *rule.Case) {
		judgeAll(c, stableOracle(c), both4and7(gateOracle(c), serverOracle(c)), openFiles(c))
	},
}

// both4and7 is what O4 and O7 show together: a session that takes prompts and whose servers run was loaded, whatever is said of it.
// One of them alone is the business of a rule of its own.
func both4and7(gate, servers oracle) oracle {
	o := oracle{name: gate.name + " with " + servers.name, control: gate.control + "; " + servers.control}
	switch {
	case gate.unusable != "":
		o.unusable = gate.unusable
	case servers.unusable != "":
		o.unusable = servers.unusable
	}
	o.shown = gate.shown && !gate.softly && servers.shown
	o.finding = rule.Finding{Why: "an inactive session was loaded because its status was asked for: it took a prompt, and its MCP servers ran",
		Expected: gate.finding.Expected, Found: gate.finding.Found, Cite: append(gate.finding.Cite, servers.finding.Cite...)}
	return o
}

var statusNoResume = rule.Rule{
	ID:    "status.sidefx.no-resume",
	Title: "asking for the status of an inactive session does not let this connection prompt it",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:      statusPage("contract"),
	Advice:   "Do not attach the connection that asks: only session/new, session/load and session/resume do.",
	Mild:     "the prompt was refused as it was before, if by another error",
	Prompts:  shelfPrompts + 6,
	Needs:    storedNeeds(),
	Optional: true, // an agent need not keep sessions that are not in memory
	Act:      func(c *rule.Case) { judgeAll(c, gateOracle(c)) },
}

var statusNoMCPStart = rule.Rule{
	ID:    "status.sidefx.no-mcp-start",
	Title: "asking for the status of an inactive session does not start its MCP servers",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("contract"),
	Advice:  "Start the MCP servers of a session when it is created, loaded or resumed, and at no other time.",
	Prompts: shelfPrompts + 2,
	Needs:   storedNeeds(),
	// An agent need not remember servers that a resume does not name, and in version 2 it should not.
	Optional: true,
	Act: func(c *rule.Case) {
		if c.Env.Version() == 2 && !c.Advertises("mcpCapabilities.stdio") {
			c.Skip("the agent starts no MCP servers by stdio")
		}
		judgeAll(c, serverOracle(c))
	},
}

var statusNoCreate = rule.Rule{
	ID:    "status.sidefx.no-create",
	Title: "asking for the status of a session that does not exist does not create it",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:    statusPage("contract"),
	Advice: "Look the id up without making an entry for it, neither in memory nor in the store.",
	Needs:  statusNeeds(),
	Act:    noCreate,
}

var statusNoChangeMetadata = rule.Rule{
	ID:    "status.sidefx.no-change-metadata",
	Title: "asking for the status of a session does not change what session/list says of it",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:      statusPage("contract"),
	Advice:   "A question is no activity: leave the title, updatedAt and the place of the session in the list as they are.",
	Mild:     "an agent may list its sessions in any order",
	Prompts:  shelfPrompts + 2,
	Needs:    storedNeeds("sessionCapabilities.list"),
	Optional: true, // an agent need not keep sessions that are not in memory
	Act:      func(c *rule.Case) { judgeAll(c, listOracle(c).changed) },
}

var statusNoChangeConfig = rule.Rule{
	ID:    "status.sidefx.no-change-config",
	Title: "asking for the status of a session does not change its options or its mode",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:      statusPage("contract"),
	Advice:   "Keep the configuration of a session with the session: what a resume reports must not depend on whether somebody asked before.",
	Prompts:  shelfPrompts,
	Needs:    storedNeeds(),
	Optional: true, // not every agent has options or modes
	Act: func(c *rule.Case) {
		c.Require(c.Env.Facts.Init.CanReattach(), "there is no way to start a session again")
		judgeAll(c, compare("O13 configuration", func(pace time.Duration) oracle { return configuration(c, pace) }))
	},
}

var statusNoChangeHistory = rule.Rule{
	ID:    "status.sidefx.no-change-history",
	Title: "asking for the status of a session does not change the history that it shows",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:      statusPage("contract"),
	Advice:   "A question is not part of the conversation: append nothing to the history of the session, and cut nothing off.",
	Prompts:  shelfPrompts,
	Needs:    storedNeeds(),
	Optional: true, // an agent need not keep sessions that are not in memory
	Act: func(c *rule.Case) {
		storeHash(c)
		judgeAll(c, compare("O10 history", func(pace time.Duration) oracle { return history(c, pace) }))
	},
}

var statusNoAttach = rule.Rule{
	ID:    "status.sidefx.no-attach",
	Title: "asking for the status of an inactive session does not subscribe this connection to it",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:      statusPage("contract"),
	Advice:   "Send updates of a session only to connections that created, loaded or resumed it; replay its history only on session/load.",
	Prompts:  shelfPrompts + 1,
	Needs:    storedNeeds(),
	Optional: true, // an agent need not keep sessions that are not in memory
	Act:      func(c *rule.Case) { judgeAll(c, quietInactive(c).updates) },
}

var statusNoUpdateEmitted = rule.Rule{
	ID:    "status.sidefx.no-update-emitted",
	Title: "asking for the status of a session makes the agent send no update",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("contract"),
	Advice:  "Answer, and send nothing else: a client takes an update for something that happened.",
	Prompts: 1,
	Needs:   statusNeeds(),
	Act:     func(c *rule.Case) { judgeAll(c, quietActive(c).updates) },
}

var statusNoAgentRequest = rule.Rule{
	ID:    "status.sidefx.no-agent-request",
	Title: "asking for the status of a session makes the agent ask the client for nothing",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("contract"),
	Advice:  "Answer from what the agent knows by itself: whoever asks need not be able to serve files, permissions or questions.",
	Prompts: shelfPrompts + 3,
	Needs:   statusNeeds(),
	Act: func(c *rule.Case) {
		if c.Env.Facts.Turn {
			judgeAll(c, quietActive(c).requests, quietUnknown(c).requests, quietInactive(c).requests)
			return
		}
		judgeAll(c, quietActive(c).requests, quietUnknown(c).requests)
	},
}

var statusAuth = rule.Rule{
	ID:    "status.sidefx.auth",
	Title: "asking for a status before a login starts no login",
	Level: rule.Should, Basis: rule.Derived, Stability: rule.Unstable, Versions: both,
	Ref:    rule.Ref{Page: "rfds/session-status"},
	Advice: "Answer with the status, with -32002, or with -32000 where a login is needed first; leave it to the client when to log in.",
	Needs:  rule.Needs{Agent: []string{statusCapabilityPath}},
	Act: func(c *rule.Case) {
		if !c.Env.Facts.Auth {
			c.Skip("the agent asks for no login")
		}
		cl := c.Connect()
		m := cl.Mark()
		st := cl.Status(c.UnknownID())
		c.Require(st.State == client.Met, "session/status: %s", st)
		cl.Fenced()
		_, asked, _ := heard(cl, m, st.ID)
		c.Expect(len(asked), append(st.Frames(), asked...)...).To(Equal(0), "asking for the status of a session made the agent ask the client for something, before any login")
	},
}
