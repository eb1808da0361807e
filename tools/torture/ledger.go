package torture

import "sync"

// state is a client's knowledge of one of its acts.
type state uint8

const (
	absent state = iota // refused, undone, or found to be missing
	unsure              // no response, or a server error
	made                // acknowledged
)

// post is a status with a unique text.
type post struct {
	text    string
	id      string // once known
	is      state
	deleted state // made if the deletion was acknowledged

	visibility string  // "" for public
	to         *member // another viewer, if it is not public
}

// there reports whether the post must be shown.
func (p *post) there() bool { return p.is == made && p.deleted == absent }

// ledger contains the acts of a client in a round. Only its client writes to it.
type ledger struct {
	posts   []*post
	favours map[*post]state   // of posts on the board
	follows map[*member]state // of other members of the cast
	marks   map[mark]state
	said    []*post // posts for followers, for one user or in a group
}

func newLedger() *ledger {
	return &ledger{favours: map[*post]state{}, follows: map[*member]state{}, marks: map[mark]state{}}
}

// board contains the posts of all clients.
type board struct {
	mu    sync.Mutex
	posts []*post
	ids   map[string]bool
}

// pin adds an acknowledged post and reports whether its id is new.
func (b *board) pin(p *post, id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p.visibility == "" {
		b.posts = append(b.posts, p)
	}
	fresh := !b.ids[id]
	b.ids[id] = true
	return fresh
}

// any returns one of the posts, or nil.
func (b *board) any(n int) *post {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.posts) == 0 {
		return nil
	}
	return b.posts[n%len(b.posts)]
}
