package rule

import (
	"encoding/json"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// Reading is one frame as far as it can be understood. It is made once and shared by all watchers, who must not change it.
type Reading struct {
	wire.Frame
	wire.Envelope
	Conversation *Conversation // the state before this frame

	// Method is the method of a request or notification, and of a response the method of the request that it answers.
	Method string
	// Asked is, for a response, the request that it answers (Seq 0 where it answers none) and Nth how many responses that
	// request has had with this one.
	Asked wire.Frame
	Nth   int
	// Part is what the schema speaks of: the params, or the result.
	Part json.RawMessage
	// Definition is the definition of the part; Known tells whether there is one.
	Definition schemas.Definition
	Known      bool
	// Session is the sessionId that the part (or, of a response, the params of its request) names.
	Session string
	// Update is the discriminator of a session/update and Body the update itself.
	Update string
	Body   json.RawMessage
	// Version is the protocol version negotiated on this connection, 0 before that.
	Version int
	// Remark is set for a remark of the suite.
	Remark *client.Remark

	findings []schemas.Finding // of the part
	faulty   []schemas.Finding // of the error
	failed   bool              // the frame is an error, which was compared with its definition
	unknown  []schemas.Unknown
	looked   bool
	texts    []schemas.Finding
	read     bool
}

// Mine tells whether the agent wrote the frame.
func (r *Reading) Mine() bool { return r.From == wire.Agent }

// Schema is what is wrong with the part, by the strict reading of its definition.
func (r *Reading) Schema() []schemas.Finding { return r.findings }

// ErrorSchema is what is wrong with the error of a response.
func (r *Reading) ErrorSchema() []schemas.Finding { return r.faulty }

// UnknownMembers are the members of the part that no definition names, or only one of the unstable edition.
func (r *Reading) UnknownMembers() []schemas.Unknown {
	if !r.looked {
		r.looked = true
		if r.Known && r.Part != nil {
			r.unknown = schemas.UnknownMembers(r.Definition, r.Part)
		}
	}
	return r.unknown
}

// Texts is what is wrong with the strings of the part beyond their type: paths, dates, names of open lists. None of it makes
// the part invalid. Published schemas hardly say what a string means, so where frames are compared with those our own
// definitions are asked, but for names: those are told by the schema in use, which may have more of them.
func (r *Reading) Texts() []schemas.Finding {
	if r.read || !r.Known || r.Part == nil {
		return r.texts
	}
	r.read = true
	d := r.Definition
	ours := schemas.Ours().Edition(d.Edition.Protocol(), d.Edition.Stable())
	r.texts = schemas.Texts(d, r.Part)
	if ours != nil && ours != d.Edition {
		isName := func(f schemas.Finding) bool { return f.Problem == schemas.Name }
		r.texts = slices.DeleteFunc(r.texts, func(f schemas.Finding) bool { return !isName(f) })
		d.Edition = ours
		r.texts = append(r.texts, slices.DeleteFunc(schemas.Texts(d, r.Part), isName)...)
	}
	return r.texts
}

// Cite is the frame, with the request that it answers where it answers one.
func (r *Reading) Cite() []wire.Frame { return []wire.Frame{r.Asked, r.Frame} }

// IsRequest tells whether the agent asks something of us.
func (r *Reading) IsRequest() bool { return r.Mine() && r.Kind == wire.Request }

// IsUpdate tells whether the agent sent a session/update.
func (r *Reading) IsUpdate() bool {
	return r.Mine() && r.Method == "session/update" && r.Kind != wire.Response
}

// IsResult tells whether the agent answered a request of this method with a result.
func (r *Reading) IsResult(method string) bool {
	return r.Mine() && r.Kind == wire.Response && r.Result != nil && r.Asked.Seq > 0 && r.Method == method
}
