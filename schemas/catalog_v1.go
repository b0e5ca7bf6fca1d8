package schemas

var (
	fromClient = []Side{Client}
	fromAgent  = []Side{Agent}
	fromBoth   = []Side{Agent, Client}
)

// catalogV1 is version 1: https://agentclientprotocol.com/protocol/v1/schema
var catalogV1 = catalog{
	methods: []methodRow{
		{"initialize", fromClient, "InitializeRequest", "InitializeResponse"},
		{"authenticate", fromClient, "AuthenticateRequest", "AuthenticateResponse"},
		{"logout", fromClient, "LogoutRequest", "LogoutResponse"},
		{"session/new", fromClient, "NewSessionRequest", "NewSessionResponse"},
		{"session/load", fromClient, "LoadSessionRequest", "LoadSessionResponse"},
		{"session/resume", fromClient, "ResumeSessionRequest", "ResumeSessionResponse"},
		{"session/list", fromClient, "ListSessionsRequest", "ListSessionsResponse"},
		{"session/delete", fromClient, "DeleteSessionRequest", "DeleteSessionResponse"},
		{"session/close", fromClient, "CloseSessionRequest", "CloseSessionResponse"},
		{"session/set_mode", fromClient, "SetSessionModeRequest", "SetSessionModeResponse"},
		{"session/set_config_option", fromClient, "SetSessionConfigOptionRequest", "SetSessionConfigOptionResponse"},
		{"session/prompt", fromClient, "PromptRequest", "PromptResponse"},
		{"session/cancel", fromClient, "CancelNotification", ""},

		{"session/update", fromAgent, "SessionNotification", ""},
		{"session/request_permission", fromAgent, "RequestPermissionRequest", "RequestPermissionResponse"},
		{"fs/read_text_file", fromAgent, "ReadTextFileRequest", "ReadTextFileResponse"},
		{"fs/write_text_file", fromAgent, "WriteTextFileRequest", "WriteTextFileResponse"},
		{"terminal/create", fromAgent, "CreateTerminalRequest", "CreateTerminalResponse"},
		{"terminal/output", fromAgent, "TerminalOutputRequest", "TerminalOutputResponse"},
		{"terminal/release", fromAgent, "ReleaseTerminalRequest", "ReleaseTerminalResponse"},
		{"terminal/wait_for_exit", fromAgent, "WaitForTerminalExitRequest", "WaitForTerminalExitResponse"},
		{"terminal/kill", fromAgent, "KillTerminalRequest", "KillTerminalResponse"},
		{"elicitation/create", fromAgent, "CreateElicitationRequest", "CreateElicitationResponse"},
		{"elicitation/complete", fromAgent, "CompleteElicitationNotification", ""},

		{"$/cancel_request", fromBoth, "CancelRequestNotification", ""},
	},
	unstableMethods: []string{
		"auth/status", "auth/status_update", "mcp/message", "providers/disable", "providers/list", "providers/set",
		"proxy/initialize", "proxy/successor", "session/archive", "session/fork", "session/set_title", "session/status",
		"session/unarchive",
	},
	unstableUpdates: []string{"plan_removed", "plan_update", "session_message", "session_message_chunk", "subagent_update"},
	unstableMembers: map[string][]string{
		"AgentAuthCapabilities": {"status"},
		"AgentCapabilities":     {"providers"},
		"ClientCapabilities":    {"plan", "subagents"},
		"ListSessionsRequest":   {"archived"},
		"LoadSessionRequest":    {"systemPrompt"},
		"McpCapabilities":       {"acp"},
		"NewSessionRequest":     {"systemPrompt"},
		"PromptResponse":        {"usage"},
		"ResumeSessionRequest":  {"systemPrompt"},
		"SessionCapabilities":   {"archive", "fork", "status", "systemPrompt", "title"},
		"SessionInfo":           {"archived"},
	},
}
