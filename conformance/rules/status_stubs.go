package rules

import "github.com/acp-conform/acp-conform/conformance/rule"

func statusCapability() []rule.Rule  { return nil }
func statusRequests() []rule.Rule    { return nil }
func statusResponses() []rule.Rule   { return nil }
func statusUnknown() []rule.Rule     { return nil }
func statusStates() []rule.Rule      { return nil }
func statusSideEffects() []rule.Rule { return nil }
func statusCost() []rule.Rule        { return nil }
func statusConsistency() []rule.Rule { return nil }
func statusModel() []rule.Rule       { return nil }
