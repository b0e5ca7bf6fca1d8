package equality

import (
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/schemas"
)

const (
	// perMethod is how many instances every definition gets that is the params or the result of a method, at least.
	perMethod = 2000
	// perPart is the same for any other definition, which also comes up inside of those.
	perPart = 200
	// shown is how many differences of an edition are written out.
	shown = 20
)

// tally is what an edition's comparison came to.
type tally struct {
	classes     [3]int
	bases       int // made to be valid
	spoilt      int // of these, not valid officially
	methods     int
	differences int
	seen        map[string]bool // definitions with a difference that was written out
}

func (y *tally) all() int { return y.classes[good] + y.classes[repaired] + y.classes[refused] }

func TestVerdictsAreTheOfficialOnes(t *testing.T) {
	all := editions(t)
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // the validator writes an error for every branch that it tries
	t.Run("edition", func(t *testing.T) {
		for _, o := range all {
			t.Run(o.name, func(t *testing.T) {
				t.Parallel()
				begin := time.Now()
				y := verdicts(t, o)
				t.Logf("%d instances (%d valid, %d tolerated, %d invalid; %d made to be valid, of which %d are not), %d definitions, "+
					"%d of them of methods; %d differences; %s", y.all(), y.classes[good], y.classes[repaired], y.classes[refused],
					y.bases, y.spoilt, len(o.names), y.methods, y.differences, time.Since(begin).Round(time.Second/10))
				if y.spoilt*100 > y.bases {
					t.Errorf("%d of %d instances were made to be valid and are not", y.spoilt, y.bases)
				}
			})
		}
	})
	for _, d := range listed {
		t.Logf("listed difference %q came up %d times", d.name, d.met.Load())
		if d.met.Load() == 0 {
			t.Errorf("the listed difference %q never came up: take it off the list", d.name)
		}
	}
}

func verdicts(t *testing.T, o *official) tally {
	y := tally{seen: map[string]bool{}}
	ours := schemas.Ours().Edition(o.protocol, o.stable)
	if err := ours.Compile(); err != nil {
		t.Fatal(err)
	}
	ourNames := ours.Definitions()
	for _, def := range o.names {
		if !slices.Contains(ourNames, def) {
			t.Errorf("%s has no %s", o.name, def)
			continue
		}
		atLeast := perPart
		if o.bearsMethod(def) {
			atLeast = perMethod
			y.methods++
		}
		before := y.all()
		for in := range o.instances(def, atLeast) {
			y.add(t, compare(o, ours, def, in))
		}
		if n := y.all() - before; o.bearsMethod(def) && n < atLeast {
			t.Errorf("%s %s got %d instances", o.name, def, n)
		}
	}
	return y
}

func (y *tally) add(t *testing.T, c *comparison) {
	y.classes[c.theirs]++
	if c.in.base {
		y.bases++
		if c.theirs != good {
			y.spoilt++
		}
	}
	if c.equal() {
		return
	}
	if d := reasonFor(c, listed); d != nil {
		d.met.Add(1)
		return
	}
	y.differences++
	if len(y.seen) < shown && !y.seen[c.def] {
		y.seen[c.def] = true
		t.Errorf("%s", c)
	}
}
