package schemas

// catalogV2 are the stable methods of version 2: https://agentclientprotocol.com/protocol/v2/schema
var catalogV2 = []methodRow{
	{"initialize", fromClient, "InitializeRequest", "InitializeResponse", false},
	{"auth/login", fromClient, "LoginAuthRequest", "LoginAuthResponse", false},
	{"auth/logout", fromClient, "LogoutAuthRequest", "LogoutAuthResponse", false},
	{"session/new", fromClient, "NewSessionRequest", "NewSessionResponse", false},
	{"session/resume", fromClient, "ResumeSessionRequest", "ResumeSessionResponse", false},
	{"session/list", fromClient, "ListSessionsRequest", "ListSessionsResponse", false},
	{"session/delete", fromClient, "DeleteSessionRequest", "DeleteSessionResponse", false},
	{"session/close", fromClient, "CloseSessionRequest", "CloseSessionResponse", false},
	{"session/set_config_option", fromClient, "SetSessionConfigOptionRequest", "SetSessionConfigOptionResponse", false},
	{"session/prompt", fromClient, "PromptRequest", "PromptResponse", false},
	{"session/cancel", fromClient, "CancelSessionNotification", "", false},
	{"tool_call/cancel", fromClient, "CancelToolCallRequest", "CancelToolCallResponse", false},
	{"terminal/cancel", fromClient, "CancelTerminalRequest", "CancelTerminalResponse", false},

	{"session/update", fromAgent, "UpdateSessionNotification", "", false},
	{"session/request_permission", fromAgent, "RequestPermissionRequest", "RequestPermissionResponse", false},
	{"elicitation/create", fromAgent, "CreateElicitationRequest", "CreateElicitationResponse", false},
	{"elicitation/complete", fromAgent, "CompleteElicitationNotification", "", false},

	{"$/cancel_request", fromBoth, "CancelRequestNotification", "", false},
}
