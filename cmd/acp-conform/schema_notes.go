package main

import (
	"fmt"
	"slices"

	"github.com/acp-conform/acp-conform/schemas"
)

// note tells what is odd without being invalid, as --format json writes it.
type note struct {
	Path    string          `json:"path"`
	Problem schemas.Problem `json:"problem"`
	Text    string          `json:"text"`
}

// The problems of members in notes; strings have those of schemas.Texts.
const (
	unknownMember  schemas.Problem = "unknown-member"
	unstableMember schemas.Problem = "unstable-member"
)

// How many there are at most of what schemas.UnknownMembers and schemas.Texts find.
const (
	mostUnknown = 50
	mostTexts   = 20
)

// notes collects what is odd. More tells that there may be more than was looked for.
func (o schemaOptions) notes(book *schemas.Book, d schemas.Definition, part []byte) (list []note, more bool) {
	list = []note{}
	unknown, texts := unknownMembers(book, d, part), textsOf(d, part)
	for _, u := range unknown {
		n := note{u.Path, unknownMember, fmt.Sprintf("no definition names the member %q", u.Key)}
		switch {
		case u.Unstable:
			n = note{u.Path, unstableMember, fmt.Sprintf("the member %q is known to the unstable edition only", u.Key)}
		case u.Nearest != "":
			n.Text += fmt.Sprintf("; perhaps %q is meant", u.Nearest)
		}
		list = append(list, n)
	}
	for _, f := range texts {
		list = append(list, note{f.Path, f.Problem, fmt.Sprintf("this should be %s, but is %s", f.Expected, f.Actual)})
	}
	return list, len(unknown) >= mostUnknown || len(texts) >= mostTexts
}

// counterpart finds what another edition says of the same part, or in the definition of that name.
func counterpart(e *schemas.Edition, d schemas.Definition) (schemas.Definition, bool) {
	switch {
	case e == nil:
		return d, false
	case d.Method != "":
		return e.Lookup(d.Method, d.Sender, d.Kind)
	}
	d.Edition = e
	return d, slices.Contains(e.Definitions(), d.Name)
}

// textsOf finds strings that look wrong. Published schemas hardly say what a string means, so our own definitions of the same
// part are asked as well, but for names: those are told by the schema in use, which may have more of them.
func textsOf(d schemas.Definition, part []byte) []schemas.Finding {
	found := schemas.Texts(d, part)
	ours, ok := counterpart(schemas.Ours().Edition(d.Edition.Protocol(), d.Edition.Stable()), d)
	if !ok || ours.Edition == d.Edition {
		return found
	}
	isName := func(f schemas.Finding) bool { return f.Problem == schemas.Name }
	found = slices.DeleteFunc(found, func(f schemas.Finding) bool { return !isName(f) })
	return append(found, slices.DeleteFunc(schemas.Texts(ours, part), isName)...)
}

// unknownMembers asks the unstable edition about the members that the stable one does not know.
func unknownMembers(book *schemas.Book, d schemas.Definition, part []byte) []schemas.Unknown {
	found := schemas.UnknownMembers(d, part)
	wider, ok := counterpart(book.Edition(d.Edition.Protocol(), false), d)
	if !d.Edition.Stable() || !ok {
		return found
	}
	for _, ahead := range schemas.UnknownMembers(wider, part) {
		for i, u := range found {
			if ahead.Unstable && u.Path == ahead.Path && u.Key == ahead.Key {
				found[i] = ahead
			}
		}
	}
	return found
}
