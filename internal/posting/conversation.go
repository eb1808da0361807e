package posting

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"linnet/internal/cache"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/reading"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/inbox"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Conversations manages the conversations of users: their direct messages by participants, and
// their chats. It is safe for concurrent use.
type Conversations struct {
	st      *store.Store
	core    *core.Service
	view    *view.Service
	reading *reading.Service

	unread *cache.Cache[linnet.ID, int] // number of unread conversations per user
	epoch  atomic.Int64                 // increases with each change, see Unread
}

func newConversations(b core.Base, c *core.Service, v *view.Service, r *reading.Service) *Conversations {
	age := sharedAge
	if b.Options.Exclusive {
		age = unreadAge
	}
	return &Conversations{st: b.Store, core: c, view: v, reading: r, unread: cache.New(cache.Options[linnet.ID, int]{Max: 50_000, TTL: age})}
}

var errNoConversation = linnet.Errorf(linnet.NotFound, "Record not found")

// partners returns the distinct participants of a direct status: its author and the mentioned
// users. They identify its conversations.
func partners(author linnet.ID, mentioned []linnet.ID) []linnet.ID {
	people := []linnet.ID{author}
	for _, id := range mentioned {
		if !slices.Contains(people, id) {
			people = append(people, id)
		}
	}
	return people
}

// partnersIn returns the participants that identify a direct status: in a chat, the chat alone.
func partnersIn(st *linnet.Status) []linnet.ID {
	if st.ForMembers() {
		return []linnet.ID{st.Group}
	}
	return partners(st.Author, mentionedIDs(st))
}

func mentionedIDs(st *linnet.Status) []linnet.ID {
	ids := make([]linnet.ID, len(st.Mentions))
	for i, m := range st.Mentions {
		ids[i] = m.ID
	}
	return ids
}

// add adds a direct status to the conversation of each participant.
func (s *Conversations) add(ctx context.Context, st *linnet.Status) error {
	people := partners(st.Author, mentionedIDs(st))
	for _, who := range people {
		id := record.ConversationID(who, people)
		added, err := s.st.Inbox.AddToConversation(ctx, who, id, st)
		if err != nil {
			return err
		}
		if added {
			s.changed(ctx, who, id)
		}
	}
	return nil
}

// remove removes a deleted status from the conversations of its participants.
func (s *Conversations) remove(ctx context.Context, st *linnet.Status) error {
	people := partners(st.Author, mentionedIDs(st))
	for _, who := range people {
		id := record.ConversationID(who, people)
		changed, err := s.st.Inbox.RemoveFromConversation(ctx, who, id, st.ID)
		if err != nil {
			return err
		}
		if changed {
			s.changed(ctx, who, id)
		}
	}
	return nil
}

func (s *Conversations) changed(ctx context.Context, owner, id linnet.ID) {
	s.ForgetUnread(owner)
	s.core.Emit(ctx, owner, core.Event{Type: linnet.EventConversation, To: owner, Conversation: id})
}

// List returns me's conversations, the one with the newest status first. The cursors are ids of
// these statuses. https://docs.joinmastodon.org/methods/conversations/#get
func (s *Conversations) List(ctx context.Context, me linnet.ID, p linnet.Page) (out linnet.Slice[linnet.ConversationView], err error) {
	return timeline.FillPage(ctx, s.core, p, timeline.List[linnet.ConversationView]{Name: func() string { return fmt.Sprint("conversations ", me) }, Most: linnet.MaxPage,
		Position: func(v *linnet.ConversationView) timeline.Position {
			return timeline.Position{ID: v.Last, Hidden: v.Status.ID != v.Last}
		},
		Read: func(sp db.Span, _ int) (timeline.Round[linnet.ConversationView], error) {
			return timeline.ReadRound(sp,
				func(sp db.Span) ([]linnet.Conversation, error) { return s.st.Inbox.Conversations(ctx, me, sp) },
				func(c *linnet.Conversation) linnet.ID { return c.Last },
				func(page []linnet.Conversation) ([]linnet.ConversationView, error) {
					return s.show(ctx, me, page)
				})
		}})
}

// show loads conversations for display. It leaves out those without a visible status.
func (s *Conversations) show(ctx context.Context, me linnet.ID, cs []linnet.Conversation) ([]linnet.ConversationView, error) {
	l := s.view.Loader(me)
	l.WantUser(me)
	now := make([]*linnet.Conversation, len(cs))
	for i, c := range cs {
		l.Want(c.Last, 0)
		now[i] = l.B.Conversation(me, c.ID)
	}
	if err := l.Run(ctx); err != nil {
		return nil, err
	}
	shown, err := l.LastShown(ctx, cs)
	if err != nil {
		return nil, err
	}
	out := make([]linnet.ConversationView, 0, len(cs))
	for i, st := range shown {
		if st == nil || now[i].ID == 0 {
			continue
		}
		v := linnet.ConversationView{Conversation: cs[i], Status: st}
		v.Unread = now[i].Unread
		for _, id := range partnersIn(&st.Status) {
			l.WantUser(id)
		}
		out = append(out, v)
	}
	if err := l.Run(ctx); err != nil {
		return nil, err
	}
	for i := range out {
		people := partnersIn(&out[i].Status.Status)
		out[i].People = l.Others(people)
		isMe := func(u *linnet.SharedUser) bool { return u.ID == me }
		out[i].Deserted = slices.ContainsFunc(out[i].People, isMe) && slices.ContainsFunc(people, func(id linnet.ID) bool { return id != me })
	}
	return out, nil
}

// Get returns a conversation of me.
func (s *Conversations) Get(ctx context.Context, me, id linnet.ID) (linnet.ConversationView, error) {
	c, err := s.find(ctx, me, id)
	if err != nil {
		return linnet.ConversationView{}, err
	}
	found, err := s.show(ctx, me, []linnet.Conversation{c})
	if err != nil {
		return linnet.ConversationView{}, err
	}
	if len(found) == 0 {
		return linnet.ConversationView{}, errNoConversation
	}
	return found[0], nil
}

func (s *Conversations) find(ctx context.Context, me, id linnet.ID) (linnet.Conversation, error) {
	b := s.st.Batch()
	c := b.Conversation(me, id)
	if err := b.Run(ctx); err != nil {
		return linnet.Conversation{}, core.StoreError(err)
	}
	if c.ID == 0 {
		return linnet.Conversation{}, errNoConversation
	}
	return *c, nil
}

// Delete deletes a conversation for me only. A new status restores it, without the
// earlier ones.
// https://docs.joinmastodon.org/methods/conversations/#delete
func (s *Conversations) Delete(ctx context.Context, me, id linnet.ID) error {
	err := s.st.Inbox.DeleteConversation(ctx, me, id)
	s.ForgetUnread(me)
	if errors.Is(err, inbox.ErrNoConversation) {
		return errNoConversation
	}
	return core.StoreError(err)
}

// Mark marks a conversation as read or unread and shows it.
// https://docs.joinmastodon.org/methods/conversations/#read
func (s *Conversations) Mark(ctx context.Context, me, id linnet.ID, unread bool) (linnet.ConversationView, error) {
	changed, err := s.st.Inbox.SetUnread(ctx, me, id, unread)
	if errors.Is(err, inbox.ErrNoConversation) {
		return linnet.ConversationView{}, errNoConversation
	}
	if err != nil {
		return linnet.ConversationView{}, core.StoreError(err)
	}
	if changed {
		s.changed(ctx, me, id) // for me's other devices
	}
	return s.Get(ctx, me, id)
}

// Statuses returns the stored statuses of a conversation of me, newest first.
func (s *Conversations) Statuses(ctx context.Context, me, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	if _, err := s.find(ctx, me, id); err != nil {
		return linnet.Slice[linnet.StatusView]{}, err
	}
	next := func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
		ids, err := s.st.Inbox.Messages(ctx, me, id, sp)
		return timeline.PageOf(ids, sp), err
	}
	return s.reading.Page(ctx, me, p, reading.Source{Name: func() string { return fmt.Sprint("conversation ", me, " ", id) }, Read: next})
}

// Directs returns the direct statuses by me and to me from all conversations.
// https://docs.joinmastodon.org/methods/timelines/#direct
func (s *Conversations) Directs(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	next := func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
		m, err := s.st.Inbox.Directs(ctx, me, sp)
		return timeline.Cut(m, sp), err
	}
	keep := func(_ *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
		return v.Visibility == linnet.Direct
	}
	return s.reading.Page(ctx, me, p, reading.Source{Name: func() string { return fmt.Sprint("direct ", me) }, Read: next, Rule: keep})
}

// ConversationWith returns the id of the conversation between me and exactly these users. The
// conversation exists once it has a status.
func ConversationWith(me linnet.ID, people []linnet.ID) linnet.ID {
	return record.ConversationID(me, people)
}

// ConversationIn returns the id of me's conversation in a chat. The conversation exists once it has
// a status.
func ConversationIn(me, chat linnet.ID) linnet.ID {
	return inbox.ChatConversationID(me, chat)
}

// ConversationOf returns the id of me's conversation that contains a direct status.
func ConversationOf(me linnet.ID, st *linnet.Status) linnet.ID {
	if st.ForMembers() {
		return ConversationIn(me, st.Group)
	}
	return record.ConversationID(me, partners(st.Author, mentionedIDs(st)))
}
