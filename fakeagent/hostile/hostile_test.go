package hostile

import (
	"bytes"
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestModesHaveNamesAndSentences(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, m := range Modes() {
		if !name.MatchString(m.Name) || seen[m.Name] {
			t.Errorf("the name %q is odd or not the only one", m.Name)
		}
		seen[m.Name] = true
		if m.Description == "" || strings.HasSuffix(m.Description, ".") || strings.ContainsAny(m.Description, "\n\t") {
			t.Errorf("%s: %q is no sentence without a full stop", m.Name, m.Description)
		}
		if m.run == nil {
			t.Errorf("%s does nothing", m.Name)
		}
	}
	if len(seen) < 60 {
		t.Errorf("%d modes", len(seen))
	}
}

func TestAnUnknownModeNamesTheNearest(t *testing.T) {
	for typed, want := range map[string]string{"gigabite-line": "gigabyte-line", "gigabyte": "gigabyte-line", "Echoo": "echo"} {
		if _, err := Lookup(typed); err == nil || !strings.Contains(err.Error(), `"`+want+`"`) {
			t.Errorf("%s: %v", typed, err)
		}
	}
}

// handshake is what a client says first.
const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}` + "\n" +
	`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}` + "\n"

// played is what a mode writes when it is told this.
func played(t *testing.T, mode, input string) (stdout string, err error) {
	t.Helper()
	in, inEnd := pipe(t)
	outEnd, out := pipe(t)
	read := make(chan []byte)
	go func() {
		b, _ := io.ReadAll(outEnd)
		read <- b
	}()
	if _, err := inEnd.WriteString(input); err != nil {
		t.Fatal(err)
	}
	_ = inEnd.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err = Serve(ctx, mode, Options{Scale: 1e-6}, in, out, io.Discard)
	_ = out.Close()
	return string(<-read), err
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	return r, w
}

func TestModesInterfereAtOnePlace(t *testing.T) {
	for mode, want := range map[string]int{
		"answers-twice":             4,
		"echo":                      0,
		"silent":                    0,
		"stderr-in-place-of-stdout": 0,
		"permission-storm":          2, // it waits for a prompt
	} {
		out, err := played(t, mode, handshake)
		if n := strings.Count(out, `"result"`); n != want || err != nil {
			t.Errorf("%s: %d results, %v:\n%s", mode, n, err, out)
		}
	}
}

func TestATaskTravelsAsOneArgument(t *testing.T) {
	want := newTask("write", "/tmp/a, b")
	if got, err := readTask(want.String()); got != want || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := readTask("stay"); err == nil {
		t.Error("half a task is one")
	}
	if err := Child(nil, task{kind: "stay"}.String(), io.Discard); err != nil {
		t.Errorf("a task whose time is over: %v", err)
	}
	var out bytes.Buffer
	if err := newTask("environment", "").do(nil, &out); err != nil || out.Len() == 0 {
		t.Errorf("%q, %v", out.String(), err)
	}
}
