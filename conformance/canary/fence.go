package canary

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// fenceStarts is how many canaries a fence starts, one after the other: whoever waits waits for a time as well.
const fenceStarts = 1

// Fence starts some canaries of its own, one after the other, and waits until each has noted its start and ended: a canary that
// somebody else had started before has noted its own by then, however busy the machine is. The words of self start this program. dir
// is where they note it.
func Fence(ctx context.Context, self []string, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	log := filepath.Join(dir, "fence.log")
	defer func() { _ = os.Remove(log) }()
	for range fenceStarts {
		cmd := exec.CommandContext(ctx, self[0], append(append([]string{}, self[1:]...), "--log", log)...)
		if err := cmd.Run(); err != nil { // its stdin is empty, so it ends at once
			return err
		}
	}
	if n, err := Count(log); err != nil || n.Starts < fenceStarts {
		return errors.Join(err, errors.New("a canary has not noted its start"))
	}
	return nil
}
