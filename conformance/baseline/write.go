package baseline

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// NewReason is the reason of an entry that the tool has made: whoever keeps the file replaces it.
const NewReason = "not looked into yet"

// Refresh makes the baseline say what a run has shown: entries of rules that pass now are dropped, and rules that fail (with strict
// also those that warn) get an entry. What else the file says stays, comments included. With shrinkOnly nothing is added, and the
// error, ErrNew, names what would have been.
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
	f.Entries = slices.DeleteFunc(f.Entries, func(e Entry) bool { return passes[e.Rule] })
	list := f.makeList()
	list.Content = slices.DeleteFunc(list.Content, func(n *yaml.Node) bool { return passes[ruleOf(n)] })
	if shrinkOnly && len(added) > 0 {
		return fmt.Errorf("%w: it does not know of %s", ErrNew, strings.Join(some(added), ", "))
	}
	for _, id := range added {
		f.Entries = append(f.Entries, Entry{Rule: id, Reason: NewReason})
		list.Content = append(list.Content, &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{text("rule"), text(id), text("reason"), text(NewReason)}})
	}
	return nil
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

// makeList gives the list of entries, and makes it where there is none.
func (f *File) makeList() *yaml.Node {
	if f.doc == nil {
		f.doc = &yaml.Node{Kind: yaml.DocumentNode, HeadComment: "# Rules that the agent is known not to keep. An entry needs rule and reason; link, owner and expires\n# (a day such as 2026-12-31) are optional."}
	}
	if len(f.doc.Content) == 0 || f.doc.Content[0].Kind != yaml.MappingNode {
		f.doc.Content = []*yaml.Node{{Kind: yaml.MappingNode, Tag: "!!map"}}
	}
	root := f.doc.Content[0]
	for i := 0; i+1 < len(root.Content); i += 2 {
		if value := root.Content[i+1]; root.Content[i].Value == listKey {
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

// Text is the file as YAML.
func (f *File) Text() ([]byte, error) {
	f.makeList()
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(f.doc); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}
