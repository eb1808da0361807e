package diskkv

import (
	"fmt"

	"linnet/internal/kv"
)

func (r *reader) holds(c kv.Cond) (bool, error) {
	switch c := c.(type) {
	case kv.VersionIs:
		version, err := r.version(c.Key)
		return version == c.Version, err
	case kv.Present:
		version, err := r.version(c.Key)
		return version != 0, err
	case kv.HasMember:
		_, found, err := r.score(c.Key, c.Member)
		return found, err
	case kv.NoMember:
		_, found, err := r.score(c.Key, c.Member)
		return !found, err
	case kv.ScoreIs:
		score, found, err := r.score(c.Key, c.Member)
		return found && score == c.Score, err
	case kv.AllBelow:
		from := kv.Range{Key: c.Key, Above: &kv.Member{Score: c.Score}, Limit: 1}
		err := r.page(&from)
		return len(from.Members) == 0, err
	case kv.CounterBelow:
		n, err := r.counter(c.Key, c.Name)
		return n < c.Limit, err
	}
	return false, fmt.Errorf("%w: unknown condition %T", kv.ErrRefused, c)
}

func (r *reader) version(k kv.Key) (version uint64, err error) {
	err = r.value(k, func(v value) { version = v.version })
	return version, err
}
