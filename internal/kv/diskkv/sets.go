package diskkv

import "linnet/internal/kv"

// A member lies in a set twice: by name with its score, and by (score, name).
// Each change keeps both in step.

func (w *writer) add(c kv.Add) error {
	old, found, err := w.score(c.Key, c.Member) // leaves the entry's key in w.key
	if err != nil || found && old == c.Score {
		return err
	}
	w.val = appendNumber(w.val[:0], c.Score)
	if err := w.b.Set(w.key, w.val, nil); err != nil {
		return err
	}
	if found {
		w.rank(c.Key, old, c.Member)
		if err := w.b.Delete(w.key, nil); err != nil {
			return err
		}
	}
	w.rank(c.Key, c.Score, c.Member)
	return w.b.Set(w.key, nil, nil)
}

func (w *writer) remove(k kv.Key, member string) error {
	old, found, err := w.score(k, member)
	if err != nil || !found {
		return err
	}
	if err := w.b.Delete(w.key, nil); err != nil {
		return err
	}
	w.rank(k, old, member)
	return w.b.Delete(w.key, nil)
}

// rank makes w.key the rank entry of a member.
func (w *writer) rank(k kv.Key, score int64, member string) {
	w.key = appendRank(appendShape(w.key[:0], k, shapeRank), score, member)
}

// trim walks past what is kept, from the greatest down, and deletes the rest.
func (w *writer) trim(c kv.Trim) error {
	w.key = appendShape(w.key[:0], c.Key, shapeRank)
	w.end = appendShape(w.end[:0], c.Key, shapeRank+1)
	prefix := len(w.key)
	it, err := w.within(w.key, w.end)
	if err != nil {
		return err
	}
	ok := it.Last()
	for i := 0; ok && i < c.Keep; i++ {
		ok = it.Prev()
	}
	for ; ok; ok = it.Prev() {
		_, member, err := splitRank(it.Key()[prefix:])
		if err != nil {
			return err
		}
		if err := w.b.Delete(it.Key(), nil); err != nil {
			return err
		}
		w.val = append(appendShape(w.val[:0], c.Key, shapeScore), member...)
		if err := w.b.Delete(w.val, nil); err != nil {
			return err
		}
	}
	return it.Error()
}
