package reports

import (
	"fmt"
	"strings"
)

// subject is what was judged.
func (t *text) subject() string {
	if t.Subject == "" {
		return "agent"
	}
	return t.Subject
}

// listed writes numbers as in a sentence.
func listed(numbers []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", " and ")
}
