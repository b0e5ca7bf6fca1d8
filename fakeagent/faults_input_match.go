package fakeagent

import (
	"bytes"
	"encoding/json"
	"math/big"
)

// anywhere tells whether a member or element of a value matches, at any depth; elements have no key.
func anywhere(v any, match func(key string, v any) bool) bool {
	switch v := v.(type) {
	case Object:
		for key, sub := range v {
			if match(key, sub) || anywhere(sub, match) {
				return true
			}
		}
	case []any:
		for _, sub := range v {
			if match("", sub) || anywhere(sub, match) {
				return true
			}
		}
	}
	return false
}

func textAnywhere(r *Request, match func(string) bool) bool {
	return anywhere(r.Params, func(_ string, v any) bool { s, ok := v.(string); return ok && match(s) })
}

func hasUnknownBlock(r *Request) bool {
	blocks, _ := r.Params["prompt"].([]any)
	for _, entry := range blocks {
		block, _ := entry.(Object)
		switch kind, named := block["type"].(string); kind {
		case "text", "image", "audio", "resource", "resource_link":
		default:
			if named {
				return true
			}
		}
	}
	return false
}

func hasBigInteger(r *Request) bool {
	return anywhere(r.Params, func(_ string, v any) bool {
		n, isNumber := v.(json.Number)
		i, whole := new(big.Int).SetString(string(n), 10)
		return isNumber && whole && i.BitLen() > 32
	})
}

func depthOf(v any) int {
	deepest := 0
	switch v := v.(type) {
	case Object:
		for _, sub := range v {
			deepest = max(deepest, depthOf(sub))
		}
	case []any:
		for _, sub := range v {
			deepest = max(deepest, depthOf(sub))
		}
	default:
		return 0
	}
	return deepest + 1
}

// hasTwins tells whether an object below the params has a member twice.
func hasTwins(line []byte) bool {
	var m map[string]json.RawMessage
	_ = json.Unmarshal(line, &m)
	dec := json.NewDecoder(bytes.NewReader(m["params"]))
	dec.UseNumber()
	return twinsIn(dec)
}

// twinsIn reads one value.
func twinsIn(dec *json.Decoder) bool {
	token, err := dec.Token()
	delim, nested := token.(json.Delim)
	if err != nil || !nested {
		return false
	}
	seen, found := map[any]bool{}, false
	for dec.More() {
		if delim == '{' {
			key, err := dec.Token()
			if err != nil {
				return found
			}
			found, seen[key] = found || seen[key], true
		}
		found = twinsIn(dec) || found
	}
	_, _ = dec.Token()
	return found
}
