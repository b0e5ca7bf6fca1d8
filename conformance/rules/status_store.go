package rules

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"

	"github.com/acp-conform/acp-conform/conformance/rule"
)

// storeHash is oracle O8, which is no more than a remark: whether the files of the agent's store are the same before and after the
// questions. An agent may write there what it likes, such as a log.
func storeHash(c *rule.Case) {
	dir := c.Env.Profile.StoreDir
	sh := onShelf(c)
	if dir == "" || sh.own { // then the agent's store is a copy that nobody has named
		return
	}
	v := sh.open(c, 1)
	defer c.End(v.Client)
	before := hashOf(dir)
	v.others(probes(c))
	control := hashOf(dir)
	v.questions(c, v.sessions[0], probes(c))
	if after := hashOf(dir); before == control && after != control {
		c.Log.Note(rule.Finding{Why: "files of the agent's store changed while it was only asked", Found: dir, Oracle: "O8 store", Control: "as many other requests changed no file"})
	}
}

// hashOf is made of the names and the contents of the files below a directory.
func hashOf(dir string) string {
	h := sha256.New()
	root := os.DirFS(dir)
	_ = fs.WalkDir(root, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil
		}
		content, _ := fs.ReadFile(root, path)
		_, _ = fmt.Fprintf(h, "%s %x\n", path, sha256.Sum256(content))
		return nil
	})
	return fmt.Sprintf("%x", h.Sum(nil))
}
