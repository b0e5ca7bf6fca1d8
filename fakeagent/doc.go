// Package fakeagent is an Agent Client Protocol agent for tests: correct by default, and wrong on request in ways that
// have names. It speaks version 1 over any reader and writer and needs no model.
//
// The pages that it follows are at https://agentclientprotocol.com/protocol/v1/overview.
//
// # Steering
//
// The text of a prompt says what the turn does. A line that begins with a slash and one of these words is a directive;
// the directives of a prompt run in order, and any other line is ignored. A prompt without directives is echoed.
//
//	/say TEXT                 says the text in one message of one chunk
//	/stream N [TEXT]          says one message in N numbered chunks
//	/think TEXT               thinks the text in one thought chunk
//	/plan                     makes a plan of three entries and works it off
//	/tool [read|edit|execute] runs a tool call from pending to completed
//	/permission [PATH]        asks for permission; if allowed, completes the tool call and creates the file PATH
//	/read PATH                reads a file, through the client if it can, and says its content
//	/write PATH TEXT          writes a file, through the client if it can
//	/terminal COMMAND [ARG...] runs a command in a terminal of the client
//	/elicit                   asks the user to fill in a form
//	/wait                     says one chunk and waits until the turn is cancelled
//	/wait-tool                starts a tool call that runs until the turn is cancelled
//	/image                    says an image block
//	/audio                    says an audio block
//	/resource                 says two embedded resources, a text and a blob
//	/link                     says a resource link with annotations
//	/error [CODE]             ends the turn with an error, -32603 by default
//	/refuse                   ends the turn with the stop reason refusal
//	/max-tokens               ends the turn with the stop reason max_tokens
//	/max-turn-requests        ends the turn with the stop reason max_turn_requests
//	/evict                    forgets the session after this turn; a store on disk keeps it
//	/commands                 sends the available commands again
//	/mode ID                  changes the mode of the session and announces it
//	/info                     announces the title of the session
//	/usage                    announces how much of the context is used
//	/notice TEXT              sends a notice, if the client knows notices
//	/compact                  reports a compaction of the context, if the client knows it
//
// Directives returns the same table. The agent announces the words under the key "acp-conform/directives" of _meta in its
// capabilities. Paths are relative to the working directory of the session. A feature of the client is used only if the
// client advertised it; without it files are read and written on disk, and terminals and forms are left alone.
//
// # Faults and variants
//
// Behaviour is the agent cut into small functions. A Fault replaces one of them, as narrow as can be; a variant is the
// same for behaviour that differs from the default and is legal. Both are named in Config.
//
// # Determinism
//
// Ids are counted, the clock moves when something happens, and a turn begins when everything that arrived with its
// prompt has been looked at. So the same input in the same pieces makes the same output. Two agents that must not give
// out the same session ids need different salts.
package fakeagent
