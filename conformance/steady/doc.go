// Package steady holds only tests, which look at the suite as a whole: nothing is left after a rule, nothing grows in the long run,
// the same agent gets the same report each time, and no agent, however garbled what it says, brings the suite down.
package steady
