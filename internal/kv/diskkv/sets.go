package diskkv

import "linnet/internal/kv"

// A set has two entries for each member: by name with its score, and by (score, name). Each change
// updates both.

func (w *writer) add(c kv.Add) error {
	old, found, err := w.score(c.Key, c.Member) // sets w.key to the entry's key
	if err != nil || found && old == c.Score {
		return err
	}
	if err := w.enter(c); err != nil || !found {
		return err
	}
	w.rank(c.Key, old, c.Member)
	return w.b.Delete(w.key, nil)
}

// manyAdds is the number of consecutive additions to one set from which the set is checked for
// being empty first.
const manyAdds = 16

// addsToOne returns how many of the first changes add to one set, or 0 if they are few.
func addsToOne(changes []kv.Op) int {
	first, ok := changes[0].(kv.Add)
	if !ok || len(changes) < manyAdds {
		return 0
	}
	n := 1
	for ; n < len(changes); n++ {
		if c, ok := changes[n].(kv.Add); !ok || c.Key != first.Key {
			break
		}
	}
	if n < manyAdds {
		return 0
	}
	return n
}

// addAll makes additions to one set. If a single check finds the set empty, only repeated members
// are looked up, because a lookup takes ten times as long as an addition.
func (w *writer) addAll(adds []kv.Op) error {
	w.key = appendShape(w.key[:0], adds[0].(kv.Add).Key, shapeScore)
	w.end = append(w.end[:0], w.key...)
	w.end[len(w.end)-1]++
	it, err := w.within(w.key, w.end)
	if err != nil {
		return err
	}
	empty, err := !it.First(), it.Error()
	w.close()
	if err != nil {
		return err
	}
	added := map[string]struct{}{}
	for _, op := range adds {
		c := op.(kv.Add)
		_, again := added[c.Member]
		if !empty || again {
			err = w.add(c)
		} else {
			added[c.Member] = struct{}{}
			w.key = append(appendShape(w.key[:0], c.Key, shapeScore), c.Member...)
			err = w.enter(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// enter adds a missing member. w.key is the key of its score.
func (w *writer) enter(c kv.Add) error {
	w.val = appendNumber(w.val[:0], c.Score)
	if err := w.b.Set(w.key, w.val, nil); err != nil {
		return err
	}
	w.rank(c.Key, c.Score, c.Member)
	return w.b.Set(w.key, nil, nil)
}

// rank sets w.key to the rank entry of a member.
func (w *writer) rank(k kv.Key, score int64, member string) {
	w.key = appendRank(appendShape(w.key[:0], k, shapeRank), score, member)
}
