package seed

import (
	"time"

	"linnet/internal/linnet"
)

// lots makes all random choices of an import. They depend only on the seed and their purpose, so
// that an import can continue anywhere.
type lots struct {
	seed uint64
	base time.Time     // everything imported is older
	days time.Duration // period of the statuses and follows; users signed up in the same period before
}

// Purposes of random choices.
const (
	lotUser = iota + 1
	lotBorn
	lotFollow
	lotAuthor
	lotPosted
)

// draw returns a number for a purpose and two indexes, with the finalizer of splitmix64.
func (l lots) draw(what, i, j uint64) uint64 {
	x := l.seed
	for _, v := range [...]uint64{what, i, j} {
		x += 0x9e3779b97f4a7c15 + v
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
	}
	return x
}

// user returns the id of the i-th user. Other attempts give other ids, in case one is taken.
func (l lots) user(i, attempt int) linnet.ID {
	r := l.draw(lotUser, uint64(i), uint64(attempt))
	ago := l.days + time.Duration(l.draw(lotBorn, uint64(i), uint64(attempt))%uint64(l.days))
	return linnet.MakeID(l.base.Add(-ago), uint16(r%1024), uint8(r>>10))
}

// follow returns the version of a follow, which is its time.
func (l lots) follow(a, b uint32) int64 {
	ago := time.Duration(l.draw(lotFollow, uint64(a), uint64(b)) % uint64(l.days))
	return l.base.Add(-ago).UnixMilli()
}

// author returns the author of the k-th status.
func (l lots) author(k, users int) int { return int(l.draw(lotAuthor, uint64(k), 0) % uint64(users)) }

// status returns the id of the k-th status, in the author's shard. Later statuses have later times.
func (l lots) status(k, of int, author linnet.ID, attempt int) linnet.ID {
	each := l.days / time.Duration(of)
	r := l.draw(lotPosted, uint64(k), uint64(attempt))
	at := l.base.Add(-l.days + time.Duration(k)*each + time.Duration(r%uint64(max(each, 1))))
	return linnet.MakeID(at, author.Shard(), uint8(r>>40))
}
