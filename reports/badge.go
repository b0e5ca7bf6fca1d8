package reports

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"unicode/utf8"

	"github.com/acp-conform/acp-conform/conformance/result"
)

const badgeLabel = "ACP"

// badge is what the badge says and in which colour, as a word of shields.io and as a value.
func badge(r result.Run) (message, word, colour string) {
	switch n := r.Counts; r.Verdict {
	case result.Conformant:
		return fmt.Sprintf("conformant, %s", plural(n[result.Pass], "rule")), "brightgreen", "#2e7d32"
	case result.Nonconformant:
		return fmt.Sprintf("%s broken", plural(n[result.Fail], "rule")), "red", "#c62828"
	case result.Incomplete:
		return "incomplete", "yellow", "#8d6e00"
	}
	return string(r.Verdict), "lightgrey", "#616161"
}

// BadgeJSON writes the badge as an endpoint of https://shields.io/badges/endpoint-badge.
func BadgeJSON(w io.Writer, r result.Run) error {
	message, word, _ := badge(r)
	return json.NewEncoder(w).Encode(struct {
		Version int    `json:"schemaVersion"`
		Label   string `json:"label"`
		Message string `json:"message"`
		Color   string `json:"color"`
	}{1, badgeLabel, message, word})
}

// glyph is how many pixels a character of the badge is given. The text is stretched to that length, so that it fits in any font.
const glyph = 7

// BadgeSVG writes the badge as a picture that needs nothing else.
func BadgeSVG(w io.Writer, r result.Run) error {
	message, _, colour := badge(r)
	length := func(s string) int { return glyph * utf8.RuneCountInString(s) }
	left, right := length(badgeLabel)+12, length(message)+12
	label := html.EscapeString(badgeLabel + ": " + message)
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" role="img" aria-label="%[2]s">
<title>%[2]s</title>
<clipPath id="edge"><rect width="%[1]d" height="20" rx="3"/></clipPath>
<g clip-path="url(#edge)"><rect width="%[3]d" height="20" fill="#424242"/><rect x="%[3]d" width="%[4]d" height="20" fill="%[5]s"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="6" y="14" textLength="%[6]d">%[7]s</text><text x="%[8]d" y="14" textLength="%[9]d">%[10]s</text></g>
</svg>
`, left+right, label, left, right, colour, length(badgeLabel), html.EscapeString(badgeLabel), left+6, length(message), html.EscapeString(message))
	return err
}
