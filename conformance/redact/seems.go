package redact

import (
	"regexp"
	"slices"
	"strings"
)

// Behind a word such as token or password prose goes on. What is no word of it is taken for a secret.

var (
	// ordinary is what has digits or capitals in it as a secret does, and is none: a date, a name of an error, an address, a
	// part of what a server says of how to log in.
	ordinary = regexp.MustCompile(`^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}(?:$|T[0-9]{2}(?:$|:))|(?:[A-Z][a-z]+)+(?:Error|Exception)$|[a-z][a-z0-9+.-]*://|<|` +
		`(?:realm|charset|scope|error|error_description|authorization_uri|resource_metadata)=)`)
	// inWords is a small letter before a capital: words have that only as names of brands and in programs.
	inWords = regexp.MustCompile(`[a-z][A-Z]`)
	symbols = regexp.MustCompile(`[!@#$%^&*+~=].`)
	letters = regexp.MustCompile(`[A-Za-z]+`)
	// clumsy is what no word has: it cannot be spoken.
	clumsy = regexp.MustCompile(`(?i)[bcdfghjklmnpqrstvwxz]{5}`)
)

// A word of more than longWord letters that cannot be spoken is none, and there is none of more than longestWord.
const (
	longWord    = 16
	longestWord = 24
	leastSorts  = 8 // of letters, in something that long
)

// seems tells whether a text looks like a secret rather than like a word.
func seems(text string) bool {
	text = strings.TrimRight(text, ".,:;!?)]}`")
	if ordinary.MatchString(text) {
		return false
	}
	return strings.ContainsFunc(text, isDigit) || inWords.MatchString(text) || symbols.MatchString(text) ||
		slices.ContainsFunc(letters.FindAllString(text, -1), noWord)
}

func noWord(run string) bool {
	if len(run) < longWord {
		return false
	}
	sorts := map[rune]bool{}
	for _, c := range run {
		sorts[c] = true
	}
	return len(sorts) >= leastSorts && (len(run) >= longestWord || clumsy.MatchString(run))
}

// helpWords are what messages say behind the name of a flag or of a setting.
var helpWords = regexp.MustCompile(`(?i)^(?:instead|requires?|required|options?|arguments?|parameters?|expects?|expected|missing|invalid|cannot|should|` +
	`followed|provided|present|ignored|undefined|optional|without|unknown|whether|specified|deprecated|before|because|not_set|unset)[.,:;!?)]*$`)

// program is what a program has behind the name of a variable: a call, or a part of something.
var program = regexp.MustCompile(`^[A-Za-z_$]+(?:(?:\.|::|->)[A-Za-z_$]+)*[(\[{]|^[A-Za-z_$]+(?:(?:\.|::|->)[A-Za-z_$]+)+$`)
