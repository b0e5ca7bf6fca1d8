package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// replace puts a text in the place of a file, or makes one. Whoever looks sees the old text or the new one, and what was there stays if
// there is no room for the new one. A link stays a link, and its file keeps its mode.
func replace(name string, text []byte) error {
	name = linked(name)
	old, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return create(name, text)
	case err != nil:
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-")
	switch {
	case err != nil && full(err):
		return err
	case err != nil: // the folder takes no other file
		return overwrite(name, text)
	}
	keepOwner(f, old)
	err = f.Chmod(old.Mode().Perm())
	if err = errors.Join(err, fill(f, text)); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err = os.Rename(f.Name(), name); err == nil {
		return nil
	}
	_ = os.Remove(f.Name())
	if full(err) {
		return err
	}
	return overwrite(name, text) // this name is to stay with its file, such as one that a container has mounted
}

// create makes a file, and leaves none that is not whole.
func create(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if err := fill(f, text); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// fill writes all of a new file, and closes it. Some systems only say when it reaches the disk that there is no room.
func fill(f *os.File, text []byte) error {
	_, err := f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// overwrite writes over what is in a file, and puts that back if it fails.
func overwrite(name string, text []byte) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|withoutWaiting, 0)
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(text, 0); err == nil {
		err = f.Truncate(int64(len(text)))
	}
	if err != nil {
		_, again := f.WriteAt(old, 0)
		err = errors.Join(err, again, f.Truncate(int64(len(old))))
	}
	return errors.Join(err, f.Close())
}

// full tells whether there is no room.
func full(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// linked is the name of the file that a name stands for, which need not be there yet.
func linked(name string) string {
	for range 40 { // links may lead in a circle
		to, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Dir(name) + string(filepath.Separator) + to // not joined: what stands before .. may be a link
		}
		name = to
	}
	return name
}
