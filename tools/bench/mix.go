package bench

import (
	"math/rand/v2"
	"slices"
	"sync"
)

// share is the percentage of an operation in a mix.
type share struct {
	op string
	n  int
}

// The operations of mixes.
const (
	opHome          = "home"       // the newest page
	opHomeSince     = "home since" // statuses since the last read
	opProfile       = "profile"
	opContext       = "context"
	opNotifications = "notifications"
	opMark          = "favourite or boost"
	opPost          = "post"
	opFollow        = "follow"
	opSearch        = "search"
	opSignUp        = "sign-up"
)

// mixOf returns the shares of a mix, or nil if it does not exist.
func mixOf(name string) []share {
	switch name {
	case "read-mostly": // like apps: mostly polling, some reading, little writing
		return []share{{opHomeSince, 70}, {opProfile, 10}, {opContext, 8}, {opNotifications, 5},
			{opMark, 3}, {opPost, 2}, {opFollow, 1}, {opSearch, 1}}
	case "timeline":
		return []share{{opHome, 60}, {opProfile, 30}, {opPost, 10}}
	case "retwis": // like in papers about transactional stores: half of the requests write
		return []share{{opHome, 50}, {opPost, 30}, {opFollow, 15}, {opSignUp, 5}}
	}
	return nil
}

// Mixes returns the names of all mixes.
func Mixes() []string { return []string{"read-mostly", "timeline", "retwis"} }

// deck returns operations in random order. Each hundred contains exactly the shares of the mix. It
// is safe for concurrent use.
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

// deal returns the next operation and a random source for it.
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
