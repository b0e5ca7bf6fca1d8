package wire

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprint("exit ", int(e)) }
func (e exitStatus) ExitCode() int { return int(e) }

func TestInProcessReturnIsExit(t *testing.T) {
	p, err := InProcess(func(_ context.Context, r io.Reader, w io.Writer) error {
		line, _ := bufio.NewReader(r).ReadString('\n')
		_, _ = io.WriteString(w, "got "+line)
		w.(interface{ Quiet(read, written int64) }).Quiet(5, 9)
		return exitStatus(4)
	})(t.Context(), Launch{})
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(p.Input(), "ping\n")
	out, _ := io.ReadAll(p.Output())
	end := p.End(time.Second)
	if string(out) != "got ping\n" || end.Exit.Code != 4 || !end.Willing {
		t.Errorf("%q, %+v", out, end)
	}
	if r, w := p.(Quieter).QuietAt(); r != 5 || w != 9 {
		t.Errorf("quiet at %d, %d", r, w)
	}
}

func TestInProcessThatIgnoresTheEndIsCancelled(t *testing.T) {
	p, err := InProcess(func(ctx context.Context, _ io.Reader, _ io.Writer) error {
		<-ctx.Done()
		return ctx.Err()
	})(t.Context(), Launch{})
	if err != nil {
		t.Fatal(err)
	}
	if end := p.End(time.Millisecond); end.Willing || end.Forced != "cancel" {
		t.Errorf("%+v", end)
	}
}

// A function that panics, or ends its goroutine, is an agent that has gone and not the end of the program.
func TestInProcessThatDoesNotReturn(t *testing.T) {
	for want, serve := range map[string]Serve{
		"panicked: oops":          func(context.Context, io.Reader, io.Writer) error { panic("oops") },
		"ended without returning": func(context.Context, io.Reader, io.Writer) error { runtime.Goexit(); return nil },
	} {
		p, err := InProcess(serve)(t.Context(), Launch{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(p.Output()); err != nil {
			t.Error(err)
		}
		if end := p.End(time.Second); end.Exit.Code != 2 || !strings.Contains(end.Exit.String(), want) {
			t.Errorf("%+v, want %s", end, want)
		}
	}
}
