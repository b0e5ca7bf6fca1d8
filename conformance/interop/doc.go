// Package interop runs acp-conform on real agents, each made by somebody else or on somebody else's SDK, and pins what it finds.
//
// A suite that is right reports exactly what an agent gets wrong and nothing else: a rule that accuses a real agent wrongly is
// repaired, not pinned. The folder equality compares our schemas with the published ones. The package has tests only, in a module of its own, so that no agent becomes a dependency of the suite.
package interop
