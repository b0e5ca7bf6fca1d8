package baseline

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// NewReason is the reason of an entry that the tool has made: whoever keeps the file replaces it.
const NewReason = "not looked into yet"

// opening is how a new file begins.
const opening = `# Rules that the agent is known not to keep. An entry needs rule and reason; link, owner and expires
# (a day such as 2026-12-31) are optional.
`

// Refresh makes the baseline say what a run has shown: entries of rules that pass now are dropped, and rules that fail (with strict
// also those that warn) get an entry. With shrinkOnly nothing is added, and the error, ErrNew, names what would have been.
func (f *File) Refresh(run result.Run, strict, shrinkOnly bool) error {
	passes, added := map[string]bool{}, []string{}
	for _, o := range run.Rules {
		_, listed := f.find(o.ID)
		switch {
		case o.Verdict == result.Pass:
			passes[o.ID] = true
		case !listed && (o.Verdict == result.Fail || strict && o.Verdict == result.Warn):
			added = append(added, o.ID)
		}
	}
	f.Entries = slices.DeleteFunc(slices.Clone(f.Entries), func(e Entry) bool { return passes[e.Rule] })
	if shrinkOnly && len(added) > 0 {
		return fmt.Errorf("%w: it does not know of %s", ErrNew, strings.Join(some(added), ", "))
	}
	for _, id := range added {
		f.Entries = append(f.Entries, Entry{Rule: id, Reason: NewReason})
	}
	return nil
}

// Text is the file as YAML. Where nothing has changed it is what was read, byte by byte. What has not changed keeps its bytes, too, except
// in lists in brackets, which are written anew with all that the file says.
func (f *File) Text() ([]byte, error) {
	if strings.TrimSpace(f.source) == "" {
		if len(f.Entries) == 0 {
			return []byte(opening + listKey + ": []\n"), nil
		}
		return []byte(opening + listKey + ":\n" + f.newEntries("  ", " ")), nil
	}
	text, ok := f.source, true
	if len(f.added()) > 0 || len(f.written()) > len(f.Entries) {
		text, ok = f.edited()
	}
	if !ok {
		var err error
		if text, err = f.encoded(); err != nil {
			return nil, err
		}
	}
	return []byte(f.mark + text), nil
}

// written are the entries that stand in the text.
func (f *File) written() []*yaml.Node {
	if f.list == nil {
		return nil
	}
	return f.list.Content
}

// added are the entries that the text does not have.
func (f *File) added() []Entry {
	return slices.DeleteFunc(slices.Clone(f.Entries), func(e Entry) bool {
		return slices.ContainsFunc(f.written(), func(n *yaml.Node) bool { return ruleOf(n) == e.Rule })
	})
}

func text(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }

func ruleOf(entry *yaml.Node) string {
	for i := 0; i+1 < len(entry.Content); i += 2 {
		if entry.Content[i].Value == "rule" {
			return entry.Content[i+1].Value
		}
	}
	return ""
}

// encoded is the file written anew.
func (f *File) encoded() (string, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(strings.ReplaceAll(f.source, "\r\n", "\n")), &doc); err != nil {
		return "", err
	}
	list := makeList(&doc)
	list.Content = slices.DeleteFunc(list.Content, func(n *yaml.Node) bool {
		_, stays := f.find(ruleOf(n))
		return !stays
	})
	for _, e := range f.added() {
		list.Content = append(list.Content, &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{text("rule"), text(e.Rule), text("reason"), text(e.Reason)}})
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(&doc); err != nil {
		return "", err
	}
	return strings.ReplaceAll(b.String(), "\n", f.newline()), e.Close()
}

// makeList gives the list of entries, and makes it where there is none.
func makeList(doc *yaml.Node) *yaml.Node {
	doc.Kind = yaml.DocumentNode
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		doc.Content = []*yaml.Node{{Kind: yaml.MappingNode, Tag: "!!map"}}
	}
	root := doc.Content[0]
	root.Style = 0
	for i := 0; i+1 < len(root.Content); i += 2 {
		if key, value := root.Content[i], root.Content[i+1]; key.Value == listKey {
			key.LineComment, value.LineComment = cmp.Or(key.LineComment, value.LineComment), "" // that of a list without brackets is not written
			if value.Kind != yaml.SequenceNode {
				*value = yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
			}
			value.Style = 0
			return value
		}
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	root.Content = append(root.Content, text(listKey), list)
	return list
}
