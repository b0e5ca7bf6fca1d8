package client

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Version is the protocol version that is spoken where none is asked for.
const Version = 1

// Latest is the newest protocol version that this client speaks.
const Latest = 2

// Everything are the client capabilities of an editor of the version that serves all that this package can serve.
// See https://agentclientprotocol.com/protocol/v1/initialization#client-capabilities.
func Everything(version int) map[string]any {
	forms := map[string]any{"form": map[string]any{}, "url": map[string]any{}}
	if version >= 2 { // files and terminals are the agent's own there, and what else is sent needs no consent
		return map[string]any{"elicitation": forms}
	}
	return map[string]any{
		"fs":          map[string]any{"readTextFile": true, "writeTextFile": true},
		"terminal":    true,
		"elicitation": forms,
		"session": map[string]any{
			"configOptions": map[string]any{"boolean": map[string]any{}},
			"notices":       map[string]any{},
			"compaction":    map[string]any{},
		},
	}
}

// InitializeParams are the params of a well-formed initialize for these capabilities; nil leaves the member out.
func InitializeParams(version int, capabilities map[string]any) map[string]any {
	info, offers := "clientInfo", "clientCapabilities"
	if version == 2 {
		info, offers = "info", "capabilities"
	}
	p := map[string]any{
		"protocolVersion": version,
		info:              map[string]any{"name": "acp-conform", "title": "acp-conform", "version": "1"},
	}
	if capabilities != nil {
		p[offers] = capabilities
	}
	return p
}

// Initialized is what an agent said in its answer to initialize.
type Initialized struct {
	Answer       Answer
	Version      int // 0 where no version could be read
	Capabilities json.RawMessage
	Info         json.RawMessage
}

// Initialize shakes hands. The version is read before the shape: an answer for another version is none of ours to judge.
func (c *Client) Initialize(version int, capabilities map[string]any) Initialized {
	call := c.Start("initialize", InitializeParams(version, capabilities))
	a := call.WaitFor(c.Timeouts.Start)
	if a.State != Met {
		call.GiveUp(a.Why)
	}
	c.Init = ReadInitialize(a)
	return c.Init
}

// ReadInitialize reads the answer to an initialize.
func ReadInitialize(a Answer) Initialized {
	in := Initialized{Answer: a, Version: WholeNumber(wire.Member(a.Result, "protocolVersion"))}
	in.Capabilities, in.Info = wire.Member(a.Result, "agentCapabilities"), wire.Member(a.Result, "agentInfo")
	if in.Version == 2 {
		in.Capabilities, in.Info = wire.Member(a.Result, "capabilities"), wire.Member(a.Result, "info")
	}
	return in
}

// WholeNumber reads a number that is whole, however it is written: 1.0 is a matter of form and not another version. It is 0
// where there is none.
func WholeNumber(raw json.RawMessage) int {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<31 {
		return 0
	}
	return int(f)
}

// Capability gives the advertised capability at a dotted path of version 1 such as "sessionCapabilities.list", and whether it is
// advertised: present, not null and not false. What has moved in version 2 is looked up there, and what every agent of that
// version serves is advertised by its having sessions at all. A marker that has to be an object and is none means that the
// capability is unsupported: https://agentclientprotocol.com/rfds/session-status#capability.
func (in Initialized) Capability(path string) (json.RawMessage, bool) {
	markers := strings.HasPrefix(path, "sessionCapabilities.")
	if in.Version == 2 {
		markers, path = true, moved(path)
	}
	at := in.Capabilities
	for _, name := range strings.Split(path, ".") {
		at = wire.Member(at, name)
	}
	if markers {
		return at, strings.HasPrefix(string(at), "{")
	}
	return at, at != nil && string(at) != "null" && string(at) != "false"
}

// moved is where version 2 has a capability of version 1.
func moved(path string) string {
	group, name, _ := strings.Cut(path, ".")
	switch {
	case path == "sessionCapabilities.list", path == "sessionCapabilities.resume", path == "sessionCapabilities.close":
		return "session" // every agent that has sessions serves them
	case group == "sessionCapabilities":
		return "session." + name
	case group == "promptCapabilities":
		return "session.prompt." + name
	case group == "mcpCapabilities":
		return "session.mcp." + name
	case path == "loadSession":
		return "session.load" // there is none: session/resume replays
	}
	return path
}
