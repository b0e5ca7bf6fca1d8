package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// input is a file that the command line names for another purpose than to write a report there.
type input struct{ by, path string }

// inputs are the files that the flags name, and those among the words that start an agent, or a client.
func (o *options) inputs(noun string, words []string) []input {
	all := []input{{"--config", o.configFile}, {baselineFlag, o.known.file}, {writeFlag, o.known.write}}
	for i, word := range words {
		if i == 0 && !strings.ContainsRune(filepath.ToSlash(word), '/') {
			continue // a program of the PATH
		}
		if o.cwd != "" && !filepath.IsAbs(word) {
			word = filepath.Join(o.cwd, word)
		}
		all = append(all, input{"the command line of the " + noun, word})
	}
	if o.schemaDir != "" {
		for _, pattern := range []string{"schema*.json", "v*/*.json", "both/*.json"} {
			names, _ := fs.Glob(os.DirFS(o.schemaDir), pattern)
			for _, name := range names {
				all = append(all, input{"--schema", filepath.Join(o.schemaDir, name)})
			}
		}
	}
	return all
}

// inputAt finds the input that is the same file, by whatever name.
func inputAt(inputs []input, file fs.FileInfo) (input, bool) {
	for _, in := range inputs {
		if in.path == "" {
			continue
		}
		if info, err := os.Stat(in.path); err == nil && info.Mode().IsRegular() && os.SameFile(info, file) {
			return in, true
		}
	}
	return input{}, false
}

// apart refuses a baseline that would be written over a file that is something else.
func (k *known) apart(inputs []input) error {
	info, err := os.Stat(k.write)
	if k.write == "" || err != nil {
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(inputs), func(in input) bool { return in.by == baselineFlag || in.by == writeFlag })
	if in, same := inputAt(others, info); same {
		return fmt.Errorf("%s %s: this file is the one that %s names; name a file for each", writeFlag, k.write, in.by)
	}
	return nil
}
