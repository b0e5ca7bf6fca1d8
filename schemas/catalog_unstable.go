package schemas

// catalogUnstable are the methods that need an opt-in, the same ones in both versions:
// https://agentclientprotocol.com/protocol/v1/draft/schema
var catalogUnstable = []methodRow{
	{"auth/status", fromClient, "AuthStatusRequest", "AuthStatusResponse", true},
	{"providers/list", fromClient, "ListProvidersRequest", "ListProvidersResponse", true},
	{"providers/set", fromClient, "SetProviderRequest", "SetProviderResponse", true},
	{"providers/disable", fromClient, "DisableProviderRequest", "DisableProviderResponse", true},
	{"session/fork", fromClient, "ForkSessionRequest", "ForkSessionResponse", true},
	{"session/archive", fromClient, "ArchiveSessionRequest", "ArchiveSessionResponse", true},
	{"session/unarchive", fromClient, "UnarchiveSessionRequest", "UnarchiveSessionResponse", true},
	{"session/status", fromClient, "SessionStatusRequest", "SessionStatusResponse", true},
	{"session/set_title", fromClient, "SetSessionTitleRequest", "SetSessionTitleResponse", true},
	{"mcp/message", fromClient, "MessageMcpNotification", "", true},

	{"mcp/message", fromAgent, "MessageMcpRequest", "MessageMcpResponse", true},
	{"auth/status_update", fromAgent, "AuthStatusUpdateNotification", "", true},

	{"proxy/initialize", fromProxy, "InitializeProxyRequest", "InitializeProxyResponse", true},
	{"proxy/successor", fromProxy, "ProxySuccessorRequest", "ProxySuccessorResponse", true},
	{"proxy/successor", fromProxy, "ProxySuccessorNotification", "", true},
}
