package fuzz

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// policy is how a request of the agent is answered where the script does not say it: what it wants to do is not permitted, and
// nothing else is served. ${id} stands for the id of the request.
func policy(e wire.Envelope) string {
	switch e.Name {
	case "session/request_permission":
		return `{"jsonrpc":"2.0","id":${id},"result":{"outcome":` + outcome(e.Params) + `}}`
	case "elicitation/create":
		return `{"jsonrpc":"2.0","id":${id},"result":{"action":"decline"}}`
	}
	return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"this client does not serve that"}}`
}

// outcome chooses the first option that rejects.
func outcome(params json.RawMessage) string {
	var p struct {
		Options []struct{ OptionID, Kind string }
	}
	_ = json.Unmarshal(params, &p)
	for _, o := range p.Options {
		if strings.HasPrefix(o.Kind, "reject") {
			return `{"outcome":"selected","optionId":` + quote(o.OptionID) + `}`
		}
	}
	return `{"outcome":"cancelled"}`
}

// keyOf is an id in a form by which it is found again, however it is written: 1 and 1.0 are one, "a" and "\u0061", but not 1
// and "1". It is "" where there is none.
func keyOf(id json.RawMessage) string {
	if len(id) == 0 {
		return ""
	}
	if s, ok := unquote(string(id)); ok {
		return "text " + s
	}
	if len(id) > 400 || strings.ContainsAny(string(id), "{[") {
		return "other " + string(id)
	}
	if i, ok := new(big.Int).SetString(string(id), 10); ok {
		return "number " + i.String()
	}
	if f, err := strconv.ParseFloat(string(id), 64); err == nil {
		if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return fmt.Sprintf("number %d", int64(f))
		}
		return "number " + strconv.FormatFloat(f, 'g', -1, 64)
	}
	return "other " + string(id)
}

// sameButRounded tells whether two keys are the same number for a reader that keeps numbers as floats of 64 bits, as those in
// JavaScript do: beyond 2^53 it cannot give back what it was given.
func sameButRounded(a, b string) bool {
	x, okA := strings.CutPrefix(a, "number ")
	y, okB := strings.CutPrefix(b, "number ")
	if !okA || !okB {
		return false
	}
	f, errA := strconv.ParseFloat(x, 64)
	g, errB := strconv.ParseFloat(y, 64)
	return errA == nil && errB == nil && f == g && math.Abs(f) >= 1<<53
}
