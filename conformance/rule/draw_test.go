package rule

import "testing"

// What a rule makes up is the same in each run, and other than what it or another rule has made up; but agents that may remember an
// earlier run are asked about ids that are new.
func TestWhatIsMadeUp(t *testing.T) {
	of := func(id string, e Env) *Case { return &Case{Env: &e, rule: &Rule{ID: id}} }
	seen := map[string]bool{}
	for _, e := range []Env{{Seed: 1}, {Seed: 2}} {
		for _, id := range []string{"a.one", "a.two"} {
			first, second := of(id, e), of(id, e)
			for range 3 {
				uuid, word := first.UnknownID(), first.Word()
				if again := second.UnknownID(); again != uuid {
					t.Errorf("%s is %s in another run", uuid, again)
				}
				if again := second.Word(); again != word {
					t.Errorf("%s is %s in another run", word, again)
				}
				for _, made := range []string{uuid, word} {
					if seen[made] {
						t.Errorf("%s was made up twice", made)
					}
					seen[made] = true
				}
			}
		}
	}
	e := Env{Seed: 1, Remembered: true}
	if a, b := of("a.one", e).UnknownID(), of("a.one", e).UnknownID(); a == b || seen[a] {
		t.Errorf("an agent may know %s", a)
	}
}
