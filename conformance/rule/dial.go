package rule

import (
	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// TryDial is DialWith for a launch that may not suit the agent, such as another working directory when its command line holds
// relative paths: the rule goes on without it.
func (c *Case) TryDial(l wire.Launch) (*client.Client, error) {
	cl, err := c.Env.Dial(c, l)
	if err == nil {
		c.clients = append(c.clients, cl)
	}
	return cl, err
}
