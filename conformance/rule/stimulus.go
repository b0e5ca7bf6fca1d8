package rule

// Stimulus is something that a rule wants the agent to do in a turn.
type Stimulus string

// The stimuli. None is the zero value.
const (
	None         Stimulus = ""
	ShortTurn    Stimulus = "a short turn"                      // a turn that ends by itself and says something
	LongTurn     Stimulus = "a long turn"                       // a turn that goes on until it is cancelled
	ToolTurn     Stimulus = "a tool call"                       // a turn with a tool call that ends
	LongTool     Stimulus = "a tool call that goes on"          // a tool call in progress until the turn is cancelled
	Permission   Stimulus = "a permission request"              // a turn that asks for permission
	ReadFile     Stimulus = "reading a file"                    // the argument is the path; the content is said
	WriteFile    Stimulus = "writing a file"                    // the argument is the path
	RunCommand   Stimulus = "running a command"                 // the argument is the command line
	ClientFile   Stimulus = "reading a file through the client" // as ReadFile, by a request to the client
	Numbered     Stimulus = "numbered chunks of text"           // the argument is how many
	Thought      Stimulus = "a thought"                         // thinking that is reported
	SayText      Stimulus = "saying a given text"               // the argument is the text
	RichContent  Stimulus = "content of every kind"             // chunks with images, audio, links and resources
	FailedTurn   Stimulus = "a turn that fails"                 // the prompt is answered by an error
	Elicitation  Stimulus = "a question to the user"            // by elicitation/create
	GatedUpdates Stimulus = "notices and compactions"           // only for clients that advertise them
	Chat         Stimulus = "an answer to plain text"           // a prompt that asks for nothing in particular
	StateUpdates Stimulus = "updates of state"                  // commands, modes, usage, info
	Subagent     Stimulus = "a sub-agent"                       // one that is at work when the turn has ended
	Evict        Stimulus = "an eviction"                       // the session leaves memory after the turn, and stays known
)

// plain tells whether any agent can be brought to do it by a plain prompt, reliably enough to be owed: a turn that goes on long enough depends on the agent.
func (s Stimulus) plain() bool { return s == None || s == ShortTurn }

// Task is a prompt that brings a stimulus about.
type Task struct {
	Prompt  []any  // content blocks
	Certain bool   // the agent surely does it: a directive of the fake or a scripted model, not a request to a model
	By      string // who brings it about, for a person
}

// Stimuli finds a task for a stimulus; false where nothing can bring it about.
type Stimuli func(s Stimulus, arg string) (Task, bool)
