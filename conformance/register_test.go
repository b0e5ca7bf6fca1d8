package conformance_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// suiteReport is what Ginkgo reports of a child that runs somebody else's suite.
type suiteReport struct {
	specs       map[string]types.SpecReport // by the first label, or by the text where there is none
	connections int                         // of the agent
	output      string
	ok          bool
}

func (c child) suiteReport(t *testing.T, args ...string) suiteReport {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.json")
	r := suiteReport{specs: map[string]types.SpecReport{}, connections: -1}
	r.output, r.ok = c.run(t, append(args, "--ginkgo.json-report="+file, "--ginkgo.v")...)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v\n%s", err, r.output)
	}
	var reports []types.Report
	if err := json.Unmarshal(b, &reports); err != nil {
		t.Fatal(err)
	}
	for _, s := range reports[0].SpecReports {
		if s.LeafNodeType != types.NodeTypeIt {
			continue
		}
		name := s.LeafNodeText
		if len(s.LeafNodeLabels) > 0 {
			name = s.LeafNodeLabels[0]
		}
		r.specs[name] = s
	}
	if m := regexp.MustCompile(`connections: (\d+)`).FindStringSubmatch(r.output); m != nil {
		r.connections, _ = strconv.Atoi(m[1])
	}
	return r
}

func (r suiteReport) ran() []string {
	var ids []string
	for id, s := range r.specs {
		if s.State != types.SpecStateSkipped || s.Failure.Message != "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func TestRegisterMakesOneLabelledSpecOfEachRule(t *testing.T) {
	got := child{Part: "suite"}.suiteReport(t, "--ginkgo.dry-run")
	if !got.ok || got.connections != 0 {
		t.Errorf("%d connections:\n%s", got.connections, got.output)
	}
	for _, r := range conformance.Rules() {
		if !r.For(1) {
			continue
		}
		s, ok := got.specs[r.ID]
		if !ok {
			t.Errorf("%s has no spec", r.ID)
			continue
		}
		stability := r.Stability
		if stability == "" {
			stability = rule.Stable
		}
		want := fmt.Sprint([]string{r.ID, r.Area(), string(r.Level), string(stability), "v1"})
		if fmt.Sprint(s.LeafNodeLabels) != want || s.LeafNodeText != r.Title || fmt.Sprint(s.ContainerHierarchyTexts) != "[ACP]" {
			t.Errorf("%s: labels %v, text %q in %v", r.ID, s.LeafNodeLabels, s.LeafNodeText, s.ContainerHierarchyTexts)
		}
		if file, line := r.Location(); s.LeafNodeLocation.FileName != file || s.LeafNodeLocation.LineNumber != line {
			t.Errorf("%s: spec at %s", r.ID, s.LeafNodeLocation)
		}
	}
	first := slices.DeleteFunc(conformance.Rules(), func(r rule.Rule) bool { return !r.For(1) })
	if len(got.specs) != len(first)+1 {
		t.Errorf("%d specs", len(got.specs))
	}
}

func TestRegisterRunsOnlyWhatTheFilterSelects(t *testing.T) {
	for _, tc := range []struct {
		filter      string
		want        []string
		connections int // of the agent: the survey's is shared by the watching rules
	}{
		{"jsonrpc.version-field", []string{"jsonrpc.version-field"}, 1},
		{"jsonrpc.version-field || jsonrpc.params-object", []string{"jsonrpc.params-object", "jsonrpc.version-field"}, 1},
		{"init.agent-info", []string{"init.agent-info"}, 2},
		{"init.agent-info || init.baseline-methods", []string{"init.agent-info", "init.baseline-methods"}, 3},
		{"!ACP && !v1", []string{"is a spec of their own"}, 0},
	} {
		t.Run(tc.filter, func(t *testing.T) {
			got := child{Part: "suite"}.suiteReport(t, "--ginkgo.label-filter="+tc.filter)
			if !got.ok || fmt.Sprint(got.ran()) != fmt.Sprint(tc.want) || got.connections != tc.connections {
				t.Errorf("ran %v with %d connections:\n%s", got.ran(), got.connections, got.output)
			}
		})
	}
}

func TestRegisteredSpecsTellWhatTheRulesCameTo(t *testing.T) {
	const watching, acting = "jsonrpc.version-field", "transport.no-stdout-before-request"
	for name, tc := range map[string]struct {
		child
		id    string
		state types.SpecState
		want  string // in the message
	}{
		"a broken rule fails":         {child{Faults: []string{"jsonrpc-missing"}}, watching, types.SpecStateFailed, "lines of the conversation of survey:"},
		"a warning passes":            {child{Faults: []string{"speaks-first"}}, acting, types.SpecStatePassed, ""},
		"a strict warning fails":      {child{Faults: []string{"speaks-first"}, Strict: true}, acting, types.SpecStateFailed, acting + ": warn"},
		"no handshake fails":          {child{Faults: []string{"exits-at-once"}}, watching, types.SpecStateFailed, "did not answer initialize"},
		"no session is not skipped":   {child{Faults: []string{"new-fails"}}, "transport.stdin-eof-during-turn", types.SpecStateFailed, "no session could be opened"},
		"what needs none still works": {child{Faults: []string{"new-fails"}}, "transport.stdio-supported", types.SpecStatePassed, ""},
		"unless that was asked for":   {child{Variants: []string{"auth-required"}, AllowNoSession: true}, "transport.stdin-eof-during-turn", types.SpecStateSkipped, "skipped: the agent asks for authentication first"},
	} {
		t.Run(name, func(t *testing.T) {
			tc.Part = "suite"
			got := tc.suiteReport(t, "--ginkgo.label-filter="+tc.id)
			s := got.specs[tc.id]
			if s.State != tc.state || got.ok != (tc.state != types.SpecStateFailed) {
				t.Errorf("%s:\n%s", s.State, got.output)
			}
			wantParts(t, s.Failure.Message, tc.want)
		})
	}
}

func TestRegisteredWarningIsAReportEntry(t *testing.T) {
	const id = "transport.no-stdout-before-request"
	s := child{Part: "suite", Faults: []string{"speaks-first"}}.suiteReport(t, "--ginkgo.label-filter="+id).specs[id]
	if len(s.ReportEntries) != 1 || s.ReportEntries[0].Name != "warning" {
		t.Fatalf("report entries: %v", s.ReportEntries)
	}
	wantParts(t, s.ReportEntries[0].StringRepresentation(), "before it had received anything")
}

func TestRegisteredSpecEndsWithItsContext(t *testing.T) {
	const id = "jsonrpc.version-field"
	got := child{Part: "suite", Mute: true}.suiteReport(t, "--ginkgo.label-filter="+id, "--ginkgo.timeout=1s", "--ginkgo.grace-period=20s")
	if s := got.specs[id]; s.State != types.SpecStateTimedout || got.ok || s.RunTime.Seconds() > 10 {
		t.Errorf("%s after %s:\n%s", s.State, s.RunTime, got.output)
	}
}

func TestRegisterStopsASuiteWithAWrongConfig(t *testing.T) {
	out, ok := child{Part: "suite", Rules: []string{"jsonrpc.version-filed"}}.run(t, "--ginkgo.label-filter=nothing")
	if ok {
		t.Error("a pattern that matches nothing passed")
	}
	wantParts(t, out, `did you mean "jsonrpc.version-field"?`)
}
