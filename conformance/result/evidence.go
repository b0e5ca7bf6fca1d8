package result

import "slices"

// keptEvidence is how many observations of a rule a report holds; of more, only the number.
const keptEvidence = 5

// Distinct keeps the first observation of each kind, the most severe kinds first, and adds to suppressed how many it leaves out.
func Distinct(seen []Observation, suppressed *int) []Observation {
	rank := []Severity{Failed, Warned, Noted}
	slices.SortStableFunc(seen, func(a, b Observation) int {
		return slices.Index(rank, a.Severity) - slices.Index(rank, b.Severity)
	})
	var kept []Observation
	for _, o := range seen {
		same := slices.ContainsFunc(kept, func(k Observation) bool {
			return k.Severity == o.Severity && k.Explanation == o.Explanation
		})
		if same || len(kept) >= keptEvidence {
			*suppressed++
			continue
		}
		kept = append(kept, o)
	}
	return kept
}
