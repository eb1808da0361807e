package live

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store/inbox"
	"linnet/internal/text"
)

const (
	hubDeadline = 2 * time.Second
	hubMemory   = 1024                   // remembered events, so that a repeated batch isn't sent twice
	hubPause    = 500 * time.Millisecond // between attempts to subscribe, so that clients that reconnect together don't each make one
)

var errStopping = linnet.Errorf(linnet.Unavailable, "The server is restarting. Reconnect in a moment.")

// hub receives events and passes them to the listeners of this server. One goroutine matches events
// to listeners, and listeners are only woken.
type hub struct {
	s         *Service
	mu        sync.Mutex
	listeners map[*Listener]bool
	sub       kv.Subscription // nil while there are no listeners, or after a loss
	received  chan kv.Subscription
	refused   error     // of the last attempt to subscribe
	refusedAt time.Time // when that was
	stopped   bool      // no more events are received
	recent    map[string]bool
	order     []string
	shrink    shrink
}

func newHub(s *Service) *hub {
	return &hub{s: s, listeners: map[*Listener]bool{}, received: make(chan kv.Subscription, 1), recent: map[string]bool{}, shrink: newShrink()}
}

// join adds a listener. When it returns, the listener receives events.
func (h *hub) join(ctx context.Context, l *Listener) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped {
		return errStopping
	}
	if h.sub == nil {
		if err := h.subscribe(ctx); err != nil {
			return err
		}
	}
	h.add(l)
	return nil
}

// add adds a listener. The caller holds h.mu.
func (h *hub) add(l *Listener) {
	h.listeners[l] = true
	h.shrink.most = max(h.shrink.most, len(h.listeners))
}

// subscribe subscribes to events. The caller holds h.mu.
func (h *hub) subscribe(ctx context.Context) error {
	if h.refused != nil && h.s.st.Now().Sub(h.refusedAt).Abs() < hubPause {
		return h.refused
	}
	sub, err := h.s.core.SubscribeEvents(ctx)
	if ctx.Err() == nil { // otherwise the error isn't about the bus
		h.refused, h.refusedAt = err, h.s.st.Now()
	}
	if err != nil {
		return err
	}
	h.sub = sub
	h.received <- sub
	return nil
}

// drop removes a listener. The caller holds h.mu.
func (h *hub) drop(l *Listener) {
	if h.listeners[l] {
		delete(h.listeners, l)
		l.queue(nil)
		h.shrunk()
	}
}

// Run passes events to listeners until ctx ends. Then it closes all listeners and accepts no new
// ones.
func (s *Service) Run(ctx context.Context) {
	h := s.hub
	for {
		select {
		case <-ctx.Done():
			h.stop()
			return
		case sub := <-h.received:
			h.listen(ctx, sub)
		}
	}
}

// listen passes on the events of a subscription until it or ctx ends.
func (h *hub) listen(ctx context.Context, sub kv.Subscription) {
	defer sub.Close()
	defer h.dropAll(sub)
	for {
		select {
		case <-ctx.Done():
			return
		case m, ok := <-sub.Messages():
			if !ok { // events were missed, so clients have to fetch
				return
			}
			var ev core.Event
			if err := json.Unmarshal(m.Payload, &ev); err != nil {
				h.s.opt.Log.Warn("cannot decode event", "err", err)
				continue
			}
			h.handle(ctx, ev)
		}
	}
}

// dropAll closes all listeners after events of a subscription were missed.
func (h *hub) dropAll(sub kv.Subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range h.listeners {
		h.drop(l)
	}
	if h.sub == sub {
		h.sub = nil
	}
}

func (h *hub) stop() {
	h.mu.Lock()
	h.stopped = true
	for l := range h.listeners {
		h.drop(l)
	}
	h.mu.Unlock()
	select {
	case sub := <-h.received: // opened, but not yet heard
		sub.Close()
	default:
	}
}

// repeated reports whether an event was received recently.
func (h *hub) repeated(ev core.Event) bool {
	key := string(ev.Type) + ev.Status.String() + "." + ev.Notice.String() + "." + strconv.FormatInt(ev.Edited, 10)
	if len(ev.Watchers) > 0 { // of each batch
		key += "." + ev.Watchers[0].String() + "." + strconv.FormatInt(ev.Ended, 10)
	}
	if h.recent[key] {
		return true
	}
	h.recent[key] = true
	if h.order = append(h.order, key); len(h.order) > hubMemory {
		delete(h.recent, h.order[0])
		h.order = h.order[1:]
	}
	return false
}

// all returns the current listeners of this server.
func (h *hub) all() []*Listener {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]*Listener, 0, len(h.listeners))
	for l := range h.listeners {
		out = append(out, l)
	}
	return out
}

func (h *hub) handle(ctx context.Context, ev core.Event) {
	ctx, cancel := context.WithTimeout(ctx, hubDeadline)
	defer cancel()
	switch ev.Type {
	case core.EventEnd:
		h.s.identity.ForgetSession(ev.Session) // first, so that the session can't connect again
		for _, l := range h.all() {
			if l.who.ID == ev.Session {
				l.Close()
			}
		}
	case core.EventUser:
		h.changedUser(ev.To)
	case core.EventRoles:
		if err := h.s.core.RefreshRoles(ctx, ev.Set); err != nil && ctx.Err() == nil {
			h.s.opt.Log.Debug("cannot read roles", "err", err)
		}
	case core.EventReader:
		for _, l := range h.all() {
			if l.who.User == ev.To {
				l.mu.Lock()
				l.forget()
				l.mu.Unlock()
			}
		}
	case linnet.EventFilters:
		for _, l := range h.all() {
			if l.who.User == ev.To {
				l.mu.Lock()
				l.filters = nil // read again for the next status
				l.changes++
				l.mu.Unlock()
			}
		}
		h.signal(ev, linnet.StreamUser)
	case linnet.EventMerged:
		h.signal(ev, linnet.StreamUser, linnet.StreamUserNotification)
	case linnet.EventAnnouncement, linnet.EventReaction, linnet.EventAnnouncementDeleted:
		h.announcement(ctx, ev)
	case linnet.EventNotification:
		if !h.repeated(ev) {
			h.notification(ctx, ev)
		}
	case linnet.EventConversation:
		h.s.conversations.ForgetUnread(ev.To)
		h.conversation(ctx, ev)
	case linnet.EventUpdate, linnet.EventDelete, linnet.EventEdit:
		if !h.repeated(ev) {
			h.status(ctx, ev)
		}
	}
}

// changedUser drops cached data of a user and closes their streams. Clients with permission
// reconnect.
func (h *hub) changedUser(id linnet.ID) {
	h.s.identity.ForgetAccount(id)
	for _, l := range h.all() {
		if l.who.User == id {
			l.Close()
		}
	}
}

// signal sends an event without content to a user's streams of some kinds, so that apps fetch the
// new state.
func (h *hub) signal(ev core.Event, kinds ...linnet.StreamKind) {
	for _, l := range h.all() {
		if l.who.User != ev.To {
			continue
		}
		for _, st := range l.subscribed() {
			if slices.Contains(kinds, st.Kind) {
				h.send(l, &linnet.StreamEvent{Stream: st, Type: ev.Type})
			}
		}
	}
}

func (h *hub) notification(ctx context.Context, ev core.Event) {
	told := map[linnet.ID]linnet.ID{} // user: notification
	if ev.To != 0 {
		told[ev.To] = ev.Notice
	}
	for _, id := range ev.Watchers {
		told[id] = noticeOf(id, ev).ID
	}
	views := map[linnet.ID]*linnet.NotificationView{}
	for _, l := range h.all() {
		notice, ok := told[l.who.User]
		if !ok {
			continue
		}
		for _, st := range l.subscribed() {
			if st.Kind != linnet.StreamUser && st.Kind != linnet.StreamUserNotification {
				continue
			}
			if views[notice] == nil {
				found, err := h.s.notify.Notification(ctx, l.who.User, notice)
				if err != nil {
					break // it isn't visible, or is already deleted
				}
				views[notice] = &found
			}
			h.send(l, &linnet.StreamEvent{Stream: st, Type: ev.Type, Notification: views[notice]})
		}
	}
}

// noticeOf returns the notification of one recipient of an event.
func noticeOf(who linnet.ID, ev core.Event) linnet.Notification {
	st := &linnet.Status{ID: ev.Status, Author: ev.Author}
	switch {
	case ev.Edited != 0:
		return inbox.EditNotice(who, st, ev.Edited)
	case ev.Ended == 0:
		return inbox.WatchNotice(who, st)
	}
	st.Poll = &linnet.Poll{Expires: time.UnixMilli(ev.Ended)}
	return inbox.PollNotice(who, st)
}

// status passes an update or a deletion to the listeners whose streams include it.
func (h *hub) status(ctx context.Context, ev core.Event) {
	listeners := h.all()
	if len(listeners) == 0 {
		return
	}
	about, v, ok := h.subject(ctx, ev)
	if !ok {
		return
	}
	if ev.Type == linnet.EventEdit || v != nil && !looksAlike(v) {
		h.sendEach(ctx, listeners, ev, about)
		return
	}
	var no, yes *linnet.StatusView
	if v != nil {
		no, yes = quotable(v)
	}
	told := encoded{}
	for _, l := range listeners {
		streams, shown := h.carriers(ctx, l, ev, about), no
		if len(streams) > 0 && v != nil && l.mayQuote(ctx, v) {
			shown = yes
		}
		h.sendStatus(ctx, l, streams, ev, shown, told)
	}
}

// encoded has the events created from one event, by stream and view, so that each is encoded once.
type encoded map[encodedKey]*linnet.StreamEvent

type encodedKey struct {
	stream linnet.Stream
	view   *linnet.StatusView
}

// of returns the event for listeners with the same stream and view.
func (t encoded) of(st linnet.Stream, ev core.Event, v *linnet.StatusView) *linnet.StreamEvent {
	key := encodedKey{st, v}
	if t[key] == nil {
		t[key] = &linnet.StreamEvent{Stream: st, Type: ev.Type, Status: v, Memo: &linnet.Memo{}}
		if ev.Type == linnet.EventDelete {
			t[key].Deleted = ev.Status
		}
	}
	return t[key]
}

// sendStatus sends an event about a status to streams of a listener. v is the listener's view
// without filters.
func (h *hub) sendStatus(ctx context.Context, l *Listener, streams []linnet.Stream, ev core.Event, v *linnet.StatusView, told encoded) {
	for _, st := range streams {
		shown, err := l.filtered(ctx, st, v)
		if err != nil {
			l.Close() // it would miss this event, so the client has to fetch
			return
		}
		h.send(l, told.of(st, ev, shown))
	}
}

// carriers returns the streams of a listener that include an event about a status. If that can't be
// determined, the listener is closed, because it would miss the event.
func (h *hub) carriers(ctx context.Context, l *Listener, ev core.Event, about subject) []linnet.Stream {
	sets, streams, err := l.reader(ctx)
	streams = slices.DeleteFunc(streams, func(st linnet.Stream) bool {
		if err != nil || !carries(st, l.who.User, sets, about) {
			return true
		}
		var hides bool
		if ev.Type == linnet.EventDelete {
			hides, err = h.s.neverSeen(ctx, l.who.User, sets, about)
			return hides
		}
		hides, err = h.s.isUnwanted(ctx, st, l.who.User, sets, about)
		return hides
	})
	if err != nil {
		l.Close()
		return nil
	}
	return streams
}

// subject loads the subject of an event. All readers share the view of a new status, which has no
// viewer state yet. Edited and quoting statuses are loaded per reader, see sendEach.
func (h *hub) subject(ctx context.Context, ev core.Event) (subject, *linnet.StatusView, bool) {
	if ev.Type == linnet.EventDelete {
		return subject{author: ev.Author, visibility: ev.Visibility, tags: ev.Tags, mentions: ev.Mentions, group: ev.Group, deleted: true,
			repostBy: ev.Of, promoters: ev.Promoters}, nil, true
	}
	b := h.s.st.Batch()
	ref := b.Status(ev.Status)
	if err := b.Run(ctx); err != nil || ref.Status == nil {
		return subject{}, nil, false
	}
	v, err := h.s.view.Status(ctx, ref.Status.Author, ev.Status) // as its author sees it
	if err != nil {
		return subject{}, nil, false
	}
	v.Favourited, v.Reposted, v.Bookmarked, v.Muted, v.Filtered = false, false, false, false, nil
	v.PollView = v.PollView.ForAll()
	a := subject{id: v.ID, author: v.Author, silenced: v.By.Silenced, replyTo: v.InReplyAuthor, repostOf: v.RepostOf, visibility: v.Visibility, language: v.Language}
	if v.Repost != nil { // its marks are the author's own
		original := *v.Repost
		original.Favourited, original.Reposted, original.Bookmarked, original.Muted, original.Filtered = false, false, false, false, nil
		original.PollView = original.PollView.ForAll()
		v.Repost, a.repostBy = &original, original.Author
		a.hushed, a.promoters = original.By.Silenced, v.Promoters
	}
	if a.edited = ev.Type == linnet.EventEdit; a.edited {
		a.postedIn = v.Group
	}
	if v.ForMembers() {
		a.group, a.within = v.Group, v.Group
	} else if v.By.Group.Closed() && a.repostOf != 0 {
		a.within = v.Author
	}
	for _, m := range ref.Status.Mentions {
		a.mentions = append(a.mentions, m.ID)
	}
	a.people = peopleOf(&v)
	for _, t := range v.Tags {
		a.tags = append(a.tags, text.FoldTag(t))
	}
	return a, &v, true
}

// peopleOf returns the authors of a status and its original, and their mentions.
func peopleOf(v *linnet.StatusView) []linnet.ID {
	ids := []linnet.ID{v.Author}
	for _, m := range v.Mentions {
		ids = append(ids, m.ID)
	}
	if v.Repost != nil {
		ids = append(ids, peopleOf(v.Repost)...)
	}
	return ids
}

func (h *hub) send(l *Listener, ev *linnet.StreamEvent) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.listeners[l] {
		return
	}
	if l.queue(ev) {
		h.s.opt.Observe.NoteEventSent(ev.Type)
	} else {
		h.drop(l)
	}
}
