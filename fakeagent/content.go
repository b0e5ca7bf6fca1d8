package fakeagent

import "encoding/json"

// optional are the members of content that may be absent, with what they have to be: see
// https://agentclientprotocol.com/protocol/v1/content. What is something else is read as absent.
var optional = map[string]func(any) bool{
	"_meta": isObject, "annotations": isObject,
	"audience": isList, "priority": isNumber, "lastModified": isText,
	"title": isText, "description": isText, "size": isNumber,
}

// proper is content as it is shown again, without what was read as absent: an agent repeats no mistake of its client.
func proper(content Object) Object {
	shown := make(Object, len(content))
	for key, v := range content {
		if is, ok := optional[key]; ok && v != nil && !is(v) {
			continue
		}
		if inner, ok := v.(Object); ok && key != "_meta" {
			v = proper(inner)
		}
		shown[key] = v
	}
	return shown
}

func isObject(v any) bool { _, ok := v.(Object); return ok }
func isList(v any) bool   { _, ok := v.([]any); return ok }
func isText(v any) bool   { _, ok := v.(string); return ok }

func isNumber(v any) bool {
	switch v.(type) {
	case json.Number, float64, int:
		return true
	}
	return false
}
