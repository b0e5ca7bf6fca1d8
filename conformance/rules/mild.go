package rules

// Why several rules only warn of some breaches, each the end of a sentence that begins with "because".
const (
	leniently            = "no conforming client sends this, and an agent may be lenient with it, or refuse it by another code"
	openList             = "the list is open: the name may be one of a newer edition"
	notHeld              = "it is not certain that the turn was still at work when it was cancelled"
	readersCope          = "tolerant readers cope with it"
	markerMisleadsNobody = "it misleads nobody: clients do not find it there, and do not ask"
)
