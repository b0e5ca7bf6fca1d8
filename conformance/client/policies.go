package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// defaultPolicies answer every request that an agent of v1 may send: permission rejected, files and terminals served for
// real inside the session's directories, elicitation declined. See https://agentclientprotocol.com/protocol/v1/overview#client.
func defaultPolicies(c *Client) map[string]Policy {
	plain := func(f func(json.RawMessage) (any, *Error)) Policy {
		return func(a *Ask) (any, *Error) { return f(a.Params) }
	}
	return map[string]Policy{
		"session/request_permission": RejectPermission,
		"fs/read_text_file":          plain(c.files.read),
		"fs/write_text_file":         plain(c.files.write),
		"terminal/create":            plain(c.terms.create),
		"terminal/output":            plain(c.terms.output),
		"terminal/kill":              plain(c.terms.kill),
		"terminal/release":           plain(c.terms.release),
		"terminal/wait_for_exit":     func(a *Ask) (any, *Error) { defer c.lasts()(); return c.terms.waitForExit(c.ctx, a.Params) },
		"elicitation/create":         func(*Ask) (any, *Error) { return map[string]any{"action": "decline"}, nil },
	}
}

// RejectPermission chooses the first option that rejects; without one it answers with an error, which permits nothing.
func RejectPermission(a *Ask) (any, *Error) { return choose(a, "reject_once", "reject_always") }

// AllowPermission chooses the first option that allows once.
func AllowPermission(a *Ask) (any, *Error) { return choose(a, "allow_once", "allow_always") }

// CancelledPermission is the answer that a client owes after session/cancel.
func CancelledPermission() any {
	return map[string]any{"outcome": map[string]any{"outcome": "cancelled"}}
}

func choose(a *Ask, kinds ...string) (any, *Error) {
	var p struct {
		Options []struct{ OptionID, Kind string }
	}
	_ = json.Unmarshal(a.Params, &p)
	for _, kind := range kinds {
		for _, o := range p.Options {
			if o.Kind == kind {
				return map[string]any{"outcome": map[string]any{"outcome": "selected", "optionId": o.OptionID}}, nil
			}
		}
	}
	return nil, &Error{Code: CodeInvalidParams, Message: "none of the options is of the kind that this client chooses"}
}

// RealDir gives the path of a directory without symlinks, so that both sides spell it alike.
func RealDir(dir string) (string, error) { return filepath.EvalSymlinks(dir) }

// WriteFile writes a file of the suite's own into a directory that was made for an agent, which may have put something else in its
// place: nothing is written outside of it.
func WriteFile(dir, name, content string) (path string, err error) {
	root, err := openDir(dir)
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }()
	return filepath.Join(dir, name), root.WriteFile(name, []byte(content), 0o600)
}

// openDir opens a directory without symlinks in its path. The agent may exchange it for a symlink at any moment, and back: only what
// has been opened tells whether it was itself.
func openDir(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	there, missing := os.Lstat(dir)
	if err = errors.Join(err, missing, unmoved(dir)); err == nil && !os.SameFile(opened, there) {
		err = fmt.Errorf("%s has been replaced", dir)
	}
	if err != nil {
		_ = root.Close()
		return nil, err
	}
	return root, nil
}

// unmoved checks that a directory without symlinks in its path is still that.
func unmoved(dir string) error {
	real, err := RealDir(dir)
	if err == nil && real != dir {
		err = fmt.Errorf("%s has been replaced and leads to %s now", dir, real)
	}
	return err
}
