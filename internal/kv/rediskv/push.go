package rediskv

import (
	"slices"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// feedTail is roughly the number of ids behind the mark of a feed before it is tidied. Pages of at
// least that size then reach the mark. A greater number makes short pages read too much, and a
// smaller one costs the fan-out more scripts.
const feedTail = 40

// tidyKeys limits the feeds that one script tidies. A feed takes about ten microseconds, during
// which the server does nothing else.
const tidyKeys = 25

// oneID reports whether all pushes among the changes have the same id, as in a fan-out. Then it
// does not matter when a feed that is pushed to twice is cut, and plain commands are enough.
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

// fewIDs reports whether the only change of feeds is one merge of so few ids that they fit behind
// the mark, on a feed that is not deleted too. Then it does not matter when the feed is cut, and
// one plain command is enough.
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

// tidy adds the scripts for feeds and returns their number. In a Cluster each script has one feed,
// because the next is usually in another slot.
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

// tidied reads the answers of these scripts. The feeds remain due if one failed.
func (a *applying) tidied(answers []rueidis.RedisResult) error {
	for _, answer := range answers {
		if err := answer.Error(); err != nil {
			return err
		}
	}
	a.due = nil
	return nil
}
