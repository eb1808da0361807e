package rediskv

import (
	"slices"

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

// fewIDs says whether the only change of feeds among some is a merge of so few ids that
// they may lie behind the mark, and is not of a feed that is deleted too. Then it makes no
// difference when the feed is cut, and they can be one plain command.
func fewIDs(changes []kv.Op) bool {
	var merge *kv.Merge
	for _, c := range changes {
		if m, ok := c.(kv.Merge); ok && merge == nil && len(m.IDs) > 0 && len(m.IDs) <= feedTail {
			merge = &m
		} else if shapeOf(c) == feedShape {
			return false
		}
	}
	return merge != nil && !slices.ContainsFunc(changes, func(c kv.Op) bool {
		d, ok := c.(kv.Delete)
		return ok && d.Key == merge.Key
	})
}

// merge adds a plain push of a few ids. n is how many changes there may be.
func (p *writes) merge(i int, c kv.Merge, n int) {
	ids := rising(c.IDs)
	p.feeds, p.many = make([]string, n), len(ids)
	p.feeds[i] = p.key(c.Key)
	texts := make([]string, len(ids))
	for j, id := range ids {
		texts[j] = p.uint(id)
	}
	p.commands = append(p.commands, p.b.Rpushx().Key(p.feeds[i]).Element(texts...).Build())
}

// pushed notes a feed that is to be tidied, by the length that a push of so many ids
// answers.
func (a *applying) pushed(feed string, answer rueidis.RedisResult, many int64) {
	n, err := answer.AsInt64()
	if err == nil && n > 0 && (n/feedTail != (n-many)/feedTail || n > kv.FeedMax+1) {
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
