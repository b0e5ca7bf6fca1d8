package conformance

// Quote writes a word so that a shell reads it as it is; most words stay as they are.
func Quote(word string) string { return quote(word) }

// QuoteEnv writes NAME=value for a shell. The value of what looks like a secret is left to the variable of that name.
func QuoteEnv(pair string) string { return quoteEnv(pair) }
