package reports

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// shown are the numbers of the JSON report that each format shows, besides the counts. A number that a format shows and that is none of
// them is a mistake of the format.
var shown = map[string][]string{
	"text":     concat(ofRun, ofHangs, ofFindings, ofFrames, "leftBehind", "protocol.requested"),
	"html":     concat(ofRun, ofHangs, ofFindings, "frames.checked", "frames.invalid", "leftBehind", "protocol.requested", "rules[].occasions", "timeline[].atMs"),
	"junit":    concat(ofHangs, ofFindings, "durationMs", "exitCode", "rules[].durationMs", sums),
	"markdown": concat(ofRun, ofHangs, ofFindings, "protocol.requested"),
	"github":   concat(ofFindings, "exitCode"),
	"jsonl":    {everything},
	"json":     {everything},
	"badge":    {},
}

var (
	ofRun      = []string{"durationMs", "exitCode", "prompts", "protocol.negotiated"}
	ofFrames   = []string{"frames.checked", "frames.extensions", "frames.invalid", "frames.undefined", "frames.unreadable"}
	ofFindings = []string{"rules[].evidence[].frames[].cut", "rules[].evidence[].frames[].seq", "rules[].suppressed"}
	ofHangs    = []string{"hangs[].processes[].cpuMs", "hangs[].processes[].pid", "hangs[].received[].cut", "hangs[].received[].seq", "hangs[].request.cut",
		"hangs[].request.seq", "hangs[].sent[].cut", "hangs[].sent[].seq", "hangs[].waitedMs"}
)

const (
	everything = "everything"
	sums       = "the rules[].durationMs of an area" // JUnit has a time for each of its suites
)

func concat(parts ...any) (all []string) {
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			all = append(all, p)
		case []string:
			all = append(all, p...)
		}
	}
	slices.Sort(all)
	return all
}

// firstNumber is larger than any number that a format makes itself, such as how many rules it lists.
const firstNumber = 100_003

// numbered gives every number of a run a value that no other one has, but for what the writers count themselves, and how far
// a process is indented.
func numbered(v reflect.Value, next *int64) {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		v.SetInt(*next)
		*next += 7
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Name != "Counts" && f.Name != "Depth" && f.Tag.Get("json") != "-" {
				numbered(v.Field(i), next)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			numbered(v.Index(i), next)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			numbered(v.Elem(), next)
		}
	}
}

// places are where each number of a JSON report stands.
func places(v any, path string, into map[int64]string) {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil && n >= firstNumber {
			into[n] = path
		}
	case []any:
		for _, e := range v {
			places(e, path+"[]", into)
		}
	case map[string]any:
		for k, e := range v {
			places(e, strings.TrimPrefix(path+"."+k, "."), into)
		}
	}
}

var (
	numeral   = regexp.MustCompile(`(?:\d+h)?(?:\d+m)?\d+(?:\.\d+)?m?s\b|\d+\.\d{3}\b|\d+`)
	thousands = regexp.MustCompile(`(\d),(\d{3})\b`)
	invisible = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>|<[^>]*>`)
)

// numerals are the large numbers in a text; times are in milliseconds.
func numerals(text string) (all []int64) {
	for _, s := range numeral.FindAllString(text, -1) {
		n, err := strconv.ParseInt(s, 10, 64)
		if d, e := time.ParseDuration(s); e == nil {
			n, err = d.Milliseconds(), nil
		} else if seconds, e := strconv.ParseFloat(s, 64); err != nil && e == nil {
			n = int64(seconds*1000 + 0.5)
		}
		if n >= firstNumber {
			all = append(all, n)
		}
	}
	return all
}

// Every number in every format is that of the JSON report, and every format shows the numbers that it should.
func TestEveryNumberIsThatOfTheReport(t *testing.T) {
	r := sample()
	next := int64(firstNumber)
	numbered(reflect.ValueOf(&r).Elem(), &next)
	d := json.NewDecoder(strings.NewReader(written(t, JSON, r)))
	d.UseNumber()
	var report any
	if err := d.Decode(&report); err != nil {
		t.Fatal(err)
	}
	place := map[int64]string{}
	places(report, "", place)
	perArea := map[string]int64{}
	for _, o := range r.Rules {
		perArea[o.Area] += o.DurationMs
	}
	for _, n := range perArea {
		if place[n] == "" { // some areas have one rule
			place[n] = sums
		}
	}
	all := slices.Sorted(maps.Values(place))
	all = slices.DeleteFunc(slices.Compact(all), func(p string) bool { return p == sums })
	if len(all) < 25 {
		t.Fatalf("the report has only these numbers: %q", all)
	}
	for _, f := range Formats() {
		if _, listed := shown[f.Name]; !listed {
			t.Errorf("which numbers %s shows is not said here", f.Name)
		}
	}
	for format, want := range shown {
		if len(want) == 1 && want[0] == everything {
			want = all
		}
		f, err := Lookup(format)
		if err != nil {
			t.Fatal(err)
		}
		out := written(t, f.Write, r)
		if format == "text" {
			out = thousands.ReplaceAllString(out, "$1$2")
		}
		if format == "html" {
			out = html.UnescapeString(invisible.ReplaceAllString(out, " "))
		}
		seen := map[string]bool{}
		for _, n := range numerals(out) {
			if place[n] == "" {
				t.Errorf("%s shows %d, which is no number of the report", format, n)
			}
			seen[place[n]] = true
		}
		if got := slices.Sorted(maps.Keys(seen)); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s shows\n%q, not\n%q", format, got, want)
		}
	}
}
