package baseline

import (
	"strings"
	"testing"
)

const added = "  - rule: d.new\n    reason: not looked into yet\n"

// Lines that are not about what has changed keep every byte.
func TestRefreshKeepsWhatIsNotConcerned(t *testing.T) {
	for name, tt := range map[string]struct {
		before, verdicts, after string
	}{
		"nothing changes":                       {"known:\n- rule:   a.fails   # why\n  reason: >\n    one\n    two\n\n\n# end", "a.fails=fail", ""},
		"nothing changes in a list in brackets": {"known: [ {rule: a.fails,   reason: x} ]", "a.fails=fail", ""},
		"nothing changes in what has no list":   {"# none yet", "x.y=pass", ""},
		"a folded reason":                       {"known:\n  - rule: a.fails\n    reason: >\n      one\n      two\n", "d.new=fail", "known:\n  - rule: a.fails\n    reason: >\n      one\n      two\n" + added},
		"an empty line before a comment": {"known:\n  - rule: b.passes\n    reason: x\n\n  # of a\n  - rule: a.fails\n    reason: x     # really\n\n# end\n", "b.passes=pass",
			"known:\n\n  # of a\n  - rule: a.fails\n    reason: x     # really\n\n# end\n"},
		"an entry in the middle": {"known:\n  - rule: a.fails\n    reason: x\n\n  # of b\n  - rule: b.passes # gone\n    # inside\n    reason: x\n    # below\n\n  - rule: c.warns\n    reason: x\n", "b.passes=pass",
			"known:\n  - rule: a.fails\n    reason: x\n\n  - rule: c.warns\n    reason: x\n"},
		"the last entry": {"known:\n  - rule: a.fails\n    reason: x\n\n  - rule: b.passes\n    reason: x\n", "b.passes=pass", "known:\n  - rule: a.fails\n    reason: x\n"},
		"the last entry, and a new one": {"known:\n  - rule: a.fails\n    reason: x\n\n  - rule: b.passes\n    reason: x\n", "b.passes=pass d.new=fail",
			"known:\n  - rule: a.fails\n    reason: x\n\n" + added},
		"the only entry":               {"# c\nknown: # what we know\n  - rule: b.passes\n    reason: x\n# end\n", "b.passes=pass", "# c\nknown: # what we know\n# end\n"},
		"a comment at the end":         {"known:\n  - rule: a.fails\n    reason: x\n    # of a\n\n  # end\n", "d.new=fail", "known:\n  - rule: a.fails\n    reason: x\n    # of a\n" + added + "\n  # end\n"},
		"a comment that is a reason":   {"known:\n  - rule: b.passes\n    reason: |\n      see\n      # 12\n  - rule: a.fails\n    reason: x\n", "b.passes=pass", "known:\n  - rule: a.fails\n    reason: x\n"},
		"other indents":                {"known:\n-   rule: a.fails\n    reason: x", "d.new=fail", "known:\n-   rule: a.fails\n    reason: x\n-   rule: d.new\n    reason: not looked into yet\n"},
		"a dash on a line of its own":  {"known:\n  -\n    rule: b.passes\n    reason: x\n  - # of a\n\n    reason: x\n    rule: a.fails\n", "b.passes=pass d.new=fail", "known:\n  - # of a\n\n    reason: x\n    rule: a.fails\n" + added},
		"entries in brackets":          {"known:\n  - {rule: b.passes,\n     reason: x}\n  - {rule: a.fails, reason:   x}\n", "b.passes=pass d.new=fail", "known:\n  - {rule: a.fails, reason:   x}\n" + added},
		"a reason with a dash":         {"known:\n  - rule: b.passes\n    reason: \"x\n  - rule: a.fails\n    y\"\n  - rule: a.fails\n    reason: x\n", "b.passes=pass", "known:\n  - rule: a.fails\n    reason: x\n"},
		"other lines":                  {"known:\r\n  # of a\r\n  - rule: a.fails\r\n    reason: x  # why\r\n\r\n  - rule: b.passes\r\n    reason: >\r\n      one\r\n      two\r\n", "b.passes=pass d.new=fail", "known:\r\n  # of a\r\n  - rule: a.fails\r\n    reason: x  # why\r\n\r\n" + strings.ReplaceAll(added, "\n", "\r\n")},
		"other lines in brackets":      {"# c\r\nknown: [{rule: a.fails, reason: x}] # d\r\n", "d.new=fail", "# c\r\nknown: # d\r\n  - {rule: a.fails, reason: x}\r\n" + strings.ReplaceAll(added, "\n", "\r\n")},
		"lines that only YAML has":     {"known:\n  - rule: a.fails # one\u2028    reason: x\n  - rule: b.passes\n    reason: x\n", "b.passes=pass", "known:\n  - rule: a.fails # one\u2028    reason: x\n"},
		"a mark of the order of bytes": {"\ufeffknown:\n  - rule: b.passes\n    reason: x\n", "b.passes=pass d.new=fail", "\ufeffknown:\n" + added},
		"an empty list with a comment": {"# a\nknown:   [ ]  # none yet\n\n# end\n", "d.new=fail", "# a\nknown:  # none yet\n" + added + "\n# end\n"},
		"a list that is null":          {"'known': ~", "d.new=fail", "'known':\n" + added},
		"a list that is not there yet": {"# a\n\n# b", "d.new=fail", "# a\n\n# b\nknown:\n" + added},
		"the end of the document":      {"---\nknown:\n  - rule: a.fails\n    reason: x\n...\n", "d.new=fail", "---\nknown:\n  - rule: a.fails\n    reason: x\n" + added + "...\n"},
		"a name with a question mark":  {"? known\n: - rule: a.fails\n    reason: x\n", "d.new=fail", "known:\n  - rule: a.fails\n    reason: x\n" + added},
		"all of it in brackets":        {"{known: [{rule: a.fails, reason: x}]}", "d.new=fail", "known:\n  - {rule: a.fails, reason: x}\n" + added},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, tt.before)
			if err := f.Refresh(run(strings.Fields(tt.verdicts)...), false, false); err != nil {
				t.Fatal(err)
			}
			if tt.after == "" {
				tt.after = tt.before
			}
			got, err := f.Text()
			if err != nil || string(got) != tt.after {
				t.Errorf("%v, got\n%q\nwant\n%q", err, got, tt.after)
			}
			if again := read(t, string(got)); len(again.Entries) != len(f.Entries) {
				t.Errorf("%d entries became %d", len(f.Entries), len(again.Entries))
			}
		})
	}
}
