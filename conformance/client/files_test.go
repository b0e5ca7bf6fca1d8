package client

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func servedFiles(t *testing.T) (*files, string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &files{}
	f.add(root)
	return f, root
}

func put(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func asParams(t *testing.T, v any) json.RawMessage {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func readParams(t *testing.T, path string, window ...any) json.RawMessage {
	p := map[string]any{"sessionId": "s", "path": path}
	for i, name := range []string{"line", "limit"} {
		if i < len(window) {
			p[name] = window[i]
		}
	}
	return asParams(t, p)
}

func writeParams(t *testing.T, path, content string) json.RawMessage {
	return asParams(t, map[string]any{"sessionId": "s", "path": path, "content": content})
}

func wantJSON(t *testing.T, got any, failure *Error, want string) {
	t.Helper()
	if failure != nil {
		t.Fatalf("got %v, want %s", failure, want)
	}
	if s := string(asParams(t, got)); s != want {
		t.Fatalf("got %s, want %s", s, want)
	}
}

func wantCode(t *testing.T, failure *Error, code int, part string) {
	t.Helper()
	if failure == nil || failure.Code != code || !strings.Contains(failure.Message, part) {
		t.Fatalf("got %v, want error %d with %q", failure, code, part)
	}
}

func wantData(t *testing.T, failure *Error, name, value string) {
	t.Helper()
	if want := string(asParams(t, map[string]string{name: value})); string(failure.Data) != want {
		t.Fatalf("data is %s, want %s", failure.Data, want)
	}
}

func TestReadGivesTheWindow(t *testing.T) {
	f, root := servedFiles(t)
	path := put(t, filepath.Join(root, "a.txt"), "one\ntwo\r\n\nfour")
	for _, c := range []struct {
		window []any
		want   string
	}{
		{nil, `{"content":"one\ntwo\r\n\nfour"}`},
		{[]any{nil, nil}, `{"content":"one\ntwo\r\n\nfour"}`},
		{[]any{1}, `{"content":"one\ntwo\r\n\nfour"}`},
		{[]any{2, 1}, `{"content":"two\r\n"}`},
		{[]any{2, 2}, `{"content":"two\r\n\n"}`},
		{[]any{4, 9}, `{"content":"four"}`},
		{[]any{5, 1}, `{"content":""}`},
		{[]any{uint32(4294967295), uint32(4294967295)}, `{"content":""}`},
		{[]any{nil, 1}, `{"content":"one\n"}`},
		{[]any{nil, 0}, `{"content":""}`},
	} {
		got, failure := f.read(readParams(t, path, c.window...))
		wantJSON(t, got, failure, c.want)
	}
}

func TestReadOfAMissingFileNamesIt(t *testing.T) {
	f, root := servedFiles(t)
	for _, path := range []string{filepath.Join(root, "none"), filepath.Join(root, "no", "dir", "none")} {
		_, failure := f.read(readParams(t, path))
		wantCode(t, failure, CodeNotFound, "there is no file")
		wantData(t, failure, "path", path)
	}
}

func TestFilesRefuseBadParameters(t *testing.T) {
	f, root := servedFiles(t)
	path := put(t, filepath.Join(root, "a"), "x")
	for _, window := range [][]any{{0}, {-1}, {"1"}, {1.5}, {1, -1}, {1, true}, {uint64(1) << 32}} {
		_, failure := f.read(readParams(t, path, window...))
		wantCode(t, failure, CodeInvalidParams, "")
	}
	for _, bad := range []string{``, `null`, `[]`, `"x"`, `{}`, `{"path":"/x"}`, `{"sessionId":"s"}`, `{"sessionId":1,"path":"/x"}`, `{"sessionId":"s","path":null}`} {
		_, failure := f.read(json.RawMessage(bad))
		wantCode(t, failure, CodeInvalidParams, "")
		_, failure = f.write(json.RawMessage(bad))
		wantCode(t, failure, CodeInvalidParams, "")
	}
	_, failure := f.write(readParams(t, path))
	wantCode(t, failure, CodeInvalidParams, "content")
}

func TestFilesTakeAbsolutePathsOnly(t *testing.T) {
	f, root := servedFiles(t)
	put(t, filepath.Join(root, "a"), "x")
	t.Chdir(root)
	for _, path := range []string{"", "a", "./a", "file://" + filepath.ToSlash(root) + "/a"} {
		_, failure := f.read(readParams(t, path))
		wantCode(t, failure, CodeInvalidParams, "not absolute")
		_, failure = f.write(writeParams(t, path, "y"))
		wantCode(t, failure, CodeInvalidParams, "not absolute")
	}
}

func TestWriteMakesAndReplacesFiles(t *testing.T) {
	f, root := servedFiles(t)
	for _, path := range []string{filepath.Join(root, "new"), filepath.Join(root, "x", "y", "new")} {
		for _, content := range []string{"a longer first content\n", "short", ""} {
			got, failure := f.write(writeParams(t, path, content))
			wantJSON(t, got, failure, `{}`)
			if b, err := os.ReadFile(path); err != nil || string(b) != content {
				t.Fatalf("the file has %q (%v), want %q", b, err, content)
			}
		}
	}
}

func TestWriteBelowAFileFails(t *testing.T) {
	f, root := servedFiles(t)
	path := put(t, filepath.Join(root, "a"), "x")
	_, failure := f.write(writeParams(t, filepath.Join(path, "b"), "y"))
	if failure == nil || failure.Code != CodeInternal {
		t.Fatalf("got %v", failure)
	}
}

func TestFilesStayInsideTheirRoots(t *testing.T) {
	f, root := servedFiles(t)
	other, otherRoot := servedFiles(t)
	secret := put(t, filepath.Join(otherRoot, "secret"), "s")
	for _, path := range []string{
		secret,
		filepath.Join(otherRoot, "new"),
		filepath.Join(otherRoot, "new", "dir", "file"),
		filepath.Dir(root),
		root + "beside",
		root + string(filepath.Separator) + ".." + string(filepath.Separator) + "up",
	} {
		_, failure := f.read(readParams(t, path))
		wantCode(t, failure, CodeInvalidParams, "outside of the session's directories")
		_, failure = f.write(writeParams(t, path, "y"))
		wantCode(t, failure, CodeInvalidParams, "outside of the session's directories")
	}
	got, failure := other.read(readParams(t, secret))
	wantJSON(t, got, failure, `{"content":"s"}`)
	if entries, err := os.ReadDir(otherRoot); err != nil || len(entries) != 1 {
		t.Fatalf("something was made outside: %v %v", entries, err)
	}
	f.add(otherRoot)
	got, failure = f.read(readParams(t, secret))
	wantJSON(t, got, failure, `{"content":"s"}`)
}

func TestNoRootsServeNothing(t *testing.T) {
	f := &files{}
	dir := t.TempDir()
	f.add(filepath.Join(dir, "missing"))
	f.add("relative")
	_, failure := f.read(readParams(t, put(t, filepath.Join(dir, "a"), "x")))
	wantCode(t, failure, CodeInvalidParams, "outside")
}

func link(t *testing.T, target, name string) string {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip("no symlinks here:", err)
	}
	return name
}

func TestSymlinksDoNotLeadOut(t *testing.T) {
	f, root := servedFiles(t)
	_, away := servedFiles(t)
	secret := put(t, filepath.Join(away, "secret"), "s")
	up, err := filepath.Rel(root, away)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		link(t, secret, filepath.Join(root, "file")),
		link(t, filepath.Join(away, "none"), filepath.Join(root, "dangling")),
		link(t, filepath.Join(up, "none"), filepath.Join(root, "relative")),
		filepath.Join(link(t, away, filepath.Join(root, "dir")), "secret"),
		filepath.Join(root, "dir", "new"),
		filepath.Join(link(t, filepath.Join(away, "nodir"), filepath.Join(root, "gone")), "new"),
	} {
		_, failure := f.read(readParams(t, path))
		if failure == nil {
			t.Fatalf("%s was read", path)
		}
		if _, failure = f.write(writeParams(t, path, "overwritten")); failure == nil {
			t.Fatalf("%s was written", path)
		}
	}
	_, failure := f.write(writeParams(t, filepath.Join(root, "dangling"), "x"))
	wantCode(t, failure, CodeInvalidParams, "outside of the session's directories")
	if b, err := os.ReadFile(secret); err != nil || string(b) != "s" {
		t.Fatalf("the file outside has %q (%v)", b, err)
	}
	if entries, err := os.ReadDir(away); err != nil || len(entries) != 1 {
		t.Fatalf("something was made outside: %v %v", entries, err)
	}
}

func TestSymlinksInsideAreFollowed(t *testing.T) {
	f, root := servedFiles(t)
	target := put(t, filepath.Join(root, "a"), "x")
	alias := link(t, target, filepath.Join(root, "alias"))
	_, failure := f.write(writeParams(t, alias, "y"))
	if failure != nil {
		t.Fatal(failure)
	}
	got, failure := f.read(readParams(t, target))
	wantJSON(t, got, failure, `{"content":"y"}`)
	byLink := &files{}
	byLink.add(link(t, root, filepath.Join(t.TempDir(), "root")))
	got, failure = byLink.read(readParams(t, target))
	wantJSON(t, got, failure, `{"content":"y"}`)
}

func TestDirectoriesAreNotFiles(t *testing.T) {
	f, root := servedFiles(t)
	_, failure := f.read(readParams(t, root))
	wantCode(t, failure, CodeInvalidParams, "not a regular file")
	_, failure = f.write(writeParams(t, root, "x"))
	wantCode(t, failure, CodeInvalidParams, "not a regular file")
}

func TestFilesHaveALargestSize(t *testing.T) {
	f, root := servedFiles(t)
	path, most := filepath.Join(root, "big"), strings.Repeat("x", fileLimit)
	got, failure := f.write(writeParams(t, path, most))
	wantJSON(t, got, failure, `{}`)
	if _, failure = f.read(readParams(t, path)); failure != nil {
		t.Fatal(failure)
	}
	_, failure = f.write(writeParams(t, path, most+"x"))
	wantCode(t, failure, CodeInternal, "at most 8388608")
	put(t, path, most+"x")
	_, failure = f.read(readParams(t, path, 1, 1))
	wantCode(t, failure, CodeInternal, "at most 8388608")
}

func TestFilesServeAtTheSameTime(t *testing.T) {
	f, root := servedFiles(t)
	path := put(t, filepath.Join(root, "a"), "x")
	params := readParams(t, path)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { f.add(root) })
		all.Go(func() {
			if _, failure := f.read(params); failure != nil {
				t.Error(failure)
			}
		})
	}
	all.Wait()
}
