package conformance_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	module = "github.com/acp-conform/acp-conform/"
	root   = ".."
)

// arrows are the packages of ours that a package may import, its tests left aside. They all point one way.
var arrows = map[string][]string{
	"schemas":              {},
	"conformance/wire":     {},
	"conformance/result":   {},
	"conformance/client":   {"conformance/wire", "schemas"},
	"conformance/rule":     {"conformance/client", "conformance/wire", "conformance/result", "schemas"},
	"conformance/canary":   {},
	"conformance/stimulus": {"conformance/rule", "conformance/client", "conformance/wire"},
	"conformance/rules": {"conformance/canary", "conformance/stimulus", "conformance/rule", "conformance/client", "conformance/wire",
		"conformance/result", "schemas"},
	"conformance/engine": {"conformance/rules", "conformance/stimulus", "conformance/rule", "conformance/client",
		"conformance/wire", "conformance/result", "schemas"},
	"conformance": {"conformance/engine", "conformance/rules", "conformance/stimulus", "conformance/rule",
		"conformance/client", "conformance/wire", "conformance/result", "schemas"},
	"conformance/judge":           {"conformance/rules", "conformance/rule", "conformance/wire", "conformance/result", "schemas"},
	"conformance/judge/reference": {"conformance/client", "conformance/wire"},
	"conformance/selftest": {"conformance/engine", "conformance/rules", "conformance/stimulus", "conformance/rule",
		"conformance/client", "conformance/wire", "conformance/result", "fakeagent", "conformance/judge", "conformance/judge/reference", "fakeagent/hostile"},
	"conformance/fuzz":     {"conformance/client", "conformance/wire", "conformance/result", "schemas"},
	"conformance/steady":   {}, // only tests
	"conformance/redact":   {"conformance/result"},
	"conformance/baseline": {"conformance/result"},
	"conformance/compare":  {"conformance/result"},
	"fakeagent/hostile":    {"fakeagent"},
	"fakeagent":            {},
	"reports":              {"conformance/result"},
}

// ginkgoPath is the package that only the package conformance and its tests may import.
const ginkgoPath = "github.com/onsi/ginkgo/"

type listed struct {
	ImportPath, Name                   string
	Imports, TestImports, XTestImports []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Name,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.Bytes())
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// ours are the imports of this module, without its path.
func ours(imports []string) []string {
	var own []string
	for _, i := range imports {
		if rest, ok := strings.CutPrefix(i, module); ok {
			own = append(own, rest)
		}
	}
	return own
}

func TestImportsPointOneWay(t *testing.T) {
	all := packages(t)
	if len(all) < 10 {
		t.Fatalf("only %d packages were listed", len(all))
	}
	for _, p := range all {
		name := strings.TrimPrefix(p.ImportPath, module)
		if strings.HasPrefix(name, "cmd/") {
			continue // may import everything
		}
		allowed, ok := arrows[name]
		if !ok {
			t.Errorf("%s is a package without arrows: say in this test what it may import", name)
		}
		for _, i := range ours(p.Imports) {
			if !slices.Contains(allowed, i) {
				t.Errorf("%s imports %s", name, i)
			}
		}
	}
}

func TestTheFakeAgentSharesNothingWithTheSuite(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath != module+"fakeagent" {
			continue
		}
		for _, i := range ours(slices.Concat(p.TestImports, p.XTestImports)) {
			if i != "fakeagent" && i != "schemas" {
				t.Errorf("a test of fakeagent imports %s", i)
			}
		}
	}
}

func TestOnlyThisPackageImportsGinkgo(t *testing.T) {
	for _, p := range packages(t) {
		for _, i := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if strings.HasPrefix(i, ginkgoPath) && p.ImportPath != module+"conformance" {
				t.Errorf("%s imports %s", p.ImportPath, i)
			}
		}
	}
}

func TestResultIsPlainData(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath != module+"conformance/result" {
			continue
		}
		for _, i := range p.Imports {
			if strings.Contains(i, ".") || i == "time" {
				t.Errorf("conformance/result imports %s", i)
			}
		}
	}
}

func TestNothingHappensAtImport(t *testing.T) {
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		files++
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, m := range mistakes(f, strings.HasSuffix(path, "_test.go")) {
			t.Errorf("%s: %s", set.Position(m.pos), m.text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Errorf("only %d files were read", files)
	}
}

func TestMistakesAreFound(t *testing.T) {
	const source = `package p
import _ "embed"
import "os"
func init() { os.Exit(1) }
func (x) init() {}
func TestMain(m *testing.M) { os.Exit(m.Run()) }`
	f, err := parser.ParseFile(token.NewFileSet(), "p_test.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range mistakes(f, true) {
		got = append(got, m.text)
	}
	if want := "[blank import of \"embed\" func init os.Exit outside of main and TestMain]"; fmt.Sprint(got) != want {
		t.Errorf("got  %v\nwant %s", got, want)
	}
}

type mistake struct {
	pos  token.Pos
	text string
}

// mistakes finds what happens at import, and what ends the process elsewhere than in main and TestMain.
func mistakes(f *ast.File, test bool) []mistake {
	var found []mistake
	for _, i := range f.Imports {
		if i.Name != nil && i.Name.Name == "_" {
			found = append(found, mistake{i.Pos(), "blank import of " + i.Path.Value})
		}
	}
	for _, d := range f.Decls {
		fn, isFunc := d.(*ast.FuncDecl)
		if isFunc && fn.Recv == nil && fn.Name.Name == "init" {
			found = append(found, mistake{d.Pos(), "func init"})
		}
		if f.Name.Name == "main" || isFunc && test && fn.Name.Name == "TestMain" {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && (x.Name == "os" && s.Sel.Name == "Exit" || x.Name == "log" && strings.HasPrefix(s.Sel.Name, "Fatal")) {
				found = append(found, mistake{s.Pos(), x.Name + "." + s.Sel.Name + " outside of main and TestMain"})
			}
			return true
		})
	}
	return found
}
