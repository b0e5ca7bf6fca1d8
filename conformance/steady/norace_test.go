//go:build !race

package steady

const raced = false
