package client

import (
	"os"
	"path/filepath"
)

// RemoveDir removes a directory that agents have worked in, also where one of them has locked a part of it. The error says what is left.
func RemoveDir(root string) error {
	if os.RemoveAll(root) == nil {
		return nil
	}
	_ = filepath.WalkDir(root, func(path string, d os.DirEntry, _ error) error {
		if d != nil && d.IsDir() { // before it is read
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(root)
}
