package fakeagent

import (
	"encoding/json"
	"os/exec"
)

// Behaviour is everything the agent does, cut into small functions with correct defaults. A fault replaces one of them.
// There is nothing in it but functions, so that Record can watch them all.
type Behaviour struct {
	// The life of a connection.
	Start           func(c *Conn) // before the first byte is read
	EOF             func(c *Conn) // after the last byte
	AfterInitialize func(c *Conn) // after the response to initialize

	// The wire, outward.
	Envelope  func(m *Message) []Member
	Encode    func(members []Member) []byte
	Frame     func(c *Conn, m *Message, line []byte) [][]byte // the bytes to write, each piece in one write
	RequestID func(c *Conn, n int) any                        // the id of the agent's nth request
	CallTwice func(t *Turn, method string) bool               // whether a request is written a second time

	// The wire, inward.
	Split                 func(buf []byte) (line, rest []byte, ok bool) // finds the first line
	Admit                 func(c *Conn, line []byte) bool               // false: the line has been dealt with
	Trim                  func(line []byte) []byte                      // takes off what may stand before the line feed
	Blank                 func(c *Conn)                                 // an empty line
	ParseError            func(c *Conn, line []byte)
	Scalar                func(c *Conn) // a JSON value that is neither object nor array
	Batch                 func(c *Conn, entries []json.RawMessage)
	CheckEnvelope         func(m map[string]json.RawMessage) string // "" or what is wrong
	InvalidRequest        func(c *Conn, id json.RawMessage, reason string)
	StrayResponse         func(c *Conn, id json.RawMessage) // a response to nothing
	ErrorResponse         func(c *Conn, e *Error)           // the client answered with an error
	UnknownRequest        func(c *Conn, r *Request) (any, *Error)
	ExtensionRequest      func(c *Conn, r *Request) (any, *Error) // an unknown one that begins with an underscore
	UnknownNotification   func(c *Conn, r *Request)
	ExtensionNotification func(c *Conn, r *Request)        // one that begins with an underscore
	BeforeInitialize      func(c *Conn, r *Request) *Error // a request that comes too early
	Serves                func(c *Conn, method, capability string) bool
	CheckParams           func(r *Request) *Error
	ErrorFor              func(c *Conn, r *Request, e *Error) *Error // the last word on an error

	// The initialization.
	Initialize         func(c *Conn, r *Request) (any, *Error)
	CheckInitialize    func(params Object) *Error
	BadVersion         func(r *Request) (version int, e *Error)   // protocolVersion is missing or no version
	Echo               func(version int) int                      // the answer to a version that is spoken
	Fallback           func(c *Conn, requested int) (int, *Error) // the answer to one that is not
	ClientCapabilities func(params Object) Object
	InitializeResult   func(c *Conn, version int) any
	AgentCapabilities  func(c *Conn) Object
	AgentInfo          func() any // nil leaves it out
	AuthMethods        func(c *Conn) any
	Authenticate       func(c *Conn, r *Request) (any, *Error)

	// What the client may be asked for.
	MayRead     func(c *Conn) bool
	MayWrite    func(c *Conn) bool
	MayTerminal func(c *Conn) bool
	MayElicit   func(c *Conn) bool
	MayNotice   func(c *Conn) bool
	MayCompact  func(c *Conn) bool
	MayBoolean  func(c *Conn) bool
	MaySubagent func(c *Conn) bool

	// The sessions.
	NewSession       func(c *Conn, r *Request) (any, *Error)
	CheckNew         func(c *Conn, r *Request) *Error // for load and resume, too
	CheckCwd         func(r *Request) *Error
	MissingServers   func(r *Request) *Error
	CheckServers     func(servers any) *Error
	CheckTransport   func(transport string) *Error                  // of an MCP server
	ServerCommand    func(s *Session, config Object) *exec.Cmd      // nil does not start it
	Servers          func(c *Conn, s *Session, params Object) []any // the MCP servers that a session gets
	StartServers     func(c *Conn, s *Session, params Object)
	StopServers      func(c *Conn, s *Session)
	SessionID        func(a *Agent, n int) string
	NewSessionResult func(result Object) any
	BeforeNewSession func(c *Conn, s *Session)     // just before the response
	AfterNewSession  func(c *Conn, s *Session)     // just after it
	Modes            func(c *Conn, s *Session) any // nil leaves them out
	ConfigOptions    func(c *Conn, s *Session) any // nil leaves them out
	SetMode          func(c *Conn, r *Request) (any, *Error)
	UnknownMode      func(mode string) *Error
	SetConfigOption  func(c *Conn, r *Request) (any, *Error)
	SetModel         func(c *Conn, s *Session, value string)
	UnknownOption    func(r *Request) *Error
	UnknownValue     func(value string) *Error
	SetConfigResult  func(c *Conn, s *Session) any
	Load             func(c *Conn, r *Request) (any, *Error)
	LoadUnknown      func(c *Conn, id string) (*Session, *Error)
	Replay           func(c *Conn, s *Session) []Object // the history that load shows
	LoadResult       func(state Object) any
	AfterLoad        func(c *Conn, s *Session)
	Resume           func(c *Conn, r *Request) (any, *Error)
	ResumeUnknown    func(c *Conn, id string) (*Session, *Error)
	ResumeReplay     func(c *Conn, s *Session) []Object
	Close            func(c *Conn, r *Request) (any, *Error)
	CloseTurn        func(c *Conn, s *Session) // what becomes of the turn of a closed session
	AfterClose       func(c *Conn, id string)
	List             func(c *Conn, r *Request) (any, *Error)
	InDirectory      func(s *Session, cwd string) bool
	Listed           func(c *Conn, s *Session) bool
	Cursor           func(v any) (after int, e *Error)
	NextCursor       func(after int) string
	SessionInfo      func(c *Conn, s *Session) Object
	ListResult       func(result Object) any
	Delete           func(c *Conn, r *Request) (any, *Error)
	DeleteUnknown    func(id string) (any, *Error)
	Remove           func(a *Agent, id string)
	Archives         func(c *Conn) bool // whether there are session/archive and session/unarchive
	Archive          func(c *Conn, r *Request) (any, *Error)
	Unarchive        func(c *Conn, r *Request) (any, *Error)
	Locks            func(a *Agent) bool                   // whether a process locks the sessions that it has in memory
	SessionUpdate    func(s *Session, u Object) []*Message // an update that belongs to no turn
	Commands         func() Object
	Keeps            func(s *Session) bool     // whether it stays known when it leaves memory
	Age              func(c *Conn, r *Request) // before a request is looked at: which sessions have been idle for too long
	Uses             func(r *Request) bool     // whether a request is a use of its session

	// The status of a session.
	StatusMarker  func(c *Conn) any // the capability; nil leaves it out
	StatusWords   func(a *Agent) (active, inactive string)
	Status        func(c *Conn, r *Request) (any, *Error)
	CheckStatus   func(r *Request) *Error
	BeforeStatus  func(c *Conn, r *Request)
	StatusSession func(c *Conn, id string) *Session // nil if there is none
	StatusWord    func(c *Conn, s *Session) string
	StatusUnknown func(c *Conn, id string) (any, *Error)
	StatusResult  func(c *Conn, s *Session, word string) any // s is nil where an agent does not look
	AfterStatus   func(c *Conn, s *Session)                  // after the response

	// The turn.
	Prompt         func(c *Conn, r *Request) (any, *Error)
	PromptUnknown  func(c *Conn, id string) (*Session, *Error)
	CheckPrompt    func(c *Conn, r *Request) *Error
	MissingPrompt  func(r *Request) *Error
	PromptNotArray func(r *Request) *Error
	CheckText      func(block Object) *Error
	CheckLink      func(block Object) *Error
	UnknownBlock   func(block Object) *Error
	BlockError     func(e *Error) *Error
	BusyPrompt     func(c *Conn, s *Session) *Error // a prompt while a turn runs
	BeforeTurn     func(c *Conn, s *Session) *Error
	Work           func(t *Turn) (stopReason string, err error)
	Reply          func(t *Turn) // the answer to a prompt without directives
	BeforeEnd      func(t *Turn)
	StopReason     func(t *Turn, reason string) string
	TurnResult     func(t *Turn, reason string) (any, *Error)
	TurnError      func(t *Turn, e *Error) *Error
	BackendCode    func() int    // the code of a turn that fails
	AfterTurn      func(t *Turn) // after the response

	// The cancellation.
	Cancel              func(c *Conn, r *Request)
	MalformedCancel     func(c *Conn, r *Request)
	UnknownCancel       func(c *Conn, id string)
	IdleCancel          func(c *Conn, s *Session) // no turn runs
	CancelScope         func(c *Conn, s *Session) []*Session
	CancelRequest       func(c *Conn, r *Request)
	InterruptWork       func(t *Turn) bool // false: the turn does not notice the cancel
	InterruptWait       func(t *Turn) bool
	InterruptTool       func(t *Turn) bool
	InterruptPermission func(t *Turn) bool
	InterruptClient     func(t *Turn) bool
	LetGo               func(t *Turn) bool // false: an open request is waited for after a cancel, too
	FinishTools         func(t *Turn)
	LastWords           func(t *Turn) // before the response of a cancelled turn
	CancelledResult     func(t *Turn) (any, *Error)
	RequestCancelled    func(t *Turn) (any, *Error)
	AfterCancelledTurn  func(t *Turn)

	// The updates of a turn; nil in place of an update sends none.
	TurnUpdate    func(t *Turn, u Object) []*Message
	MessageID     func(t *Turn, kind string, n int) string // "" leaves it out
	MessageChunk  func(t *Turn, content any, id string) Object
	ThoughtChunk  func(t *Turn, content any, id string) Object
	StreamOrder   func(parts []string) []string
	TextBlock     func(text string) any
	ImageBlock    func() Object
	AudioBlock    func() Object
	ResourceBlock func() Object
	BlobBlock     func() Object
	LinkBlock     func(annotations any) Object
	Annotations   func() any
	ToolID        func(t *Turn, n int) string
	ToolSteps     func() []string // the statuses after pending
	ToolCall      func(t *Turn, tool *Tool) Object
	ToolUpdate    func(t *Turn, tool *Tool, status string, content []any) Object
	RawInput      func(tool *Tool) any
	RawOutput     func(tool *Tool) any
	Locations     func(tool *Tool) any
	Plan          func(done int) Object
	ModeUpdate    func(mode string) Object
	InfoUpdate    func(title, updated string) Object
	UsageUpdate   func() Object
	Notice        func(text string) Object
	Compactions   func(id string) []Object

	// The requests to the client.
	Path                     func(t *Turn, name string) string
	ReadParams               func(t *Turn, path string) any
	WriteParams              func(t *Turn, path, content string) any
	TerminalParams           func(t *Turn, words []string) any
	Release                  func(t *Turn, ref Object) // the terminal of a cancelled turn
	ReleaseAndWait           func(t *Turn, ref Object) error
	ElicitParams             func(t *Turn) any
	AnnounceBeforePermission func() bool
	PermissionParams         func(t *Turn, tool *Tool) any
	Decide                   func(t *Turn, result Object, e *Error) (decision string, err error)
	AfterReject              func(t *Turn) error

	// Version 2. What is not here is the same in both versions, and a name that ends in 2 takes the place of the one without.
	Speaks              func(c *Conn) []int // the versions, oldest first
	CheckInitialize2    func(r *Request) *Error
	ClientCapabilities2 func(params Object) Object
	InitializeResult2   func(c *Conn, version int) any
	AgentCapabilities2  func(c *Conn) Object
	AuthMethods2        func(c *Conn) []any // none: no Login and Logout
	Login               func(c *Conn, r *Request) (any, *Error)
	Logout              func(c *Conn, r *Request) (any, *Error)
	NewSession2         func(c *Conn, r *Request) (any, *Error)
	CheckNew2           func(c *Conn, r *Request) *Error // for resume, too
	CheckServers2       func(c *Conn, servers any) *Error
	NewSessionResult2   func(result Object) any
	Resume2             func(c *Conn, r *Request) (any, *Error)
	ReplayFrom          func(v any) (replays bool, e *Error)
	ResumeState         func(c *Conn, s *Session) Object // what is reported before the response
	ResumeResult2       func(result Object) any
	Close2              func(c *Conn, r *Request) (any, *Error)
	CloseUnknown2       func(c *Conn, id string) (any, *Error)
	Delete2             func(c *Conn, r *Request) (any, *Error)
	Archive2            func(c *Conn, r *Request) (any, *Error)
	Status2             func(c *Conn, r *Request) (any, *Error)
	StatusState         func(c *Conn, s *Session) any // nil leaves it out
	ConfigOptions2      func(c *Conn, s *Session) any // nil leaves them out
	SetConfigOption2    func(c *Conn, r *Request) (any, *Error)
	SetConfigResult2    func(c *Conn, s *Session) any
	Commands2           func() []any
	CancelToolCall      func(c *Conn, r *Request) (any, *Error)
	CancelTerminal      func(c *Conn, r *Request) (any, *Error)
	Prompt2             func(c *Conn, r *Request) (any, *Error)
	CheckPrompt2        func(c *Conn, r *Request) *Error
	BusyPrompt2         func(c *Conn, s *Session) *Error // nil: a prompt while a turn runs waits for its end
	Withdrawn           func(t *Turn) *Error             // the answer to a prompt that was cancelled before it was inserted
	UserMessage         func(t *Turn, id string) []Object
	PromptAnswer2       func(t *Turn, id string) any                      // nil: no answer
	StateUpdate         func(c *Conn, s *Session, state Object) Object    // a state as it is reported and remembered
	Running             func(t *Turn) Object                              // nil in place of a state reports none
	RequiresAction      func(t *Turn) Object                              // while the turn waits for the user
	Idle                func(t *Turn, stopReason string, e *Error) Object // e is the failure that ended the turn, or nil
	ToolCall2           func(t *Turn, tool *Tool) Object
	Diff2               func(path, before, after string) any
	Plan2               func(t *Turn, done int) Object
	OptionsUpdate       func(c *Conn, s *Session) Object
	PermissionParams2   func(t *Turn, tool *Tool) any
	Decide2             func(t *Turn, result Object, e *Error) (decision string, err error)
}
