package rule

import "time"

// Profile is what a user says about an agent that cannot be found out from outside. The zero value says nothing.
type Profile struct {
	// ProbeUnadvertised allows requests for unstable features that the agent does not advertise.
	ProbeUnadvertised bool
	// EvictAfter is how long a session lies idle before the agent takes it out of memory; 0 = it never does, or nobody knows.
	EvictAfter time.Duration
	// Session is the id of a session that the agent knows and does not have in memory when it starts, and SessionDir the
	// directory that it works in; "" = there is none.
	Session, SessionDir string
	// StoreDir is where the agent keeps its sessions; "" = nobody knows.
	StoreDir string
	// SharedStore says that several processes of the agent may use one store at the same time.
	SharedStore bool
}
