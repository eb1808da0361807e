package live

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// editedFor says whether a reader had a status, which is edited, in another way than by
// following its author: it is a direct one, or a group that the reader is in has passed
// it on.
func (a subject) editedFor(reader linnet.ID, sets readerSets) bool {
	if !a.edited {
		return false
	}
	direct := a.visibility == linnet.Direct && a.group == 0 && (a.author == reader || slices.Contains(a.mentions, reader))
	return direct || a.postedIn != 0 && sets.follows.has(a.postedIn)
}

// editedInChat says so of what is said in a chat, to anybody: whether the reader is in the
// chat is asked afterwards, see outsideStream. Who listens to direct messages alone has no
// set of groups at hand.
func (a subject) editedInChat(reader linnet.ID) bool { return a.edited && a.group != 0 && reader != 0 }

// editedBatch is for how many readers it is asked at once what they have done with an
// edited status.
const editedBatch = 500

// edited hands an edited status to those whose streams carry it, with what each of them
// has done with it before.
func (h *hub) edited(ctx context.Context, listeners []*Listener, ev core.Event, about subject, v *linnet.StatusView) {
	streams := map[*Listener][]linnet.Stream{}
	var readers []linnet.ID
	for _, l := range listeners {
		if carry := h.carriers(ctx, l, ev, about); len(carry) > 0 {
			streams[l] = carry
			readers = append(readers, l.who.User)
		}
	}
	slices.Sort(readers)
	views := map[linnet.ID]*linnet.StatusView{}
	for some := range slices.Chunk(slices.Compact(readers), editedBatch) {
		if err := h.s.marked(ctx, v, some, views); err != nil {
			break
		}
	}
	for l, carry := range streams {
		if own := views[l.who.User]; own != nil {
			h.tellStatus(ctx, l, carry, ev, own)
		} else {
			l.Close() // it would miss this event: let it fetch
		}
	}
}

// marked makes the views of a status that some readers have.
func (s *Service) marked(ctx context.Context, v *linnet.StatusView, readers []linnet.ID, views map[linnet.ID]*linnet.StatusView) error {
	b := s.st.Batch()
	rs, votes := make([]*db.Reader, len(readers)), make([]*db.PollRef, len(readers))
	for i, who := range readers {
		rs[i] = b.Reader(who)
		rs[i].AskStatus(v.ID)
		rs[i].AskThread(v.Conversation)
		if v.Poll != nil && who != 0 && who != v.Author {
			votes[i] = b.Poll(v.ID, len(v.Poll.Options), who)
		}
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	for i, who := range readers {
		own := *v
		m := rs[i].Status(v.ID)
		own.Favourited, own.Reposted, own.Bookmarked, own.Muted = m.Favourite(), m.Repost(), m.Bookmark(), rs[i].MutesThread(v.Conversation)
		if votes[i] != nil && votes[i].Own != 0 && own.PollView != nil {
			poll := *own.PollView
			poll.Voted, poll.Own = true, votes[i].Own.Options()
			own.PollView = &poll
		}
		views[who] = &own
	}
	return nil
}
