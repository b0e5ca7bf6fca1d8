package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/acp-conform/acp-conform/conformance"
)

// configFile is the file of --config: what the user knows about the agent. Every member may be left out.
type configFile struct {
	Prompts           map[string]string `yaml:"prompts"`
	ProbeUnadvertised bool              `yaml:"probeUnadvertised"`
	EvictAfter        duration          `yaml:"evictAfter"`
	InactiveSession   *struct {
		ID  string `yaml:"id"`
		Cwd string `yaml:"cwd"`
	} `yaml:"inactiveSession"`
	StoreDir    string `yaml:"storeDir"`
	SharedStore bool   `yaml:"sharedStore"`
}

// duration is a time as Go writes it, such as 500ms.
type duration time.Duration

// UnmarshalYAML reads a duration and names the line of one that is none.
func (d *duration) UnmarshalYAML(n *yaml.Node) error {
	v, err := time.ParseDuration(n.Value)
	if err != nil {
		return fmt.Errorf("line %d: %q is no time; write one such as 500ms or 2m", n.Line, n.Value)
	}
	*d = duration(v)
	return nil
}

// checkConfig reads the file of --config.
func (o *options) checkConfig(cfg *conformance.Config) error {
	if o.configFile == "" {
		return nil
	}
	f, err := readConfig(o.configFile)
	if err != nil {
		return fmt.Errorf("--config %s: %w", o.configFile, err)
	}
	cfg.Prompts = f.Prompts
	cfg.Profile = conformance.Profile{ProbeUnadvertised: f.ProbeUnadvertised, EvictAfter: time.Duration(f.EvictAfter), SharedStore: f.SharedStore}
	if s := f.InactiveSession; s != nil {
		if s.ID == "" || !filepath.IsAbs(s.Cwd) {
			return fmt.Errorf("--config %s: inactiveSession needs an id and, as cwd, an absolute path", o.configFile)
		}
		cfg.Profile.Session, cfg.Profile.SessionDir = s.ID, s.Cwd
	}
	if f.StoreDir != "" {
		if err := isDir(f.StoreDir); err != nil {
			return fmt.Errorf("--config %s: storeDir %s: %w", o.configFile, f.StoreDir, err)
		}
		cfg.Profile.StoreDir = f.StoreDir
	}
	cfg.ConfigFile, err = filepath.Abs(o.configFile)
	return err
}

func readConfig(path string) (configFile, error) {
	var f configFile
	data, err := os.ReadFile(path)
	if err != nil {
		return f, cause(err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	switch err := dec.Decode(&f); {
	case errors.Is(err, io.EOF): // nothing is said in it
	case err != nil:
		return f, errors.New(plainYAML(err))
	}
	if dec.Decode(&struct{}{}) != io.EOF {
		return f, errors.New("there is more than one document in it")
	}
	return f, nil
}

// plainYAML takes Go's names out of an error of the YAML package.
func plainYAML(err error) string {
	s := strings.TrimPrefix(err.Error(), "yaml: ")
	s = strings.ReplaceAll(strings.TrimPrefix(s, "unmarshal errors:\n"), "\n", ";")
	s = strings.ReplaceAll(s, " in type main.configFile", ", which is no member that may stand here")
	return strings.TrimSpace(s)
}
