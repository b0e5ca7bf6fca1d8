package rule

import (
	crypto "crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// UnknownID is an id that no agent has given out, another one each time: a random UUID.
func (c *Case) UnknownID() string {
	b := c.draw()
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Word is a word that nobody says by chance, another one each time.
func (c *Case) Word() string {
	b := c.draw()
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:])
}

// draw gives the next random bytes of the rule. They come from the seed of the run, so that one report is like the next, unless the
// agents may remember what they were asked in an earlier one.
func (c *Case) draw() (b [16]byte) {
	if c.Env.Remembered {
		_, _ = crypto.Read(b[:]) // it never fails
		return b
	}
	if c.random == nil {
		h := fnv.New64a()
		_, _ = h.Write([]byte(c.rule.ID))
		c.random = rand.New(rand.NewPCG(uint64(c.Env.Seed), h.Sum64()))
	}
	binary.BigEndian.PutUint64(b[:8], c.random.Uint64())
	binary.BigEndian.PutUint64(b[8:], c.random.Uint64())
	return b
}
