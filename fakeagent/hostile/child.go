package hostile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// lifetime is how long a process of ours lives at most, however badly it is looked after.
const lifetime = 2 * time.Minute

// task is what a child does. It travels as one argument, and so does the time at which the child ends at the latest.
type task struct {
	kind  string
	until int64 // seconds of Unix
	arg   string
}

func newTask(kind, arg string) task { return task{kind, time.Now().Add(lifetime).Unix(), arg} }

func (t task) String() string { return fmt.Sprintf("%s,%d,%s", t.kind, t.until, t.arg) }

func readTask(s string) (t task, err error) {
	parts := strings.SplitN(s, ",", 3)
	if len(parts) != 3 {
		return t, fmt.Errorf("%q is no task of a child", s)
	}
	until, err := strconv.ParseInt(parts[1], 10, 64)
	return task{parts[0], until, parts[2]}, err
}

// Child is what the modes start as processes of their own: Options.Child followed by an argument that they make. self is the
// command that runs Child, before its argument.
func Child(self []string, arg string, stdout io.Writer) error {
	t, err := readTask(arg)
	if err != nil {
		return err
	}
	rest := time.Until(time.Unix(t.until, 0))
	if rest <= 0 {
		return nil
	}
	ignoreSignals()
	ended := time.NewTimer(rest)
	done := make(chan error, 1)
	go func() { done <- t.do(self, stdout) }()
	select {
	case err := <-done:
		return err
	case <-ended.C:
		return nil
	}
}

func (t task) do(self []string, stdout io.Writer) error {
	switch t.kind {
	case "stay":
		stayForEver()
	case "print":
		text := []byte(strings.Repeat(strings.Repeat("for ever and ever ", 10)+"\n", 1000))
		for {
			if _, err := stdout.Write(text); err != nil {
				return err
			}
		}
	case "environment":
		_, err := io.WriteString(stdout, strings.Join(os.Environ(), "\n")+"\n")
		return err
	case "write":
		return os.WriteFile(t.arg, []byte("a hostile agent was here\n"), 0o600)
	case "serve":
		return correct()(newStage(context.Background(), Options{Scale: 1}, os.Stdin, os.Stdout, os.Stderr))
	case "shed":
		return t.shed(self)
	case "fork":
		return t.fork(self)
	case "respawn":
		return t.respawn(self)
	case "twin":
		return t.twin(self)
	}
	return errors.New("no such task: " + t.kind)
}

// successor is a command for a child in a session of its own. It holds our stdout and stderr.
func (t task) successor(self []string, kind, arg string) *exec.Cmd {
	words := append(append([]string{}, self...), task{kind, t.until, arg}.String())
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	detach(cmd)
	return cmd
}

// shed starts a process that nothing connects with the agent: another session, an empty environment, no pipes.
func (t task) shed(self []string) error {
	cmd := t.successor(self, "stay", "")
	cmd.Env, cmd.Stdout, cmd.Stderr = []string{}, nil, nil
	return cmd.Start()
}

// fork starts as many processes as its argument says, each in a session of its own, and stays.
func (t task) fork(self []string) error {
	n, err := strconv.Atoi(t.arg)
	for range n {
		if err := t.successor(self, "stay", "").Start(); err != nil {
			return err
		}
	}
	if err == nil {
		stayForEver()
	}
	return err
}

// respawn starts a twin again whenever that ends, as often as its argument says.
func (t task) respawn(self []string) error {
	left, err := strconv.Atoi(t.arg)
	for ; err == nil && left > 0; left-- {
		err = t.outlive(self, left)
	}
	return err
}

// outlive starts a twin and waits for its end. The twin sees ours by the end of its input.
func (t task) outlive(self []string, left int) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	cmd := t.successor(self, "twin", strconv.Itoa(left-1))
	cmd.Stdin = r
	err = cmd.Start()
	_ = r.Close()
	if err == nil {
		_ = cmd.Wait()
	}
	return err
}

// twin waits for the end of the one that started it, and takes its place.
func (t task) twin(self []string) error {
	_, _ = io.Copy(io.Discard, os.Stdin)
	return t.respawn(self)
}
