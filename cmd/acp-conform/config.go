package main

import (
	"path/filepath"

	"github.com/acp-conform/acp-conform/conformance"
)

// configFile is the file of --config: what the user knows about the agent. Every member may be left out.
type configFile struct {
	prompts map[string]string
	profile conformance.Profile
}

// checkConfig reads the file of --config.
func (o *options) checkConfig(g *guard, cfg *conformance.Config) error {
	if o.configFile == "" {
		return nil
	}
	data, err := g.readFile(o.configFile, mostSettings)
	if err != nil {
		return about("--config", o.configFile, err, "--init writes such a file, named "+configName)
	}
	f, err := readConfig(o.configFile, data)
	if err != nil {
		return err
	}
	cfg.Prompts, cfg.Profile = f.prompts, f.profile
	cfg.ConfigFile, err = filepath.Abs(o.configFile)
	return err
}
