package reports

import (
	"fmt"
	"strings"
)

// listed writes numbers as in a sentence.
func listed(numbers []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", " and ")
}
