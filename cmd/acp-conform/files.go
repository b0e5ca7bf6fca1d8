package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// The sizes of files beyond which one is not what it should be: nobody writes so much by hand, and no run reports so much.
const (
	mostSettings = 64 << 20 // a baseline, a configuration, a script of the fuzzer
	mostReport   = 1 << 30  // a report that is compared
)

// unfit says that something is there that is not to be read, or written, and what to do.
type unfit string

func (u unfit) Error() string { return string(u) }

// readRegular reads a file that is not larger than most. It refuses what may have no end or no beginning: devices, and named pipes, at
// which nobody may be. A pipe that somebody has opened for us, such as /dev/stdin or the <(…) of a shell, is read.
func readRegular(name string, most int64) ([]byte, error) {
	f, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	large := unfit(fmt.Sprintf("this is larger than %d MiB; name the file that is meant", most>>20))
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > most {
		return nil, large
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, large
	}
	return text, err
}

// readFile reads a file that the command line names, as readRegular does; an interrupt ends the program meanwhile.
func (g *guard) readFile(name string, most int64) ([]byte, error) {
	return g.read(func() ([]byte, error) { return readRegular(name, most) })
}

func openRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := regular(name, info); err != nil && !(isNullDevice(info) || handed(name) && !info.IsDir()) {
		return nil, err
	}
	return os.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
}

// regular tells whether a name stands for a regular file.
func regular(name string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return unfit(fmt.Sprintf("this is a directory; name a file in it, such as %s", filepath.Join(name, "FILE")))
	case mode&fs.ModeNamedPipe != 0:
		return unfit("this is a named pipe, at which nobody may be; name a regular file")
	}
	return unfit("this is a device or a socket; name a regular file")
}

// regularFS opens regular files and directories, and nothing at which nobody may be.
type regularFS struct{ fs.FS }

func (r regularFS) Open(name string) (fs.File, error) {
	info, err := fs.Stat(r.FS, name)
	if err == nil && !info.IsDir() {
		err = regular(name, info)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return r.FS.Open(name)
}

// Stat tells of what is there, whatever it is.
func (r regularFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(r.FS, name) }

// handed tells whether a name stands for what this process was started with: its stdin, or the <(…) of a shell.
func handed(name string) bool {
	name = filepath.ToSlash(name)
	if dir := path.Dir(path.Clean(name)); dir == "/dev/fd" || dir == "/proc/self/fd" {
		return true
	}
	return path.Clean(name) == "/dev/stdin"
}

// isNullDevice tells whether this is the null device, which is an empty file to many.
func isNullDevice(info fs.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(info, null)
}

// about says which flag names a file that cannot be had; the hint is for an error that has none of its own.
func about(flag, name string, err error, hint string) error {
	var u unfit
	if errors.As(err, &u) {
		return fmt.Errorf("%s %s: %w", flag, name, err)
	}
	return fmt.Errorf("%s %s: %w; %s", flag, name, cause(err), hint)
}

// writable tells whether a file can be written, or made, without changing what is there.
func writable(name string) error {
	name = linked(name)
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		return errors.Join(f.Close(), os.Remove(name))
	}
	if err != nil {
		return err
	}
	if err := regular(name, info); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|withoutWaiting, 0)
	if err != nil {
		return err
	}
	return f.Close()
}
