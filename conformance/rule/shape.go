package rule

import (
	"fmt"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// define finds the definition of the part and compares the part with it, whoever sent it. The version is read before the
// shape: what belongs to another version of the protocol is not judged by this one's shapes.
func (c *Conversation) define(r *Reading, sender schemas.Side, kind schemas.Kind) {
	if r.Version != 0 && r.Version != c.Edition.Protocol() {
		return
	}
	if r.Kind == wire.Response && r.Result == nil {
		c.defineError(r)
		return
	}
	if r.Kind == wire.Response && r.Asked.Seq == 0 {
		return
	}
	r.Definition, r.Known = c.Edition.Lookup(r.Method, sender, kind)
	if r.Known {
		r.findings = schemas.CheckAll(r.Definition, r.Part)
		c.blameUs(r, r.findings)
		c.blameValidator(r, r.findings)
	}
}

// defineError compares an error with its definition. It has one without belonging to a method.
func (c *Conversation) defineError(r *Reading) {
	if r.Error != nil {
		r.faulty, r.failed = c.Edition.CheckName("Error", r.Error), true
		c.blameUs(r, r.faulty)
		c.blameValidator(r, r.faulty)
	}
}

// blameUs notes a frame of ours that is not valid and was not bad on purpose.
func (c *Conversation) blameUs(r *Reading, bad []schemas.Finding) {
	if len(bad) > 0 && r.From == wire.Client && !r.Deliberate && c.Fault == "" {
		c.Fault = fmt.Sprintf("a frame of the suite is not valid by edition %s: %s: %s", c.Edition.Name(), r.Line, bad[0])
	}
}

// blameValidator notes a frame on which the validator itself failed: that is nobody's fault but ours.
func (c *Conversation) blameValidator(r *Reading, found []schemas.Finding) {
	for _, f := range found {
		if f.Problem == schemas.Internal && c.Fault == "" {
			c.Fault = fmt.Sprintf("the validator failed on a frame of the %s: %s: %s", r.From, strings.ToValidUTF8(string(r.Line), "?"), f.Expected)
		}
	}
}

// count says what became of a frame.
func (c *Conversation) count(r *Reading) {
	switch {
	case r.Deliberate:
		c.Frames.Deliberate++
	case r.Kind == wire.None || r.Broken == wire.RungUTF8:
		c.Frames.Unreadable++
	case !r.Known && !r.failed && strings.HasPrefix(r.Method, "_"):
		c.Frames.Extensions++
	case !r.Known && !r.failed:
		c.Frames.Undefined++
	default:
		c.Frames.Checked++
		if len(r.findings)+len(r.faulty) > 0 {
			c.Frames.Invalid++
		}
	}
}
