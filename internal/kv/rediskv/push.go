package rediskv

import (
	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// feedTail is how many ids lie behind the mark of a feed before it is tidied,
// more or less. A page of that many or more then sees the mark; a greater one
// would make shorter pages read too much, a smaller one costs the fan-out more
// scripts.
const feedTail = 40

// tidyKeys is how many feeds one script tidies: the server does nothing else
// meanwhile, and a feed takes some ten microseconds.
const tidyKeys = 25

// oneID says whether all pushes among the changes are of one id, as those of a
// fan-out are. Then it makes no difference when a feed that they meet twice is
// cut, and they can be plain commands.
func oneID(changes []kv.Op) bool {
	var id uint64
	for _, c := range changes {
		if push, ok := c.(*kv.Push); ok {
			if id != 0 && push.ID != id {
				return false
			}
			id = push.ID
		}
	}
	return true
}

// push adds a plain push, which is nearly all that a fan-out sends: RPUSHX
// leaves a cold feed alone, and puts the id behind the mark of another, in
// whatever place it belongs. n is how many changes there may be.
func (p *writes) push(i int, c *kv.Push, n int) {
	if p.feeds == nil {
		p.feeds = make([]string, n)
	}
	p.feeds[i] = p.key(c.Key)
	if p.id == "" {
		p.id = p.uint(c.ID)
	}
	p.commands = append(p.commands, p.b.Rpushx().Key(p.feeds[i]).Element(p.id).Build())
}

// pushed notes a feed that is to be tidied, by the length that a push answers.
func (a *applying) pushed(feed string, answer rueidis.RedisResult) {
	n, err := answer.AsInt64()
	if err == nil && n > 0 && (n%feedTail == 0 || n > kv.FeedMax+1) {
		a.due = append(a.due, feed)
	}
}

// tidy adds the scripts for feeds and returns how many. In a Cluster a script
// sees one feed, since the next is mostly of another slot.
func (p *writes) tidy(feeds []string, cluster bool) int {
	most := tidyKeys
	if cluster {
		most = 1
	}
	for len(feeds) > 0 {
		n := min(most, len(feeds))
		p.commands = append(p.commands, p.scripts.tidy.call(p.b, p.whole, feeds[:n], nil))
		feeds = feeds[n:]
	}
	return len(p.commands)
}

// tidied reads the answers to the scripts for feeds that were due. Those remain
// due if one failed.
func (a *applying) tidied(answers []rueidis.RedisResult) error {
	for _, answer := range answers {
		if err := answer.Error(); err != nil {
			return err
		}
	}
	a.due = nil
	return nil
}
