package rules

// modelShrink makes a sequence that fails shorter as long as it still fails, and tries at most so many others.
func modelShrink(steps []modelStep, tries int, fails func([]modelStep) bool) []modelStep {
	tried := map[string]bool{modelText(steps): true}
	shorter := func() bool {
		for size := len(steps) - 1; size > 0; size-- {
			for at := len(steps) - size; at >= 0; at-- {
				less := modelTidy(append(append([]modelStep(nil), steps[:at]...), steps[at+size:]...))
				if text := modelText(less); tried[text] || len(less) == 0 || len(tried) > tries {
					continue
				} else {
					tried[text] = true
				}
				if fails(less) {
					steps = less
					return true
				}
			}
		}
		return false
	}
	for shorter() {
	}
	return modelSimplify(steps, tries-len(tried), fails)
}

// modelSimpler are operations that tell a stranger less to think about.
var modelSimpler = map[modelOp][]modelOp{
	modelEvict:   {modelClose, modelPrompt},
	modelBreak:   {modelClose},
	modelCancel:  {modelPrompt},
	modelAllow:   {modelPrompt},
	modelDismiss: {modelPrompt, modelCancel},
}

// modelSimplify puts a simpler step in the place of another where the sequence fails as well with it.
func modelSimplify(steps []modelStep, tries int, fails func([]modelStep) bool) []modelStep {
	for i := range steps {
		for _, op := range modelSimpler[steps[i].op] {
			other := append([]modelStep(nil), steps...)
			other[i].op = op
			if tries--; tries >= 0 && fails(other) {
				steps = other
				break
			}
		}
	}
	return steps
}

// modelTidy leaves out steps about sessions that are not made, and names the sessions in their order.
func modelTidy(steps []modelStep) []modelStep {
	var kept []modelStep
	names := map[int]int{modelNobody: modelNobody}
	for _, s := range steps {
		if s.op == modelNew {
			names[s.of] = len(names) - 1
		}
		if s.about(s.of) {
			name, made := names[s.of]
			if !made {
				continue
			}
			s.of = name
		}
		kept = append(kept, s)
	}
	return kept
}
