package schemas

// catalogV1 are the stable methods of version 1: https://agentclientprotocol.com/protocol/v1/schema
var catalogV1 = []methodRow{
	{"initialize", fromClient, "InitializeRequest", "InitializeResponse", false},
	{"authenticate", fromClient, "AuthenticateRequest", "AuthenticateResponse", false},
	{"logout", fromClient, "LogoutRequest", "LogoutResponse", false},
	{"session/new", fromClient, "NewSessionRequest", "NewSessionResponse", false},
	{"session/load", fromClient, "LoadSessionRequest", "LoadSessionResponse", false},
	{"session/resume", fromClient, "ResumeSessionRequest", "ResumeSessionResponse", false},
	{"session/list", fromClient, "ListSessionsRequest", "ListSessionsResponse", false},
	{"session/delete", fromClient, "DeleteSessionRequest", "DeleteSessionResponse", false},
	{"session/close", fromClient, "CloseSessionRequest", "CloseSessionResponse", false},
	{"session/set_mode", fromClient, "SetSessionModeRequest", "SetSessionModeResponse", false},
	{"session/set_config_option", fromClient, "SetSessionConfigOptionRequest", "SetSessionConfigOptionResponse", false},
	{"session/prompt", fromClient, "PromptRequest", "PromptResponse", false},
	{"session/cancel", fromClient, "CancelNotification", "", false},

	{"session/update", fromAgent, "SessionNotification", "", false},
	{"session/request_permission", fromAgent, "RequestPermissionRequest", "RequestPermissionResponse", false},
	{"fs/read_text_file", fromAgent, "ReadTextFileRequest", "ReadTextFileResponse", false},
	{"fs/write_text_file", fromAgent, "WriteTextFileRequest", "WriteTextFileResponse", false},
	{"terminal/create", fromAgent, "CreateTerminalRequest", "CreateTerminalResponse", false},
	{"terminal/output", fromAgent, "TerminalOutputRequest", "TerminalOutputResponse", false},
	{"terminal/release", fromAgent, "ReleaseTerminalRequest", "ReleaseTerminalResponse", false},
	{"terminal/wait_for_exit", fromAgent, "WaitForTerminalExitRequest", "WaitForTerminalExitResponse", false},
	{"terminal/kill", fromAgent, "KillTerminalRequest", "KillTerminalResponse", false},
	{"elicitation/create", fromAgent, "CreateElicitationRequest", "CreateElicitationResponse", false},
	{"elicitation/complete", fromAgent, "CompleteElicitationNotification", "", false},

	{"$/cancel_request", fromBoth, "CancelRequestNotification", "", false},
}
