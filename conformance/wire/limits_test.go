package wire

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// readAll reads a stream to its end and gives the lines that were tapped, the limits that were crossed, and the end.
func readAll(output string, terms Terms) (lines []string, crossed []Limit, end error) {
	tr := NewTranscript(time.Now, nil, func(f Frame, _ Envelope) { lines = append(lines, string(f.Line)) })
	terms.Patience, terms.Crossed = time.Second, func(x *Crossed) { crossed = append(crossed, x.Limit) }
	s := NewStream(strings.NewReader(output), nopCloser{io.Discard}, tr, terms)
	for {
		var v any
		if err := s.ReadObject(&v); err != nil {
			return lines, crossed, err
		}
	}
}

func TestLineLimit(t *testing.T) {
	lines, crossed, _ := readAll(strings.Repeat("x", 11)+"\n"+strings.Repeat("y", 12)+"\nshort\n", Terms{Limits: Limits{Line: 10}})
	if want := []string{"xxxxxxxxxx", "yyyyyyyyyy", "short"}; !slices.Equal(lines, want) {
		t.Errorf("lines %q, want %q", lines, want)
	}
	if !slices.Equal(crossed, []Limit{LimitLine}) {
		t.Errorf("crossed %v, want the line limit once", crossed)
	}
}

func TestRecordedLimit(t *testing.T) {
	budget := NewBudget(100)
	if _, crossed, end := readAll(strings.Repeat("x", 60)+"\n", Terms{Budget: budget}); len(crossed) > 0 || !errors.Is(end, io.EOF) {
		t.Fatalf("crossed %v by half of the budget, %v", crossed, end)
	}
	lines, crossed, end := readAll(strings.Repeat("y", 60)+"\n", Terms{Budget: budget})
	var x *Crossed
	if !errors.As(end, &x) || x.Limit != LimitRecorded || !slices.Equal(crossed, []Limit{LimitRecorded}) {
		t.Errorf("the second connection of the rule ended with %v and crossed %v", end, crossed)
	}
	if len(lines) > 0 {
		t.Errorf("what is beyond the limit was tapped: %q", lines)
	}
}

func TestFramesLimit(t *testing.T) {
	stop := make(chan struct{})
	close(stop) // the wait itself is over at once
	_, crossed, _ := readAll(strings.Repeat("{}\n", 35), Terms{Limits: Limits{Frames: 10}, Stop: stop})
	if !slices.Equal(crossed, []Limit{LimitFrames}) {
		t.Errorf("crossed %v, want the limit of frames once", crossed)
	}
	if _, crossed, _ := readAll(strings.Repeat("{}\n", 9), Terms{Limits: Limits{Frames: 10}, Stop: stop}); len(crossed) > 0 {
		t.Errorf("crossed %v by fewer frames", crossed)
	}
}

func TestPaceHoldsBack(t *testing.T) {
	at := time.Unix(100, 0)
	p := pace{most: 3}
	var waits []time.Duration
	for range 9 {
		waits = append(waits, p.next(func() time.Time { return at }))
	}
	if want := []time.Duration{0, 0, 0, 0, 0, time.Second, 0, 0, 2 * time.Second}; !slices.Equal(waits, want) {
		t.Errorf("waits %v, want %v", waits, want)
	}
}

func TestStderrLimit(t *testing.T) {
	for _, late := range []bool{false, true} {
		var copied strings.Builder
		var crossed []Limit
		var lines int
		s := &StderrTap{Copy: &copied, Limit: 10, Crossed: func(x *Crossed) { crossed = append(crossed, x.Limit) }}
		tr := NewTranscript(time.Now, nil, func(Frame, Envelope) { lines++ })
		if !late {
			s.Bind(tr)
		}
		for range 4 {
			if n, err := s.Write([]byte("four\n")); n != 5 || err != nil {
				t.Fatal(n, err)
			}
		}
		s.Bind(tr)
		if copied.String() != "four\nfour\n" || lines != 2 || len(crossed) == 0 || crossed[0] != LimitStderr {
			t.Errorf("bound late %v: copied %q, %d lines, crossed %v", late, copied.String(), lines, crossed)
		}
	}
}

func TestLimitsAreParsed(t *testing.T) {
	var l Limits
	for _, s := range []string{"line=16MiB", "frames=7", "recorded=1000", "rule-time=90s"} {
		if err := l.Parse(s); err != nil {
			t.Error(err)
		}
	}
	if l.Line != 16<<20 || l.Frames != 7 || l.Recorded != 1000 || l.Rule != 90*time.Second {
		t.Errorf("parsed %+v", l)
	}
	var again Limits
	for _, s := range l.Set() {
		if err := again.Parse(s); err != nil {
			t.Error(err)
		}
	}
	if again != l {
		t.Errorf("%v makes %+v, want %+v", l.Set(), again, l)
	}
	for _, bad := range []string{"line", "line=", "line=0", "line=-1", "line=x", "frames=0", "frames=1.5", "rule-time=5", "rule-time=-1s", "lines=1", "line=9999999999TiB"} {
		if err := new(Limits).Parse(bad); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
	if d := l.Or(DefaultLimits()); d.Line != 16<<20 || d.Run != time.Hour {
		t.Errorf("filled in: %+v", d)
	}
	if name := (Limits{Children: -1}).Negative(); name != LimitChildren {
		t.Errorf("negative: %q", name)
	}
}
