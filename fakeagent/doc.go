// Package fakeagent is an Agent Client Protocol agent for tests: correct by default, and wrong on request in ways that
// have names. It speaks versions 1 and 2 over any reader and writer and needs no model.
//
// The pages that it follows are at https://agentclientprotocol.com/protocol/v1/overview and, for version 2, at
// https://agentclientprotocol.com/protocol/v2/draft/overview.
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
//	/evict [ID]               evicts the session after this turn, or another one at once; a store on disk keeps it
//	/commands                 sends the available commands again
//	/mode ID                  changes the mode of the session and announces it
//	/info                     announces the title of the session
//	/usage                    announces how much of the context is used
//	/notice TEXT              sends a notice, if the client knows notices
//	/compact                  reports a compaction of the context, if the client knows it
//	/background [stop]        starts a tool call that goes on after the turn, or completes those that do (version 2)
//	/subagent [stop]          starts a sub-agent whose session is live until it is stopped, if the client knows sub-agents
//
// Directives returns the same table. The agent announces the words under the key "acp-conform/directives" of _meta in its
// capabilities. Paths are relative to the working directory of the session. A feature of the client is used only if the
// client advertised it; without it files are read and written on disk, and terminals and forms are left alone.
//
// # Versions
//
// initialize chooses the version of a connection. In version 2 the agent works off the same directives, except that it
// reads and writes files itself and has no terminals, and it needs nothing of the client for notices and compactions. A
// prompt that comes while a turn runs is held until the turn has ended, a prompt is answered when its message becomes part
// of the conversation, and only a connection that made or resumed a session may work with it. The sessions are the same in
// both versions, and a history is replayed in the shapes of the connection. Fault.Protocols says in which versions a fault or
// a variant exists.
//
// # Sessions and their status
//
// session/status says whether a session is in memory in this process, in the words of Config.StatusVocabulary; it is
// answered at once, and leaves no trace in memory, in the store or on the clock. A session leaves memory by session/close, by
// /evict, by not being used for Config.EvictAfter, and with the process. Then it stays known as long as there is something
// that keeps it: after session/close the process, in any case the directory Config.Store. Processes that share a directory
// see each other's sessions. A session/resume that names no MCP servers starts those that the session had before, in version 1.
//
// A sub-agent has a session of its own, which is in memory as long as the sub-agent is live; it is not listed and not kept. The
// variant "archives" adds session/archive and session/unarchive. The variant "locks-sessions" keeps a session to the process that
// has it in memory.
//
// # Faults and variants
//
// Behaviour is the agent cut into small functions. A Fault replaces one of them, as narrow as can be; a variant is the
// same for behaviour that differs from the default and is legal. Both are named in Config. LifecycleFaults lists those faults
// that show only after something has happened to a session.
//
// # Determinism
//
// Ids are counted, the clock moves when something happens, and a turn begins when everything that arrived with its
// prompt has been looked at. So the same input in the same pieces makes the same output. Two agents that must not give
// out the same session ids need different salts.
package fakeagent
