package redact

import (
	"reflect"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// Run is a copy of a run without secrets: every text of it is redacted.
func (r *Redactor) Run(run result.Run) result.Run {
	if r == nil {
		return run
	}
	return r.copied(reflect.ValueOf(run)).Interface().(result.Run)
}

// frameType is treated by itself: its line may be cut, or be in Base64.
var frameType = reflect.TypeFor[result.Frame]()

func (r *Redactor) copied(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		out.SetString(r.String(v.String()))
	case reflect.Struct:
		if v.Type() == frameType {
			return reflect.ValueOf(r.frame(v.Interface().(result.Frame)))
		}
		for i := range v.NumField() {
			out.Field(i).Set(r.copied(v.Field(i)))
		}
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(r.copied(v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for _, key := range v.MapKeys() {
			out.SetMapIndex(r.copied(key), r.copied(v.MapIndex(key)))
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v
		}
		if v.Kind() == reflect.Interface {
			out.Set(r.copied(v.Elem()))
			return out
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(r.copied(v.Elem()))
		out.Set(p)
	default:
		return v
	}
	return out
}

func (r *Redactor) frame(f result.Frame) result.Frame {
	f.Base64 = r.Base64(f.Base64)
	if f.Cut > 0 {
		f.Line = r.Cut(f.Line)
	} else {
		f.Line = r.String(f.Line)
	}
	return f
}
