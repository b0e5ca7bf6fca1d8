package equality

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// officialDir is where npm puts the official schemas.
const officialDir = "../node_modules/@agentclientprotocol/sdk/schema"

// official is one edition of the official schema.
type official struct {
	name     string
	protocol int
	stable   bool

	raw     map[string]any // the definitions as they are written, numbers as json.Number
	defs    map[string]*node
	names   []string // of the definitions that we have to have, sorted
	plain   map[string]*jsonschema.Schema
	unknown []string // keywords that this package would ignore without knowing what they mean
	listed  []any    // every value that some definition lists

	lock   sync.Mutex
	formed map[*node][]*form
}

// editions loads the four official editions, and skips the test where they are not installed.
func editions(t *testing.T) []*official {
	t.Helper()
	if os.Getenv("ACP_CONFORM_INTEROP") == "required" {
		t.Cleanup(func() {
			if t.Skipped() {
				t.Error("ACP_CONFORM_INTEROP=required: this test must not be skipped")
			}
		})
	}
	if _, err := os.Stat(officialDir); err != nil {
		t.Skip("@agentclientprotocol/sdk is not installed: cd conformance/interop && npm ci")
	}
	all, err := loadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var loadAll = sync.OnceValues(func() ([]*official, error) {
	var all []*official
	for _, o := range []*official{
		{name: "v1", protocol: 1, stable: true}, {name: "v1-unstable", protocol: 1},
		{name: "v2", protocol: 2, stable: true}, {name: "v2-unstable", protocol: 2},
	} {
		if err := o.load(); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
})

func (o *official) load() error {
	folder, _, unstable := strings.Cut(o.name, "-")
	file := "schema.json"
	if unstable {
		file = "schema.unstable.json"
	}
	text, err := os.ReadFile(filepath.Join(officialDir, folder, file))
	if err != nil {
		return err
	}
	var doc struct {
		Defs map[string]any `json:"$defs"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		return err
	}
	o.raw = doc.Defs
	for _, name := range slices.Sorted(maps.Keys(doc.Defs)) {
		// Unions of whole messages are no business of our schemas, nor is what others add under methods of their own.
		if doc.Defs[name].(map[string]any)["x-docs-ignore"] != true && !slices.Contains(extensions, name) {
			o.names = append(o.names, name)
		}
	}
	o.parse()
	o.listed = listedIn(o.raw, nil)
	return o.compile(text)
}

// extensions may hold any JSON at all.
var extensions = []string{"ExtRequest", "ExtResponse", "ExtNotification"}

// listedIn collects the values of const and enum, each once, in the order of the names around them.
func listedIn(raw any, found []any) []any {
	switch raw := raw.(type) {
	case []any:
		for _, one := range raw {
			found = listedIn(one, found)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(raw)) {
			values, isList := raw[key].([]any)
			switch {
			case key == "const":
				values = []any{raw[key]}
			case key != "enum" || !isList:
				found = listedIn(raw[key], found)
				continue
			}
			for _, v := range values {
				if _, nested := v.(map[string]any); !nested && !slices.Contains(found, v) {
					found = append(found, v)
				}
			}
		}
	}
	return found
}

// bearsMethod reports whether a definition is the whole params or result of a method.
func (o *official) bearsMethod(name string) bool {
	_, ok := o.raw[name].(map[string]any)["x-method"]
	return ok
}

// compile makes the validator whose verdicts count as official: the published text as it is, and of its formats those that
// state a range of integers. The other formats are for strings, and readers do not refuse a message for them.
func (o *official) compile(text []byte) error {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.AssertFormat = true
	for format := range jsonschema.Formats {
		c.Formats[format] = func(any) bool { return true }
	}
	for format, r := range integerRanges {
		c.Formats[format] = func(v any) bool {
			n, ok := v.(json.Number)
			return !ok || r.contains(n)
		}
	}
	url := "official://" + o.name + "/schema.json"
	if err := c.AddResource(url, bytes.NewReader(text)); err != nil {
		return err
	}
	o.plain = map[string]*jsonschema.Schema{}
	for _, name := range o.names {
		s, err := c.Compile(url + "#/$defs/" + name)
		if err != nil {
			return err
		}
		o.plain[name] = s
	}
	return nil
}

// integerRange is what a format of integers allows.
type integerRange struct{ min, max *big.Int }

var integerRanges = map[string]integerRange{
	"int32": signed(32), "int64": signed(64), "uint16": unsigned(16), "uint32": unsigned(32), "uint64": unsigned(64),
}

func signed(bits uint) integerRange {
	half := new(big.Int).Lsh(big.NewInt(1), bits-1)
	return integerRange{new(big.Int).Neg(half), new(big.Int).Sub(half, big.NewInt(1))}
}

func unsigned(bits uint) integerRange {
	end := new(big.Int).Lsh(big.NewInt(1), bits)
	return integerRange{new(big.Int), end.Sub(end, big.NewInt(1))}
}

func (r integerRange) contains(n json.Number) bool {
	x, ok := new(big.Rat).SetString(string(n))
	return ok && x.Cmp(new(big.Rat).SetInt(r.min)) >= 0 && x.Cmp(new(big.Rat).SetInt(r.max)) <= 0
}
