package main

import (
	"time"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/redact"
	"github.com/acp-conform/acp-conform/reports"
)

// begin writes the first event of the reports that grow while the run goes on.
func (p *program) begin(all []*sink, words []string, secrets *redact.Redactor) {
	p.event(all, reports.Live{Event: "begin", Agent: secrets.Words(words)})
}

// tell writes what has happened to those reports.
func (p *program) tell(all []*sink, e conformance.Event) {
	l := reports.Live{Event: "rule", Rule: e.Rule, Verdict: &e.Verdict, Done: e.Done, Total: e.Total}
	if e.Total == 0 {
		l = reports.Live{Event: "survey"}
	}
	p.event(all, l)
}

// event writes one event. That it cannot be written is told when the run has ended.
func (p *program) event(all []*sink, l reports.Live) {
	l.At = time.Now().UTC().Format(time.RFC3339Nano)
	for _, s := range all {
		if s.live {
			s.event(p.stdout, l)
		}
	}
}
