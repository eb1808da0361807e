package bench

import (
	"math/rand/v2"
	"slices"
	"sync"
)

// share is how many of a mix's hundred requests are of one operation.
type share struct {
	op string
	n  int
}

// The operations of mixes.
const (
	opHome          = "home"       // the newest page
	opHomeSince     = "home since" // what is new since the last time
	opProfile       = "profile"
	opContext       = "context"
	opNotifications = "notifications"
	opMark          = "favourite or boost"
	opPost          = "post"
	opFollow        = "follow"
	opSearch        = "search"
	opSignUp        = "sign-up"
)

// mixOf returns the shares of a mix, nil if there is none of that name.
func mixOf(name string) []share {
	switch name {
	case "read-mostly": // what apps do: they poll, people look around, few write
		return []share{{opHomeSince, 70}, {opProfile, 10}, {opContext, 8}, {opNotifications, 5},
			{opMark, 3}, {opPost, 2}, {opFollow, 1}, {opSearch, 1}}
	case "timeline":
		return []share{{opHome, 60}, {opProfile, 30}, {opPost, 10}}
	case "retwis": // as in papers about transactional stores: half of it writes
		return []share{{opHome, 50}, {opPost, 30}, {opFollow, 15}, {opSignUp, 5}}
	}
	return nil
}

// Mixes are the names of all mixes.
func Mixes() []string { return []string{"read-mostly", "timeline", "retwis"} }

// deck deals operations: in every hundred each comes exactly as often as its
// share says, in random order. It is safe for concurrent use.
type deck struct {
	mu    sync.Mutex
	cards []string
	next  int
	rng   *rand.Rand
}

func newDeck(mix []share, seed uint64) *deck {
	d := &deck{rng: rand.New(rand.NewPCG(seed, 1))}
	for _, s := range mix {
		d.cards = append(d.cards, slices.Repeat([]string{s.op}, s.n)...)
	}
	return d
}

// deal returns the next operation and a source of chance for it alone.
func (d *deck) deal() (op string, rng *rand.Rand) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.next == 0 {
		d.rng.Shuffle(len(d.cards), func(i, j int) { d.cards[i], d.cards[j] = d.cards[j], d.cards[i] })
	}
	op = d.cards[d.next]
	d.next = (d.next + 1) % len(d.cards)
	return op, rand.New(rand.NewPCG(d.rng.Uint64(), 2))
}
