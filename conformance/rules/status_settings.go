package rules

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// settings are the current values of a session's options by their ids, and its mode: what a session is told when it is set up.
type settings map[string]string

// modeSetting is the mode among the settings; no option has such an id.
const modeSetting = "\x00mode"

// option is a configuration option whose value is one of a list.
type option struct {
	id, category, current string
	values                []string
}

// optionsOf reads the options of a result that sets a session up. Their ids and values are all that is compared: names and
// descriptions may be in another language the next time.
func optionsOf(res json.RawMessage) []option {
	var all []option
	for _, raw := range itemsOf(wire.Member(res, "configOptions")) {
		var o option
		for _, name := range []string{"id", "configId"} { // as version 1 and version 2 call it
			if id, ok := text(wire.Member(raw, name)); ok {
				o.id = id
			}
		}
		o.category, _ = text(wire.Member(raw, "category"))
		o.current = string(wire.Member(raw, "currentValue"))
		o.values = valuesOf(wire.Member(raw, "options"))
		if o.id != "" && o.current != "" {
			all = append(all, o)
		}
	}
	return all
}

// itemsOf are the items of an array; none where it is no array.
func itemsOf(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	_ = json.Unmarshal(raw, &list)
	return list
}

// valuesOf reads the values of a list, or of the groups in it.
func valuesOf(raw json.RawMessage) []string {
	var values []string
	for _, item := range itemsOf(raw) {
		if v, ok := text(wire.Member(item, "value")); ok {
			values = append(values, v)
			continue
		}
		values = append(values, valuesOf(wire.Member(item, "options"))...)
	}
	return values
}

// settingsOf reads the settings of a result that sets a session up.
func settingsOf(res json.RawMessage) settings {
	now := settings{}
	for _, o := range optionsOf(res) {
		now[o.id] = o.current
	}
	if mode, ok := text(wire.Member(wire.Member(res, "modes"), "currentModeId")); ok {
		now[modeSetting] = mode
	}
	return now
}

// differing are the ids of the settings that differ, sorted.
func (s settings) differing(other settings) []string {
	var ids []string
	for id := range s {
		if other[id] != s[id] {
			ids = append(ids, id)
		}
	}
	for id := range other {
		if _, ok := s[id]; !ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// plain are the settings for a person.
func (s settings) plain() map[string]string {
	all := maps.Clone(s)
	if mode, ok := all[modeSetting]; ok {
		delete(all, modeSetting)
		all["the mode"] = mode
	}
	return all
}

// change gives a new session settings that are not the first ones, so that it shows when they are lost. What may be a mode is
// changed only where the agent surely does no harm with it.
func change(c *rule.Case, s *client.Session) {
	cl := s.Client()
	for _, o := range optionsOf(s.Answer.Result) {
		i := slices.IndexFunc(o.values, func(v string) bool { return string(rule.JSON(v)) != o.current })
		if i < 0 || o.category == "mode" && !c.Env.Facts.Fake {
			continue
		}
		params := map[string]any{"sessionId": s.ID, "configId": o.id, "value": o.values[i]}
		if c.Env.Version() == 2 {
			params["type"] = "id"
		}
		cl.Checked("session/set_config_option", params)
	}
	modes := wire.Member(s.Answer.Result, "modes")
	current, ok := text(wire.Member(modes, "currentModeId"))
	if !ok || !c.Env.Facts.Fake {
		return
	}
	for _, m := range itemsOf(wire.Member(modes, "availableModes")) {
		if id, ok := text(wire.Member(m, "id")); ok && id != current {
			cl.Checked("session/set_mode", map[string]any{"sessionId": s.ID, "modeId": id})
			return
		}
	}
}
