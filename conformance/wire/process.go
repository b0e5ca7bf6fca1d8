package wire

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Marker is the environment variable by which descendants of an agent are recognised after it has gone.
const Marker = "ACP_CONFORM_PROCESS"

// Command is a Launcher for an agent as a process: a group of its own, pipes of our own, stderr drained all the time.
func Command(argv []string) Launcher {
	return func(_ context.Context, l Launch) (Peer, error) { return start(argv, l) }
}

// process is an agent as a process. The end of the process and the end of its stdout are two events: a child that keeps
// stdout open makes the second one late.
type process struct {
	cmd     *exec.Cmd
	argv    []string
	mark    string
	in, out *os.File
	stderr  *ring
	drained chan struct{}
	exited  chan struct{}
	exit    Exit
}

// Pid is the id of the agent's process, the first of its group.
func (p *process) Pid() int { return p.cmd.Process.Pid }

// Mark is what the agent and its descendants have in their environment, as the value of Marker.
func (p *process) Mark() string { return p.mark }

// NotStarted is the error of an agent that could not be started at all.
type NotStarted struct {
	Argv []string
	Err  error
}

func (e *NotStarted) Error() string {
	return fmt.Sprintf("%s could not be started: %v", strings.Join(e.Argv, " "), e.Err)
}

// Unwrap gives the cause.
func (e *NotStarted) Unwrap() error { return e.Err }

// NewMark makes a mark that no other process has.
func NewMark() string { return rand.Text() }

func start(argv []string, l Launch) (*process, error) {
	p := &process{argv: argv, mark: NewMark(), stderr: newRing(stderrKept), drained: make(chan struct{}), exited: make(chan struct{})}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = l.Dir
	cmd.Env = append(append(os.Environ(), l.Env...), Marker+"="+p.mark)
	if l.Home != "" {
		cmd.Env = append(cmd.Env, homeVariable+"="+l.Home)
	}
	ownGroup(cmd)
	files, err := p.pipes(cmd)
	if err != nil {
		return nil, err
	}
	if l.Stdout != nil {
		cmd.Stdout = l.Stdout
	}
	err = cmd.Start()
	for _, f := range files.child {
		_ = f.Close()
	}
	if err != nil {
		for _, f := range files.ours {
			_ = f.Close()
		}
		return nil, &NotStarted{Argv: argv, Err: plain(err)}
	}
	p.cmd = cmd
	go p.drain(files.stderr, l.Stderr)
	go p.wait()
	return p, nil
}

// plain drops the wrapping that names the program twice.
func plain(err error) error {
	var e *exec.Error
	if errors.As(err, &e) {
		return e.Err
	}
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

type pipeEnds struct {
	child, ours []*os.File
	stderr      *os.File
}

func (p *process) pipes(cmd *exec.Cmd) (ends pipeEnds, err error) {
	pair := func() (r, w *os.File) {
		if err != nil {
			return nil, nil
		}
		r, w, err = os.Pipe()
		return r, w
	}
	inR, inW := pair()
	outR, outW := pair()
	errR, errW := pair()
	all := []*os.File{inR, inW, outR, outW, errR, errW}
	if err != nil {
		for _, f := range all {
			if f != nil {
				_ = f.Close()
			}
		}
		return ends, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inR, outW, errW
	p.in, p.out = inW, outR
	return pipeEnds{child: []*os.File{inR, outW, errW}, ours: []*os.File{inW, outR, errR}, stderr: errR}, nil
}

// drain reads stderr to its end: an agent whose stderr is full stops working.
func (p *process) drain(r *os.File, keep io.Writer) {
	defer close(p.drained)
	defer func() { _ = r.Close() }()
	w := io.Writer(p.stderr)
	if keep != nil {
		w = io.MultiWriter(p.stderr, lenient{keep})
	}
	_, _ = io.Copy(w, r)
}

// lenient swallows the errors of a full disk, so that stderr is drained all the same.
type lenient struct{ w io.Writer }

func (l lenient) Write(b []byte) (int, error) {
	_, _ = l.w.Write(b)
	return len(b), nil
}

func (p *process) wait() {
	defer close(p.exited)
	err := p.cmd.Wait()
	st := p.cmd.ProcessState
	if st == nil {
		p.exit = Exit{Code: -1, Err: err}
		return
	}
	p.exit = Exit{Code: st.ExitCode(), Signal: signalOf(st)}
}

func (p *process) Input() io.WriteCloser   { return p.in }
func (p *process) Output() io.Reader       { return p.out }
func (p *process) Stderr() []byte          { return p.stderr.Bytes() }
func (p *process) Exited() <-chan struct{} { return p.exited }
func (p *process) Exit() Exit              { return p.exit }
func (p *process) Name() string            { return strings.Join(p.argv, " ") }

// Stderr's tail is complete only when the pipe has ended; a stray that holds it open is not waited for longer than this.
const stderrPatience = 200 * time.Millisecond

// Children that end because their agent has ended are given that long to do so: they are not left behind.
const (
	familyPatience = 200 * time.Millisecond
	familyPause    = 10 * time.Millisecond
)

// awaitFamily waits for a moment until no process has the mark any more.
func awaitFamily(mark string) {
	for end := time.Now().Add(familyPatience); Marked()[mark] > 0 && time.Now().Before(end); {
		time.Sleep(familyPause)
	}
}

func (p *process) End(grace time.Duration) Ending {
	_ = p.in.Close()
	end := Ending{Willing: waitFor(p.exited, grace)}
	if !end.Willing {
		end.Forced = "SIGTERM"
		signalGroup(p.cmd, false)
		if !waitFor(p.exited, min(grace, time.Second)) {
			end.Forced = "SIGKILL"
		}
	}
	if end.Willing { // what it leaves is found before its group is ended, if it does not end by itself in a moment
		awaitFamily(p.mark)
		end.Strays = EndStrays(p.mark)
	}
	signalGroup(p.cmd, true) // also children that outlived a willing agent
	if !waitFor(p.exited, 5*time.Second) {
		end.Escaped = true
	} else {
		end.Exit = p.exit
	}
	end.Strays = append(end.Strays, EndStrays(p.mark)...)
	waitFor(p.drained, stderrPatience)
	// With every writer gone the output ends by itself; a stray that could not be ended must not keep our reader.
	_ = p.out.SetReadDeadline(time.Now().Add(stderrPatience))
	return end
}
