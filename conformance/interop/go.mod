module github.com/acp-conform/acp-conform/conformance/interop

go 1.25.0

tool github.com/coder/acp-go-sdk/example/agent

require github.com/coder/acp-go-sdk v0.13.0 // indirect
