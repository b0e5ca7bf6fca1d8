package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A file is replaced as a whole: it keeps its mode, a link to it stays a link, and nothing is left beside it.
func TestAFileIsReplaced(t *testing.T) {
	for name, of := range map[string]func(dir string) (string, error){
		"a file": func(dir string) (string, error) { return filepath.Join(dir, "f"), nil },
		"a link to it": func(dir string) (string, error) {
			return filepath.Join(dir, "link"), os.Symlink("f", filepath.Join(dir, "link"))
		},
		"a link to a link": func(dir string) (string, error) {
			a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
			if err := os.Symlink(filepath.Join(dir, "f"), b); err != nil {
				return "", err
			}
			return a, os.Symlink("b", a)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, mode := range []os.FileMode{0o640, 0o606, 0} { // 0 = it is not there yet
				dir := t.TempDir()
				file := filepath.Join(dir, "f")
				if mode != 0 {
					if err := os.WriteFile(file, []byte("the old text, which is longer"), 0o600); err != nil {
						t.Fatal(err)
					}
					if err := os.Chmod(file, mode); err != nil {
						t.Fatal(err)
					}
				}
				name, err := of(dir)
				if err != nil {
					t.Skip(err)
				}
				before, _ := os.ReadDir(dir)
				if err := writable(name); err != nil {
					t.Fatal(err)
				}
				if err := replace(name, []byte("the new text")); err != nil {
					t.Fatal(err)
				}
				info, err := os.Lstat(file)
				if err != nil || !info.Mode().IsRegular() || readFile(t, name) != "the new text" {
					t.Fatalf("%v, %v, %q", err, info, readFile(t, name))
				}
				if mode != 0 && runtime.GOOS != "windows" && info.Mode() != mode {
					t.Errorf("the mode is %v, not %v", info.Mode(), mode)
				}
				want := len(before)
				if mode == 0 {
					want++
				}
				if after, _ := os.ReadDir(dir); len(after) != want {
					t.Errorf("there are %v", after)
				}
			}
		})
	}
}

// Where nothing can stand beside a file it is written over.
func TestAFileIsWrittenOver(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	for _, text := range []string{"one", "a longer text", "", "short"} {
		if err := os.WriteFile(file, []byte("the old text"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := overwrite(file, []byte(text)); err != nil || readFile(t, file) != text {
			t.Errorf("%v, %q, not %q", err, readFile(t, file), text)
		}
	}
}
