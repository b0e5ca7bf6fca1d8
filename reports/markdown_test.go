package reports

import (
	"io"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/baseline"
	"github.com/acp-conform/acp-conform/conformance/result"
)

// The first thing that somebody sees of a step agrees with the step: its sign is that of the exit code, and the reason stands below it.
func TestTheSignOfAMarkdownReport(t *testing.T) {
	kept, broken, warned := outcome("a.kept", result.Pass, nil), outcome("a.broken", result.Fail, withCancel), outcome("a.warned", result.Warn, withDeliberate)
	knows := func(id string) *baseline.File {
		return &baseline.File{Name: "known.yaml", Entries: []baseline.Entry{{Rule: id, Reason: "we know"}}}
	}
	for _, c := range []struct {
		run          result.Run
		title, below string
	}{
		{of(result.Policy{}, nil, kept, warned), "## ✅ ACP: conformant", "exit code 0."},
		{of(result.Policy{}, nil, kept, broken), "## ❌ ACP: nonconformant", "exit code 1."},
		{of(result.Policy{}, knows("a.kept"), kept), "## ❌ ACP: conformant", "1 entry is stale"},
		{of(result.Policy{Strict: true}, nil, kept, warned), "## ❌ ACP: conformant", "1 warned"},
		{of(result.Policy{}, knows("a.broken"), kept, broken), "## ✅ ACP: nonconformant", "exit code 0: 1 rule is not kept, as the baseline"},
		{of(result.Policy{}, nil), "## ⚠️ ACP: inconclusive", "exit code 3: no rule concluded"},
	} {
		head := strings.SplitN(written(t, Markdown, c.run), "\n", 4)
		if head[0] != c.title || !strings.Contains(head[2], c.below) {
			t.Errorf("%q, want %q and below it %q", head[:3], c.title, c.below)
		}
	}
}

// No report speaks of a version that was not agreed on, and every star is explained.
func TestVersionsAndStars(t *testing.T) {
	text := func(w io.Writer, r result.Run) error { return Text(w, r, TextOptions{}) }
	refused := unstarted()
	refused.Protocol.Negotiated = 99
	refused.Conclude(result.Policy{})
	for name, c := range map[string]struct {
		write func(io.Writer, result.Run) error
		run   result.Run
		want  string
		not   string
	}{
		"a version in Markdown": {Markdown, unstarted(), "version 1 was asked for, none was agreed", "in version 1"},
		"a version in text":     {text, unstarted(), "version 1 was asked for, none was agreed", "in version 1"},
		"a version in HTML":     {HTML, unstarted(), "asked for 1, none agreed", ", version 1"},
		"refused, in Markdown":  {Markdown, refused, "version 1 was asked for, 99 offered, none agreed", "99 agreed"},
		"refused, in text":      {text, refused, "version 1 was asked for, 99 offered, none agreed", "99 agreed"},
		"refused, in HTML":      {HTML, refused, "asked for 1, none agreed", "agreed on 99"},
		"a star in Markdown":    {Markdown, sample(), `\* a MUST that any agent offers an occasion for`, ""},
	} {
		if out := written(t, c.write, c.run); !strings.Contains(out, c.want) || c.not != "" && strings.Contains(out, c.not) {
			t.Errorf("%s: %q is missing, or %q is there:\n%s", name, c.want, c.not, out[:min(len(out), 2000)])
		}
	}
}
