package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"syscall"
)

// fileLimit is the size in bytes beyond which a file is neither read nor written: one answer is one line on the wire.
const fileLimit = 8 << 20

// pathLimit is the length in bytes beyond which a path names nothing: systems have no longer ones. depthLimit is how many names it may
// have: to look into a path takes the square of that.
const (
	pathLimit  = 4096
	depthLimit = 256
)

// files serves fs/read_text_file and fs/write_text_file inside a set of root directories.
// See https://agentclientprotocol.com/protocol/v1/file-system.
type files struct {
	mu    sync.Mutex
	roots []string // real paths
}

// add opens a directory, and all that is in it, to the agent. One that does not exist cannot be told from a symlink to
// be made later, so it is left out.
func (f *files) add(root string) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil || !filepath.IsAbs(real) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.roots = append(f.roots, real)
}

// read gives the file, or the window of it that the agent asked for. Lines keep their ends, so that windows that follow
// each other add up to the file.
func (f *files) read(params json.RawMessage) (any, *Error) {
	var p struct {
		SessionID *string `json:"sessionId"`
		Path      *string `json:"path"`
		Line      *uint32 `json:"line"`
		Limit     *uint32 `json:"limit"`
	}
	switch err := json.Unmarshal(params, &p); {
	case err != nil:
		return nil, badFile("the parameters cannot be read: %v", err)
	case p.SessionID == nil || p.Path == nil:
		return nil, badFile("sessionId and path are required")
	case p.Line != nil && *p.Line == 0:
		return nil, badFile("line is 1-based, so there is no line 0")
	}
	content, failure := f.load(*p.Path)
	if failure != nil {
		return nil, failure
	}
	if p.Line != nil {
		content = content[linesLength(content, uint64(*p.Line)-1):]
	}
	if p.Limit != nil {
		content = content[:linesLength(content, uint64(*p.Limit))]
	}
	return map[string]string{"content": content}, nil
}

// write replaces the content of a file and makes it, with its parents, if it is missing.
func (f *files) write(params json.RawMessage) (any, *Error) {
	var p struct {
		SessionID *string `json:"sessionId"`
		Path      *string `json:"path"`
		Content   *string `json:"content"`
	}
	switch err := json.Unmarshal(params, &p); {
	case err != nil:
		return nil, badFile("the parameters cannot be read: %v", err)
	case p.SessionID == nil || p.Path == nil || p.Content == nil:
		return nil, badFile("sessionId, path and content are required")
	case len(*p.Content) > fileLimit:
		return nil, tooLarge("the content", int64(len(*p.Content)))
	}
	if failure := f.store(*p.Path, *p.Content); failure != nil {
		return nil, failure
	}
	return struct{}{}, nil
}

func (f *files) load(path string) (string, *Error) {
	root, rel, failure := f.locate(path)
	if failure != nil {
		return "", failure
	}
	file, failure := openRegular(root, rel, path, os.O_RDONLY)
	if failure != nil {
		return "", failure
	}
	defer func() { _ = file.Close() }()
	// The size is not asked first: the file may grow while it is read.
	b, err := io.ReadAll(io.LimitReader(file, fileLimit+1))
	if err != nil {
		return "", fileFailure(path, err)
	}
	if len(b) > fileLimit {
		return "", tooLarge(path, int64(len(b)))
	}
	return string(b), nil
}

func (f *files) store(path, content string) *Error {
	root, rel, failure := f.locate(path)
	if failure != nil {
		return failure
	}
	file, failure := openRegular(root, rel, path, os.O_WRONLY|os.O_CREATE)
	if failure != nil {
		return failure
	}
	// Not opened with O_TRUNC: nothing is emptied before it is known what has been opened.
	err := file.Truncate(0)
	if err == nil {
		_, err = io.WriteString(file, content)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return fileFailure(path, err)
	}
	return nil
}

// locate finds the root that holds a path, and the path inside it. Symlinks are resolved as far as the path exists.
func (f *files) locate(path string) (root, rel string, _ *Error) {
	switch {
	case len(path) > pathLimit:
		return "", "", badFile("the path %q… has %d bytes; this client serves paths of at most %d", path[:40], len(path), pathLimit)
	case strings.Count(path, string(filepath.Separator)) > depthLimit:
		return "", "", badFile("the path %q… has more than %d names", path[:40], depthLimit)
	case !filepath.IsAbs(path):
		return "", "", badFile("the path %q is not absolute", path)
	}
	real := resolveExisting(filepath.Clean(path))
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, root := range f.roots {
		if rel, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(rel) {
			return root, rel, nil
		}
	}
	return "", "", outside(path)
}

// resolveExisting resolves the deepest ancestor that can be resolved and leaves the rest as it is; a symlink to nothing
// may be in that rest, which is why the file is opened through its root. All ancestors of one that can be resolved can be, so the
// deepest is found by halves: a path may have many.
func resolveExisting(path string) string {
	var ends []int // of the ancestors, the deepest first: path[:end]
	for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], filepath.Separator) {
		ends = append(ends, end)
	}
	resolved := map[int]string{}
	n := sort.Search(len(ends), func(i int) bool {
		real, err := filepath.EvalSymlinks(path[:ends[i]])
		resolved[i] = real
		return err == nil
	})
	if n == len(ends) {
		return path
	}
	return filepath.Join(resolved[n], path[ends[n]:])
}

// openRegular opens a regular file below a root; os.Root keeps it there even if the tree changes meanwhile. What the
// path names is asked before opening, because opening a device may act on it, and on the descriptor, because it may have
// been exchanged in between; O_NONBLOCK makes sure that such an exchange cannot hang the client on a FIFO.
func openRegular(root, rel, path string, flag int) (*os.File, *Error) {
	dir, err := openDir(root)
	if err != nil {
		return nil, fileFailure(path, err)
	}
	defer func() { _ = dir.Close() }()
	if info, err := dir.Stat(rel); err == nil && !info.Mode().IsRegular() {
		return nil, notRegular(path)
	}
	if parent := filepath.Dir(rel); flag&os.O_CREATE != 0 && parent != "." {
		if err := dir.MkdirAll(parent, 0o755); err != nil {
			return nil, fileFailure(path, err)
		}
	}
	file, err := dir.OpenFile(rel, flag|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		return nil, fileFailure(path, err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		_ = file.Close()
		return nil, fileFailure(path, err)
	case !info.Mode().IsRegular():
		_ = file.Close()
		return nil, notRegular(path)
	}
	return file, nil
}

// linesLength is the length in bytes of the first n lines, ends included.
func linesLength(s string, n uint64) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		end := strings.IndexByte(s[at:], '\n')
		if end < 0 {
			return len(s)
		}
		at += end + 1
	}
	return at
}

// fileFailure is the answer to an error of the system. One without an error number is the refusal of os.Root to leave
// its directory.
func fileFailure(path string, err error) *Error {
	var number syscall.Errno
	switch {
	case errors.Is(err, fs.ErrNotExist):
		data, _ := json.Marshal(map[string]string{"path": path})
		return &Error{Code: CodeNotFound, Message: fmt.Sprintf("there is no file %q", path), Data: data}
	case errors.As(err, &number):
		return &Error{Code: CodeInternal, Message: fmt.Sprintf("%q: %v", path, number)}
	}
	return outside(path)
}

func badFile(format string, args ...any) *Error {
	return &Error{Code: CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

func outside(path string) *Error { return badFile("%q is outside of the session's directories", path) }

func notRegular(path string) *Error { return badFile("%q is not a regular file", path) }

func tooLarge(what string, size int64) *Error {
	return &Error{Code: CodeInternal, Message: fmt.Sprintf("%s has %d bytes or more; this client serves at most %d", what, size, fileLimit)}
}
