package wire

import (
	"bufio"
	"strings"
	"testing"
	"time"
)

// A shell that waits for a child that waits for another one, and one that has left the group.
func TestTheFamilyOfAnAgent(t *testing.T) {
	p := launch(t, "sh -c 'sleep 1000 & echo up; wait' & setsid sleep 1001 & wait")
	if _, err := bufio.NewReader(p.Output()).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	agent := p.(*process)
	var seen []string
	for range 2000 { // until all of them have become what they are to be, and sleep
		seen = nil
		for _, r := range Family(agent.Pid(), agent.Mark()) {
			seen = append(seen, strings.Repeat(" ", r.Depth)+r.State+" "+r.Command)
			if r.CPU < 0 || r.CPU > time.Minute || r.Parent == 0 {
				t.Errorf("%+v", r)
			}
		}
		if text := strings.Join(seen, "\n"); strings.Count(text, "sleeping ") == 4 && strings.Contains(text, "sleep 1001") && strings.Contains(text, "sleep 1000") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	text := strings.Join(seen, "\n")
	if len(seen) != 4 || !strings.HasPrefix(seen[0], "sleeping /bin/sh -c") || !strings.Contains(text, "\n sleeping sh -c") ||
		!strings.Contains(text, "\n  sleeping sleep 1000") || !strings.Contains(text, "sleeping sleep 1001") {
		t.Errorf("the family is\n%s", text)
	}
	p.End(time.Millisecond)
	if left := Family(agent.Pid(), agent.Mark()); len(left) > 0 {
		t.Errorf("of an agent that has gone: %v", left)
	}
}
