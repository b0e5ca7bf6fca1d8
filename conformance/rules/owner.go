package rules

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// What the schemas say is reported once: by the most specific rule that owns the place, and by a generic schema.* rule only
// where no other does. This table is the only place that decides it.

// owned are the findings of a frame of the agent that belong to the rule, at most five of them. An update of the unstable
// edition that the client did not ask for is told once, by the rule about kinds of updates.
func owned(r *rule.Reading, id string) []schemas.Finding {
	if !r.Mine() || !r.Known || len(r.Schema()) == 0 || aheadOfUs(r) {
		return nil
	}
	own := slices.DeleteFunc(slices.Clone(r.Schema()), func(f schemas.Finding) bool { return reporter(r, f) != id || needless(r, f) })
	return own[:min(len(own), 5)]
}

// needless tells whether a finding says that a number was not looked into, and another that it has no place there anyway.
func needless(r *rule.Reading, f schemas.Finding) bool {
	return f.Problem == schemas.Limits && slices.ContainsFunc(r.Schema(), func(other schemas.Finding) bool {
		return other.Problem != schemas.Limits && other.Path == f.Path
	})
}

// aheadOfUs tells whether the update belongs to the unstable edition and needs a capability that this client does not have.
func aheadOfUs(r *rule.Reading) bool {
	return r.IsUpdate() && r.Conversation.Edition.UnstableUpdate(r.Update) && !askedFor(r.Conversation.Client, r.Update)
}

// reporter is the owner of a finding, or, where that is not among the rules of this run, the generic rule in its place: a
// narrower selection must not turn a finding into a pass.
func reporter(r *rule.Reading, f schemas.Finding) string {
	kind := map[wire.Kind]string{wire.Request: "schema.agent-request-valid", wire.Notification: "schema.agent-notification-valid",
		wire.Response: "schema.agent-result-valid"}[r.Kind]
	own := owner(r, f)
	for _, id := range []string{own, tiered(kind, f), kind} {
		if own == "" || r.Conversation.Watching[id] {
			return id
		}
	}
	return own
}

func owner(r *rule.Reading, f schemas.Finding) string {
	switch {
	case f.Problem == schemas.Internal:
		return "" // a fault of ours; see schemaInternal
	case f.Problem == schemas.Duplicate || f.Problem == schemas.Encoding || f.Problem == schemas.Limits:
		return "schema.strict-optional" // the value can be read, in one way or another
	case strings.HasSuffix(f.Path, "/_meta") && !strings.HasSuffix(f.Path, "/properties/_meta"):
		return "meta.object-or-null"
	case f.Problem == schemas.Missing && snakeTwin(r, f.Path):
		return "jsonrpc.camel-case-keys"
	case f.Path == "" && r.Kind != wire.Response && r.Part != nil && !bytes.HasPrefix(bytes.TrimSpace(r.Part), []byte("{")):
		return "jsonrpc.params-object"
	case f.Problem == schemas.Range || f.Problem == schemas.Token:
		return "schema.integer-ranges"
	case ofAnnotations(f):
		return "content.annotations-shape"
	case f.Def == "ToolKind":
		return "tool-call.kind-enum"
	case f.Def == "ToolCallStatus":
		return "tool-call.status-enum"
	}
	switch r.Kind {
	case wire.Response:
		return resultOwner(r.Method, r.Conversation.Edition.Protocol(), f)
	case wire.Request:
		return tiered("schema.agent-request-valid", f)
	}
	return notificationOwner(r, f)
}

// ofAnnotations tells whether a finding is about the annotations of a content block. A form may have a property of that name.
func ofAnnotations(f schemas.Finding) bool {
	switch f.Def {
	case "Annotations":
		return true
	case "Role":
		return strings.Contains(f.Path, "/annotations/")
	case "TextContent", "ImageContent", "AudioContent", "ResourceLink", "EmbeddedResource":
		return strings.HasSuffix(f.Path, "/annotations")
	}
	return false
}

// tiered gives what tolerant readers repair to the rule about optional members.
func tiered(id string, f schemas.Finding) string {
	if f.Tolerated != "" {
		return "schema.strict-optional"
	}
	return id
}

func resultOwner(method string, version int, f schemas.Finding) string {
	setup := slices.Contains([]string{"session/new", "session/load", "session/resume"}, method)
	switch {
	case method == "initialize" && strings.ReplaceAll(strings.TrimPrefix(f.Path, "/"), "/", ".") == markerPlace(version):
		return "status.capability.marker-shape"
	case method == "initialize":
		return tiered("init.response-required-fields", f)
	case method == "session/status" && under(f.Path, "/state"):
		return "status.state.v2-shape"
	case method == "session/status" && (f.Path == "/status" || f.Path == ""):
		return "status.response.status-required"
	case method == "session/prompt" && (f.Path == "/stopReason" || f.Path == ""):
		return "prompt.response-stop-reason"
	case setup && under(f.Path, "/modes"):
		return "session-new.modes-shape"
	case setup && under(f.Path, "/configOptions"):
		return "session-new.config-options-shape"
	}
	return tiered("schema.agent-result-valid", f)
}

func notificationOwner(r *rule.Reading, f schemas.Finding) string {
	if r.Method != "session/update" || !under(f.Path, "/update") {
		return tiered("schema.agent-notification-valid", f)
	}
	chunk := isChunk(r.Update)
	switch {
	case f.Path == "/update/sessionUpdate" && f.Problem != schemas.Missing:
		return "update.known-variant"
	case chunk && (f.Path == "/update/content" || f.Path == "/update/content/type"):
		return "message.chunk-content-valid"
	case f.Tolerated != "":
		return "schema.strict-optional"
	case chunk && under(f.Path, "/update/content"), r.Update == "compaction_summary_chunk" && strings.HasPrefix(f.Path, "/update/content/"):
		return "content.block-valid"
	}
	return "update.required-fields"
}

func under(path, top string) bool { return path == top || strings.HasPrefix(path, top+"/") }

// snakeTwin tells whether the missing member is there under its snake_case name.
func snakeTwin(r *rule.Reading, path string) bool {
	i := strings.LastIndexByte(path, '/')
	return i >= 0 && slices.ContainsFunc(r.UnknownMembers(), func(u schemas.Unknown) bool {
		return u.Snake && u.Nearest == path[i+1:] && strings.TrimSuffix(u.Path, "/"+u.Key) == path[:i]
	})
}

// finding turns what a schema says into an observation.
func finding(r *rule.Reading, f schemas.Finding) rule.Finding {
	at := f.Path
	if at == "" {
		at = "the whole"
	}
	why := what(r) + ": " + at + " is not " + f.Expected
	switch {
	case f.Problem == schemas.Missing && f.Expected == "member "+strconv.Quote(lastOf(f.Path)):
		why = what(r) + ": " + at + " is missing"
	case f.Problem == schemas.Missing:
		why = what(r) + ": " + at + " lacks " + f.Expected
	}
	switch {
	case f.Problem == schemas.Limits:
		why += "; " + f.Tolerated
	case f.Tolerated != "":
		why += "; tolerant readers repair it: " + f.Tolerated
	}
	return rule.Finding{Why: why, Expected: f.Expected, Found: f.Actual, Cite: r.Cite()}
}

func lastOf(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// what names a message of the agent, for a person.
func what(r *rule.Reading) string {
	switch {
	case r.Kind == wire.Response:
		return "the result of " + r.Method
	case r.Update != "":
		return "the update " + head([]byte(r.Update))
	case r.Kind == wire.Request:
		return "the request " + head([]byte(r.Method))
	}
	return "the notification " + head([]byte(r.Method))
}

// shapeRule makes the Watch function of a rule that only reports the findings that it owns. Each frame for which counts is
// true is an occasion.
func shapeRule(id string, counts func(*rule.Reading) bool) func() rule.Watcher {
	return rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.Mine() || r.Broken != wire.Whole || !r.Known || !counts(r) {
			return
		}
		l.Occasion()
		report(l, r, id)
	})
}

// mild tells whether a finding only warns. What tolerant readers repair does, whichever generic rule says it; so does a format
// of a form's string that the protocol does not know, for the pages call formats annotations.
func mild(id string, f schemas.Finding) bool {
	generic := strings.HasPrefix(id, "schema.agent-")
	return generic && (f.Tolerated != "" || f.Def == "StringFormat" && f.Problem == schemas.Value)
}

// report reports the findings that a rule owns. What tolerant readers repair only warns, whichever rule says it.
func report(l *rule.Log, r *rule.Reading, id string) {
	for _, f := range owned(r, id) {
		if mild(id, f) {
			l.Soft(finding(r, f))
		} else {
			l.Broken(finding(r, f))
		}
	}
}

func isChunk(update string) bool {
	return update == "agent_message_chunk" || update == "user_message_chunk" || update == "agent_thought_chunk"
}

// text reads a JSON string; false where it is none.
func text(raw json.RawMessage) (string, bool) {
	var s string
	ok := len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil
	return s, ok
}
