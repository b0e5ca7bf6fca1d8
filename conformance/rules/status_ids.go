package rules

import (
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// Ids that no session has. One that looks like the agent's own is worth more than one that gives itself away by its form, but where
// ids are short, or counted, what looks like one may well be one.

// mutant is an id that differs from a real one in one letter or digit, or a random one where that might be another session's.
func mutant(c *rule.Case, id string) string {
	if m, ok := farNeighbour(id, []string{id}); ok {
		return m
	}
	return c.UnknownID()
}

// neighbours are the sessions that the suite knows of on an agent, and whether there can be no others.
type neighbours struct {
	known []string
	alone bool
}

// inCompany opens a session, on an agent with a HOME of its own where there is one: then the agent has no session but this one.
func inCompany(c *rule.Case) (*client.Session, neighbours) {
	home, own := c.Env.OwnHome()
	if !own {
		home = ""
	}
	cl := c.ConnectAt(home)
	s := c.NewSessionOn(cl)
	// An agent in this process may have its sessions somewhere else than in its HOME.
	_, process := cl.Peer.(interface{ Pid() int })
	n := neighbours{known: []string{s.ID}, alone: own && (process || c.Env.Facts.Fake)}
	if c.Advertises("sessionCapabilities.list") {
		rows, _, _ := cl.List()
		for _, r := range rows {
			n.known = append(n.known, r.ID)
		}
	}
	return s, n
}

// stranger is an id that differs from a real one in one letter or digit and that surely no session has; ok is false where that is
// not sure of any.
func (n neighbours) stranger(id string) (stranger string, ok bool) {
	if m, ok := farNeighbour(id, n.known); ok {
		return m, true
	}
	runes := []rune(id)
	for i := len(runes) - 1; i >= 0 && n.alone; i-- {
		for _, r := range alphabetOf(runes[i], true) {
			changed := slices.Clone(runes)
			changed[i] = r
			if m := string(changed); !slices.Contains(n.known, m) {
				return m, true
			}
		}
	}
	return "", false
}

// maybe tells whether an id that is made of a real one may be a session's.
func (n neighbours) maybe(id string) bool {
	return slices.Contains(n.known, id) || !n.alone && len([]rune(id)) <= far
}

// far is how many characters have to stand behind one that is changed: an id that is counted is then a thousand sessions away.
const far = 3

// farNeighbour changes a letter or digit of the last group of an id, and makes it larger where it can: the id of a new session is the
// last one of those that are counted, and the larger ones are still to come.
func farNeighbour(id string, known []string) (string, bool) {
	runes := []rune(id)
	begin, end := lastGroup(runes)
	hexadecimal := strings.Trim(strings.ToLower(string(runes[begin:end])), digits+hexLetters) == ""
	for i := begin; i+far < end; i++ {
		alphabet := []rune(alphabetOf(runes[i], hexadecimal))
		largest := alphabet[len(alphabet)-1]
		if runes[i] == largest {
			continue
		}
		changed := slices.Clone(runes)
		changed[i] = largest
		if m := string(changed); !slices.Contains(known, m) {
			return m, true
		}
	}
	return "", false
}

const (
	digits     = "0123456789"
	hexLetters = "abcdef"
	letters    = "abcdefghijklmnopqrstuvwxyz"
)

// alphabetOf are the characters that may stand in a character's place: what is hexadecimal stays so.
func alphabetOf(r rune, hexadecimal bool) string {
	alphabets := []string{digits, letters, strings.ToUpper(letters)}
	if hexadecimal {
		alphabets = append([]string{hexLetters, strings.ToUpper(hexLetters)}, alphabets...)
	}
	for _, alphabet := range alphabets {
		if strings.ContainsRune(alphabet, r) {
			return alphabet
		}
	}
	return string(r)
}

// lastGroup finds the last letters and digits of an id that stand together.
func lastGroup(runes []rune) (begin, end int) {
	end = len(runes)
	for end > 0 && !alphanumeric(runes[end-1]) {
		end--
	}
	begin = end
	for begin > 0 && alphanumeric(runes[begin-1]) {
		begin--
	}
	return begin, end
}

func alphanumeric(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
