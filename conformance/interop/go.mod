module github.com/acp-conform/acp-conform/conformance/interop

go 1.25.0

tool github.com/coder/acp-go-sdk/example/agent

require (
	github.com/acp-conform/acp-conform v0.0.0
	github.com/santhosh-tekuri/jsonschema/v5 v5.3.1
)

require (
	github.com/agnivade/levenshtein v1.2.2 // indirect
	github.com/coder/acp-go-sdk v0.13.0 // indirect
)

replace github.com/acp-conform/acp-conform => ../..
