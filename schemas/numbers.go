package schemas

import (
	"encoding/json"
	"math/big"
	"strings"
)

// integerRange is a numeric format of the protocol, compared with arbitrary precision.
type integerRange struct{ min, max *big.Int }

var integerRanges = map[string]integerRange{
	"uint8": unsigned(8), "int8": signed(8), "int16": signed(16),
	"uint16": unsigned(16), "uint32": unsigned(32), "uint64": unsigned(64), "int32": signed(32), "int64": signed(64),
}

func unsigned(bits uint) integerRange {
	max := new(big.Int).Lsh(big.NewInt(1), bits)
	return integerRange{new(big.Int), max.Sub(max, big.NewInt(1))}
}

func signed(bits uint) integerRange {
	half := new(big.Int).Lsh(big.NewInt(1), bits-1)
	return integerRange{new(big.Int).Neg(half), new(big.Int).Sub(half, big.NewInt(1))}
}

// contains reports whether n lies in the range; a number with a fraction does not break a range.
func (r integerRange) contains(n json.Number) bool {
	x, ok := new(big.Rat).SetString(string(n))
	return ok && x.Cmp(new(big.Rat).SetInt(r.min)) >= 0 && x.Cmp(new(big.Rat).SetInt(r.max)) <= 0
}

// plainInteger reports whether n is written with digits alone. Typed readers refuse 1.0, 1e3 and -0 where they expect
// an integer, although their value is one.
func plainInteger(n json.Number) bool {
	return !strings.ContainsAny(string(n), ".eE") && n != "-0"
}
