package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/acp-conform/acp-conform/reports"
)

//go:embed init.yaml
var initFile embed.FS

// initial is the file that --init writes: every setting, as a comment.
func initial() []byte {
	b, err := initFile.ReadFile("init.yaml")
	if err != nil {
		panic(err) // it is embedded
	}
	return b
}

// writeInitial writes a file for --config that somebody can fill in. What is there is left alone.
func (p *program) writeInitial(o *options, agent []string) error {
	if len(agent) > 0 {
		return fmt.Errorf("--init writes a file and judges nothing: leave out %s, and name the file by --config afterwards", shellWord(agent[0]))
	}
	file := configName
	if o.configFile != "" {
		file = o.configFile
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("--init: %s is there already and stays as it is; remove it, or name another file by --config FILE", file)
	}
	if err == nil {
		_, err = f.Write(initial())
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(file) // a part of it would be taken for all
		}
	}
	if err != nil {
		return fmt.Errorf("--init: %s cannot be written: %w", file, cause(err))
	}
	p.printf("%s is written, with every setting as a comment. Take the # away from what you know about the agent, then:\n  %s --config %s ./my-agent\n",
		reports.Printable(file), programName, shellWord(file))
	return nil
}
