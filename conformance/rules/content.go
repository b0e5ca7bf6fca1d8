package rules

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// content is https://agentclientprotocol.com/protocol/v1/content.
func content() []rule.Rule {
	return []rule.Rule{contentBlockValid, contentBase64Data, contentMimeShape, contentURIValid, contentResourceTextXorBlob, contentAnnotationsShape}
}

// block is one content block in a message of the agent.
type block struct {
	at   string // for a person
	kind string
	raw  json.RawMessage
}

// blocks are the content blocks of a message: of a chunk, and of the content of a tool call, also in a permission request.
func blocks(r *rule.Reading) []block {
	if !r.Mine() || r.Broken != wire.Whole {
		return nil
	}
	switch {
	case r.IsUpdate() && (isChunk(r.Update) || r.Update == "compaction_summary_chunk"):
		return appendBlock(nil, "content", wire.Member(r.Body, "content"))
	case r.IsUpdate() && strings.HasPrefix(r.Update, "tool_call"):
		return toolBlocks(r.Body)
	case r.IsRequest() && r.Method == "session/request_permission":
		return toolBlocks(wire.Member(r.Params, "toolCall"))
	}
	return nil
}

func toolBlocks(call json.RawMessage) []block {
	var items []json.RawMessage
	_ = json.Unmarshal(wire.Member(call, "content"), &items)
	var out []block
	for i, item := range items {
		if t, _ := text(wire.Member(item, "type")); t == "content" {
			out = appendBlock(out, fmt.Sprintf("content[%d]", i), wire.Member(item, "content"))
		}
	}
	return out
}

func appendBlock(to []block, at string, raw json.RawMessage) []block {
	kind, ok := text(wire.Member(raw, "type"))
	if !ok {
		return to // the schema's business
	}
	return append(to, block{at, kind, raw})
}

// inner is the object that holds a block's data: of an embedded resource the resource, else the block itself.
func (b block) inner() json.RawMessage {
	if b.kind == "resource" {
		return wire.Member(b.raw, "resource")
	}
	return b.raw
}

// member reads a string member of the block's data; false where it is absent or no string.
func (b block) member(name string) (string, bool) { return text(wire.Member(b.inner(), name)) }

// watchBlocks makes the Watch function of a rule that judges content blocks one by one. The judge gives the number of
// occasions that the block offers and what is wrong.
func watchBlocks(judge func(l *rule.Log, r *rule.Reading, b block)) func() rule.Watcher {
	return rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		for _, b := range blocks(r) {
			judge(l, r, b)
		}
	})
}

var contentBlockValid = rule.Rule{
	ID:    "content.block-valid",
	Title: "every content block has the members of its type",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "content"},
	Advice:   "Give each block what its type requires: text has text; image and audio have data and mimeType; a link has uri and name; a resource has uri and text or blob.",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if n := len(blocks(r)); n > 0 {
			l.Occasion()
			for _, f := range owned(r, "content.block-valid") {
				l.Broken(finding(r, f))
			}
		}
	}),
}

var contentBase64Data = rule.Rule{
	ID:    "content.base64-data",
	Title: "binary data is Base64",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "content", Anchor: "image-content"},
	Advice:   "Encode data and blob in standard Base64 with padding, without line breaks and without a data: prefix.",
	Mild:     "readers can decode it all the same: only its padding is wrong",
	Occasion: rule.AgentsChoice,
	Watch: watchBlocks(func(l *rule.Log, r *rule.Reading, b block) {
		name := "data"
		if b.kind == "resource" {
			name = "blob"
		}
		data, ok := b.member(name)
		if !ok {
			return
		}
		l.Occasion()
		if _, err := base64.StdEncoding.Strict().DecodeString(data); err == nil {
			return
		}
		f := rule.Finding{Why: fmt.Sprintf("the %s of a block of type %s is not Base64", name, b.kind), Expected: "standard Base64 with padding", Found: head([]byte(data)), Cite: r.Cite()}
		if _, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(data, "=")); err == nil {
			f.Why = fmt.Sprintf("the %s of a block of type %s is Base64 with wrong padding", name, b.kind)
			l.Soft(f)
			return
		}
		l.Broken(f)
	}),
}

var mimeShape = regexp.MustCompile(`^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( *;.*)?$`)

var contentMimeShape = rule.Rule{
	ID:    "content.mime-shape",
	Title: "a mimeType is a media type that fits its block",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "content"},
	Advice:   "Write media types as type/subtype; of an image they begin with image/, of audio with audio/.",
	Occasion: rule.AgentsChoice,
	Watch: watchBlocks(func(l *rule.Log, r *rule.Reading, b block) {
		mime, ok := b.member("mimeType")
		if !ok {
			return
		}
		l.Occasion()
		switch {
		case !mimeShape.MatchString(mime):
			l.Broken(rule.Finding{Why: "a mimeType is not of the form type/subtype", Expected: "type/subtype", Found: mime, Cite: r.Cite()})
		case (b.kind == "image" || b.kind == "audio") && !strings.HasPrefix(strings.ToLower(mime), b.kind+"/"):
			l.Broken(rule.Finding{Why: "the mimeType of a block of type " + b.kind + " is of another type", Expected: b.kind + "/…", Found: mime, Cite: r.Cite()})
		}
	}),
}

var contentURIValid = rule.Rule{
	ID:    "content.uri-valid",
	Title: "a uri is a URI with a scheme",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "content", Anchor: "resource-link"},
	Advice:   "Write file paths as file:// URIs; a bare path has no scheme and clients cannot open it.",
	Occasion: rule.AgentsChoice,
	Watch: watchBlocks(func(l *rule.Log, r *rule.Reading, b block) {
		uri, ok := b.member("uri")
		if !ok {
			return
		}
		l.Occasion()
		if u, err := url.Parse(uri); err != nil || u.Scheme == "" || len(u.Scheme) == 1 {
			l.Broken(rule.Finding{Why: "the uri of a block of type " + b.kind + " is not a URI with a scheme", Expected: "such as file:///path", Found: uri, Cite: r.Cite()})
		}
	}),
}

var contentResourceTextXorBlob = rule.Rule{
	ID:    "content.resource-text-xor-blob",
	Title: "an embedded resource has a text or a blob, not both",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "content", Anchor: "embedded-resource"},
	Advice:   "Choose one: text for text, blob for binary data; with both a client cannot tell which is meant.",
	Occasion: rule.AgentsChoice,
	Watch: watchBlocks(func(l *rule.Log, r *rule.Reading, b block) {
		if b.kind != "resource" {
			return
		}
		l.Occasion()
		if wire.Member(b.inner(), "text") != nil && wire.Member(b.inner(), "blob") != nil {
			l.Broken(rule.Finding{Why: "an embedded resource has both text and blob", Expected: "one of them", Found: head(b.inner()), Cite: r.Cite()})
		}
	}),
}

var contentAnnotationsShape = rule.Rule{
	ID:    "content.annotations-shape",
	Title: "annotations are null or an object of audience, priority and lastModified",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "schema", Anchor: "Annotations"},
	Advice:   "audience is a list of user and assistant, priority a number, lastModified a string; readers drop annotations that are anything else.",
	Mild:     "readers take malformed annotations for absent, and the message survives",
	Occasion: rule.AgentsChoice,
	Soft:     true,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		for _, b := range blocks(r) {
			a := wire.Member(b.raw, "annotations")
			if a == nil {
				continue
			}
			l.Occasion()
			var p struct{ Priority *float64 }
			if json.Unmarshal(a, &p) == nil && p.Priority != nil && (*p.Priority < 0 || *p.Priority > 1) {
				l.Note(rule.Finding{Why: "the priority of an annotation is not between 0 and 1, as MCP has it", Found: *p.Priority, Cite: r.Cite()})
			}
		}
		for _, f := range owned(r, "content.annotations-shape") {
			l.Broken(finding(r, f))
		}
	}),
}
