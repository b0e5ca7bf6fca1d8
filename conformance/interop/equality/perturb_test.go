package equality

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/acp-conform/acp-conform/schemas"
)

const (
	perturbations = 200
	mustNotice    = 190
	// sampled is how many instances of one definition a perturbed schema is tried on.
	sampled = 5000
	// patience is how many instances it is tried on in all, the changed definition's first.
	patience = 20000
)

// TestOneChangedConstraintIsNoticed changes one constraint in one of our files, over and over, and expects the comparison to
// find a difference each time: what it finds equal is not equal because nobody looks.
func TestOneChangedConstraintIsNoticed(t *testing.T) {
	all := editions(t)
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	begin := time.Now()
	drawn := draw(t, perturbations)
	results := make([]string, len(drawn))
	jobs := make(chan int)
	var workers sync.WaitGroup
	samples := &sampler{made: map[string]*sample{}}
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range jobs {
				results[i] = notice(all, samples, drawn[i])
			}
		})
	}
	for i := range drawn {
		jobs <- i
	}
	close(jobs)
	workers.Wait()

	how, noticed := map[string]int{}, 0
	for i, p := range drawn {
		if results[i] == "" {
			t.Logf("not noticed: %s", p)
			continue
		}
		how[results[i]]++
		noticed++
	}
	t.Logf("%d of %d noticed in %s: %v", noticed, len(drawn), time.Since(begin).Round(time.Second/10), how)
	if noticed < mustNotice {
		t.Errorf("only %d of %d changes were noticed", noticed, len(drawn))
	}
}

// draw picks the kinds in turn, so that the frequent ones do not crowd out the rest, and then a place at random.
func draw(t *testing.T, count int) []perturbation {
	t.Helper()
	byKind := map[string][]perturbation{}
	var kinds []string
	for _, p := range allPerturbations(t, schemas.Files()) {
		if byKind[p.kind] == nil {
			kinds = append(kinds, p.kind)
		}
		byKind[p.kind] = append(byKind[p.kind], p)
	}
	slices.Sort(kinds)
	r := rand.New(rand.NewPCG(2, 200))
	for _, kind := range kinds {
		t.Logf("%s: %d places", kind, len(byKind[kind]))
		r.Shuffle(len(byKind[kind]), reflect.Swapper(byKind[kind]))
	}
	var drawn []perturbation
	for turn, before := 0, -1; before < len(drawn); turn++ {
		before = len(drawn)
		for _, kind := range kinds {
			if turn < len(byKind[kind]) && len(drawn) < count {
				drawn = append(drawn, byKind[kind][turn])
			}
		}
	}
	return drawn
}

// notice tells how a perturbation came to light, "" if it did not.
func notice(all []*official, samples *sampler, p perturbation) (how string) {
	defer func() {
		if recover() != nil {
			how = "does not compile" // the validator panics on some schemas that are none
		}
	}()
	fsys := p.apply()
	book, err := schemas.Open(fsys)
	if err != nil {
		return "does not open"
	}
	for _, o := range all {
		if !slices.Contains(folders[o.name], path.Dir(p.file)) {
			continue
		}
		if how := noticeIn(o, book.Edition(o.protocol, o.stable), fsys, samples, p.def); how != "" {
			return how
		}
	}
	return ""
}

func noticeIn(o *official, changed *schemas.Edition, fsys fs.FS, samples *sampler, def string) string {
	defs, err := written(fsys, o.name)
	if err != nil {
		return "does not open"
	}
	affected, tried := users(defs, def), 0
	for _, user := range affected {
		if o.plain[user] == nil {
			continue
		}
		for _, one := range samples.of(o, user) {
			if c := compareWith(o, changed, user, one.in, one.theirs); !c.equal() && reasonFor(c, listed) == nil {
				return "by a verdict"
			}
			if tried++; tried > patience {
				break
			}
		}
	}
	for _, user := range affected {
		if slices.ContainsFunc(o.traitDifferences(defs, user), func(d traitDifference) bool { return d.meant() < 0 }) {
			return "by a trait"
		}
	}
	return ""
}

// sampler keeps instances with the official verdict, made when a definition is first asked for.
type sampler struct {
	lock sync.Mutex
	made map[string]*sample
}

type sample struct {
	once sync.Once
	all  []judged
}

type judged struct {
	in     instance
	theirs class
}

func (s *sampler) of(o *official, def string) []judged {
	s.lock.Lock()
	key := o.name + " " + def
	if s.made[key] == nil {
		s.made[key] = &sample{}
	}
	one := s.made[key]
	s.lock.Unlock()
	one.once.Do(func() {
		for in := range o.instances(def, perPart) {
			if one.all = append(one.all, judged{in, o.judge(def, in)}); len(one.all) == sampled {
				break
			}
		}
	})
	return one.all
}

// perturbation is one change of one constraint in one file.
type perturbation struct {
	kind, file, def, what string
	change                func(def any)
}

func (p perturbation) String() string {
	return fmt.Sprintf("%s in %s of %s: %s", p.kind, p.def, p.file, p.what)
}

// apply gives all files, one of them changed.
func (p perturbation) apply() fs.FS {
	changed := fstest.MapFS{}
	ours := schemas.Files()
	for _, name := range schemaFiles(ours) {
		text, err := fs.ReadFile(ours, name)
		if err != nil {
			panic(err)
		}
		if name == p.file {
			doc, err := readJSON(ours, name)
			if err != nil {
				panic(err)
			}
			p.change(doc["$defs"].(map[string]any)[p.def])
			text = encode(doc)
		}
		changed[name] = &fstest.MapFile{Data: text}
	}
	return changed
}

func schemaFiles(fsys fs.FS) []string {
	var names []string
	_ = fs.WalkDir(fsys, ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".json") {
			names = append(names, name)
		}
		return err
	})
	return names
}
