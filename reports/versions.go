package reports

import (
	"fmt"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// versions says which version of the protocol was spoken, or that none was agreed on; a client asks for one by itself.
func versions(r result.Run) string {
	switch p := r.Protocol; {
	case len(p.Spoken) > 1:
		return "protocol versions " + listed(p.Spoken)
	case p.Negotiated == 0 && r.Who() == "client":
		return "no version of the protocol was agreed on"
	case p.Negotiated == 0 && r.Interrupt:
		return fmt.Sprintf("protocol version %d was asked for", p.Requested)
	case p.Negotiated == 0:
		return fmt.Sprintf("protocol version %d was asked for, none was agreed", p.Requested)
	case !r.Survey.Handshake: // it named one that is not spoken here
		return fmt.Sprintf("protocol version %d was asked for, %d offered, none agreed", p.Requested, p.Negotiated)
	case p.Negotiated != p.Requested:
		return fmt.Sprintf("protocol version %d was asked for and %d agreed", p.Requested, p.Negotiated)
	}
	return fmt.Sprintf("protocol version %d", r.Protocol.Negotiated)
}

// agreed is the version that was agreed on, in words, or "".
func agreed(r result.Run) string {
	switch p := r.Protocol; {
	case len(p.Spoken) > 1:
		return "versions " + listed(p.Spoken)
	case p.Negotiated != 0 && r.Survey.Handshake:
		return fmt.Sprintf("version %d", p.Negotiated)
	}
	return ""
}
