package torture

import "sync"

// state is what a client knows of an act of its own.
type state uint8

const (
	absent state = iota // refused, undone, or found not to have been made
	unsure              // the answer was lost, or was an error of the server
	made                // acknowledged
)

// post is a status that was sent, by its text, which is unique.
type post struct {
	text    string
	id      string // once it is known
	is      state
	deleted state // made: its deletion was acknowledged

	visibility string  // public if empty
	to         *member // somebody who may see it, if it is not for all
}

// there reports whether the post must be shown.
func (p *post) there() bool { return p.is == made && p.deleted == absent }

// ledger is what one client has done in a round. Only its client writes to it.
type ledger struct {
	posts   []*post
	favours map[*post]state   // of posts of the board
	follows map[*member]state // of others of the cast
	marks   map[mark]state
	said    []*post // what is not for all, or for a group
}

func newLedger() *ledger {
	return &ledger{favours: map[*post]state{}, follows: map[*member]state{}, marks: map[mark]state{}}
}

// board is where clients find each other's posts.
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

// any returns one of the posts, nil if there is none.
func (b *board) any(n int) *post {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.posts) == 0 {
		return nil
	}
	return b.posts[n%len(b.posts)]
}
