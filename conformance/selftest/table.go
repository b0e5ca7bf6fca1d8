package selftest

// expectation is a row of the mutation table.
type expectation struct {
	fires  []string // the rules that fail or warn
	blocks []string // the rules that meet no occasion any more
}

// expectations is the table, by the name of the fault.
func expectations() map[string]expectation { return map[string]expectation{} }

// unfalsifiable are the rules that no agent could show broken, with the reason.
var unfalsifiable = map[string]string{}

// unseenOnFake are the rules that the correct fake in process offers no occasion.
var unseenOnFake = []string{}
