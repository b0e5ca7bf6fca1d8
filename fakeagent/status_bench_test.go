package fakeagent

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"testing"
)

// roundTrips measures a request over a pair of pipes, as it is when the agent lives in the process that asks.
func roundTrips(b *testing.B, line string) {
	agent, err := New(Config{Store: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	inR, inW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- agent.Serve(context.Background(), inR, outW) }()
	lines := bufio.NewReader(outR)
	ask := func(line string, answers int) {
		if _, err := inW.WriteString(line + "\n"); err != nil {
			b.Fatal(err)
		}
		for range answers {
			if _, err := lines.ReadString('\n'); err != nil {
				b.Fatal(err)
			}
		}
	}
	ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":`+everything+`}`, 1)
	for i := range 20 { // each new session is followed by its commands
		ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/new","params":{"cwd":"/tmp","mcpServers":[]}}`, i), 2)
	}
	for b.Loop() {
		ask(line, 1)
	}
	_ = inW.Close()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
	_, _, _ = inR.Close(), outR.Close(), outW.Close()
}

// A probe of a session in memory should cost about as much as a method that does not exist.
func BenchmarkStatus(b *testing.B) {
	roundTrips(b, `{"jsonrpc":"2.0","id":1,"method":"session/status","params":{"sessionId":"sess_0001"}}`)
}

func BenchmarkStatusUnknown(b *testing.B) {
	roundTrips(b, `{"jsonrpc":"2.0","id":1,"method":"session/status","params":{"sessionId":"sess_none"}}`)
}

func BenchmarkUnknownMethod(b *testing.B) {
	roundTrips(b, `{"jsonrpc":"2.0","id":1,"method":"_acp/none","params":{"sessionId":"sess_0001"}}`)
}
