package live

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/reading"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/text"
)

// streamQueue is the maximum number of events that wait for a slow client. Beyond that it is
// disconnected, and fetches missed events after it reconnects.
const streamQueue = 128

// Listener is the connection of one client. It receives the events of its streams that its user can
// see. Its methods are safe for concurrent use.
type Listener struct {
	hub  *hub
	who  linnet.Session
	wake func()

	mu      sync.Mutex
	waiting []*linnet.StreamEvent // nearly always nil, and there is one for each client
	awake   bool                  // wake was called, and Next hasn't returned nil since
	ended   bool
	over    string
	streams []linnet.Stream
	sets    readerSets
	filters *linnet.FilterSet // nil: not read
	changes int               // counts changes of the data behind sets and filters, so that a result read before a change isn't cached
}

// readerSets determines which statuses the reader's own streams contain.
type readerSets struct {
	loaded        bool
	relationships *db.Relationships // nil without a user
	follows       idSet
	lists         map[linnet.ID]listSet // nil: no stream of a list
	hidden        idSet                 // members of exclusive lists
}

type listSet struct {
	replies linnet.RepliesPolicy
	members idSet
}

// idSet is a set of ids in rising order, which takes a third of the memory of a map. Each
// open stream holds some.
type idSet []linnet.ID

func newIDSet(ids []linnet.ID) idSet {
	s := slices.Clone(ids)
	slices.Sort(s)
	return idSet(slices.Compact(s))
}

func (s idSet) has(id linnet.ID) bool {
	_, found := slices.BinarySearch(s, id)
	return found
}

// Listen opens a connection for events, which Next returns. wake is called when an event is
// available, and not again before Next has returned nil. It must not block. A session without a
// user receives public streams only. Listen returns Unauthenticated if the session has ended. It
// looks the session up again, because its end is received only from here on.
func (s *Service) Listen(ctx context.Context, who linnet.Session, wake func()) (*Listener, error) {
	l := &Listener{hub: s.hub, who: who, wake: wake}
	if err := s.hub.join(ctx, l); err != nil {
		return nil, core.StoreError(err)
	}
	if who.ID == "" {
		return l, nil
	}
	valid, err := s.st.Sessions.TokenValid(ctx, cmp.Or(who.User, who.App), who.ID)
	if err == nil && valid && who.User != 0 {
		var u *linnet.User
		u, err = s.core.LookupUser(ctx, who.User)
		valid = u != nil && !u.Hidden() && !u.Disabled
	}
	if err == nil && !valid {
		err = identity.ErrToken
	}
	if err != nil {
		l.Close()
		return nil, core.StoreError(err)
	}
	return l, nil
}

// Next returns the next event, which is shared with others, or nil if none is waiting. open is
// false when the connection has ended and no event is waiting: by Close, because the client was too
// slow, because events were lost, or because the session ended. Only one goroutine may call it at a
// time.
func (l *Listener) Next() (ev *linnet.StreamEvent, open bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 {
		l.waiting, l.awake = nil, l.ended
		return nil, !l.ended
	}
	ev = l.waiting[0]
	l.waiting[0] = nil
	l.waiting = l.waiting[1:]
	return ev, true
}

// Signal returns a wake function for Listen, and a channel that it signals.
func Signal() (woken <-chan struct{}, wake func()) {
	c := make(chan struct{}, 1)
	return c, func() {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// queue queues an event, or nil for the end. It returns false if the queue is full.
func (l *Listener) queue(ev *linnet.StreamEvent) bool {
	l.mu.Lock()
	if ev != nil && len(l.waiting) >= streamQueue {
		l.mu.Unlock()
		return false
	}
	if ev != nil {
		l.waiting = append(l.waiting, ev)
	}
	l.ended = l.ended || ev == nil
	awake := l.awake
	l.awake = true
	l.mu.Unlock()
	if !awake {
		l.wake()
	}
	return true
}

// Close ends the connection. It can be called more than once.
func (l *Listener) Close() {
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	l.hub.drop(l)
}

// Subscribe adds a stream. It returns Unauthenticated for a personal stream without a user,
// NotFound for another user's list, and Invalid for an unknown stream.
func (l *Listener) Subscribe(ctx context.Context, st linnet.Stream) error {
	switch st.Kind {
	case linnet.StreamPublic, linnet.StreamPublicMedia, linnet.StreamLocal, linnet.StreamLocalMedia,
		linnet.StreamRemote, linnet.StreamRemoteMedia:
	case linnet.StreamTag, linnet.StreamTagLocal:
		if !text.ValidTag(st.Tag) {
			return linnet.FieldError("tag", "ERR_INVALID", "%q is not a hashtag", st.Tag)
		}
	case linnet.StreamUser, linnet.StreamUserNotification, linnet.StreamList, linnet.StreamDirect:
		if l.who.User == 0 {
			return linnet.Errorf(linnet.Unauthenticated, "Missing access token")
		}
	default:
		return linnet.Errorf(linnet.Invalid, "Unknown stream type %q", string(st.Kind))
	}
	if st.Kind == linnet.StreamList {
		if _, err := l.hub.s.lists.List(ctx, l.who.User, st.List); err != nil {
			return err
		}
	}
	if l.add(st) {
		// Read the sets here, so that the goroutine that passes on events need not. If this fails,
		// that goroutine tries again or closes the connection.
		_, _, _ = l.reader(ctx)
		_, _ = l.compiled(ctx)
	}
	return nil
}

// add adds a stream, and reports false if it was there already.
func (l *Listener) add(st linnet.Stream) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if slices.Contains(l.streams, st) {
		return false
	}
	l.streams = append(l.streams, st)
	l.forget() // the list may be new
	return true
}

// Over sets the transport of the listener, for Service.Open.
func (l *Listener) Over(transport string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = transport
}

func (l *Listener) subscribed() []linnet.Stream {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.streams)
}

// Unsubscribe removes a stream.
func (l *Listener) Unsubscribe(st linnet.Stream) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.streams = slices.DeleteFunc(l.streams, func(have linnet.Stream) bool { return have == st })
}

// reader returns the reader's sets, and reads them if necessary.
func (l *Listener) reader(ctx context.Context) (readerSets, []linnet.Stream, error) {
	l.mu.Lock()
	sets, streams, changes := l.sets, slices.Clone(l.streams), l.changes
	l.mu.Unlock()
	if sets.loaded || l.who.User == 0 {
		return sets, streams, nil
	}
	sets, err := l.hub.s.readerSets(ctx, l.who.User, streams)
	if err != nil {
		return sets, streams, err
	}
	l.mu.Lock()
	if l.changes == changes {
		l.sets = sets
	}
	l.mu.Unlock()
	return sets, streams, nil
}

// personal reports whether the content of a stream depends on its reader's sets.
func personal(st linnet.Stream) bool {
	return st.Kind == linnet.StreamUser || st.Kind == linnet.StreamList
}

// forget makes the next event read the sets again. The caller holds l.mu.
func (l *Listener) forget() {
	l.sets.loaded = false
	l.changes++
}

func (s *Service) readerSets(ctx context.Context, user linnet.ID, streams []linnet.Stream) (sets readerSets, err error) {
	sets = readerSets{loaded: true}
	b := s.st.Batch()
	sets.relationships = b.Relationships(user)
	exclusive := b.Exclusive(user)
	if err := b.Run(ctx); err != nil || !slices.ContainsFunc(streams, personal) {
		return sets, err
	}
	if sets.follows, err = s.asSet(ctx, record.Follows().OwnedKey(user), linnet.MaxFollowing); err != nil {
		return sets, err
	}
	for _, id := range *exclusive {
		members, err := s.asSet(ctx, record.Listings().OwnedKey(id), linnet.MaxListMembers)
		if err != nil {
			return sets, err
		}
		sets.hidden = newIDSet(slices.Concat(sets.hidden, members))
	}
	for _, st := range streams {
		if _, group := linnet.GroupOfList(st.List); st.Kind != linnet.StreamList || group {
			continue
		}
		lists, err := s.st.Relations.Lists(ctx, []linnet.ID{st.List})
		if err != nil {
			return sets, err
		}
		if len(lists) == 0 {
			continue // deleted since: its stream is silent
		}
		members, err := s.asSet(ctx, record.Listings().OwnedKey(st.List), linnet.MaxListMembers)
		if err != nil {
			return sets, err
		}
		if sets.lists == nil {
			sets.lists = map[linnet.ID]listSet{}
		}
		sets.lists[st.List] = listSet{lists[0].Replies, members}
	}
	return sets, nil
}

// asSet reads a whole set of ids, at most limit.
func (s *Service) asSet(ctx context.Context, key kv.Key, limit int) (idSet, error) {
	ids, err := s.st.All(ctx, key, limit)
	return newIDSet(ids), err
}

// carries reports whether a stream includes a status for its reader.
func carries(st linnet.Stream, reader linnet.ID, sets readerSets, about subject) bool {
	switch st.Kind {
	case linnet.StreamPublic, linnet.StreamLocal:
		return about.global()
	case linnet.StreamTag, linnet.StreamTagLocal:
		return about.public() && about.tagged(text.FoldTag(st.Tag))
	case linnet.StreamUser:
		return about.author == reader || about.withdrawn(reader, sets) || about.editedFor(reader, sets) || sets.follows.has(about.author) && about.visibleTo(reader, sets) && atHome(reader, sets, about) || byTag(sets, about)
	case linnet.StreamDirect: // sent as a conversation
		// outsideStream checks whether the reader is a member of the chat, because a listener of
		// direct messages has no set of groups.
		return about.withdrawn(reader, sets) || about.visibility == linnet.Direct && (about.editedFor(reader, sets) || about.edited && about.group != 0 && reader != 0)
	case linnet.StreamList:
		if st.List == linnet.TopList {
			return about.author == linnet.TopAccount && about.repostBy != reader && topIncludes(sets, about)
		}
		if group, ok := linnet.GroupOfList(st.List); ok {
			return groupStream(group, sets, about)
		}
		list, ok := sets.lists[st.List]
		return ok && list.members.has(about.author) && about.visibleTo(reader, sets) && inList(reader, list, sets, about)
	}
	return false
}

// subject has the properties of a status that determine its streams.
type subject struct {
	author, replyTo, repostOf linnet.ID // replyTo is the author answered
	visibility                linnet.Visibility
	id                        linnet.ID
	group                     linnet.ID // of a post for group members
	within                    linnet.ID // the closed group whose members it is for, be it as the group's repost
	silenced                  bool      // the author
	language                  string
	tags                      []string // folded
	mentions                  []linnet.ID
	deleted                   bool
	repostBy                  linnet.ID   // the author of the original
	people                    []linnet.ID // all authors and mentioned users
	hushed                    bool        // the author of the original is silenced
	promoters                 []linnet.ID // of a promotion
	edited                    bool
	postedIn                  linnet.ID // group of an edited status
}

// topIncludes is topRule for the data of a stream, without the reader's relationship flags.
func topIncludes(sets readerSets, a subject) bool {
	return sets.follows.has(a.repostBy) || !a.hushed && slices.ContainsFunc(a.promoters, func(id linnet.ID) bool { return sets.follows.has(id) })
}

// withdrawn reports whether a direct status that the reader had was deleted.
func (a subject) withdrawn(reader linnet.ID, sets readerSets) bool {
	return a.deleted && a.visibility == linnet.Direct &&
		(a.author == reader || slices.Contains(a.mentions, reader) || a.group != 0 && sets.follows.has(a.group))
}

func (a subject) public() bool {
	return a.visibility == linnet.Public && a.repostOf == 0 && !a.silenced
}

func (a subject) global() bool { return a.public() && (a.replyTo == 0 || a.replyTo == a.author) }

func (a subject) tagged(tag string) bool {
	for _, t := range a.tags {
		if t == tag {
			return true
		}
	}
	return false
}

func (a subject) visibleTo(reader linnet.ID, sets readerSets) bool {
	if a.visibility == linnet.Direct || a.group != 0 {
		return false // direct messages aren't on the home timeline, and posts for group members arrive as boosts
	}
	return a.visibility <= linnet.Unlisted || sets.follows.has(a.author) || a.author == reader || slices.Contains(a.mentions, reader)
}

// atHome is reading.HomeRule for the data of a stream.
func atHome(reader linnet.ID, sets readerSets, a subject) bool {
	if sets.hidden.has(a.author) {
		return false
	}
	return a.repostOf != 0 || a.replyTo == 0 || a.replyTo == a.author || a.replyTo == reader || sets.follows.has(a.replyTo)
}

// byTag reports whether a status is in the home stream because of a tag that the reader follows.
func byTag(sets readerSets, a subject) bool {
	return a.public() && !sets.hidden.has(a.author) && slices.ContainsFunc(sets.relationships.Tags(), a.tagged)
}

// isUnwanted reports whether a reader doesn't want to see a status on a stream that would include
// it.
func (s *Service) isUnwanted(ctx context.Context, st linnet.Stream, reader linnet.ID, sets readerSets, about subject) (bool, error) {
	if reader == 0 && about.within == 0 || about.author == reader {
		return false, nil
	}
	if out, err := s.outsideStream(ctx, reader, about); err != nil || out {
		return out, err
	}
	people := about.people
	if len(about.promoters) > 0 {
		people = slices.Concat(people, about.promoters)
	}
	to, languages, err := s.relationships(ctx, reader, sets.relationships, people...)
	if err != nil {
		return false, err
	}
	if to(about.author).BlockedBy() || to(about.repostBy).BlockedBy() || slices.ContainsFunc(about.people, func(id linnet.ID) bool {
		return to(id).Blocks() || to(id).Mutes()
	}) {
		return true, nil
	}
	if st.List == linnet.TopList && !sets.follows.has(about.repostBy) {
		return !slices.ContainsFunc(about.promoters, func(id linnet.ID) bool {
			return sets.follows.has(id) && !to(id).Mutes() && !to(id).HidesReposts()
		}), nil
	}
	if st.Kind != linnet.StreamUser {
		return false, nil
	}
	if about.repostOf != 0 {
		return to(about.author).HidesReposts(), nil
	}
	return to(about.author).Narrowed() && !reading.Speaks(languages(about.author), about.language), nil
}

// neverSeen reports whether a reader isn't notified of a deletion because the author blocks them.
// Readers mentioned in a direct status are.
func (s *Service) neverSeen(ctx context.Context, reader linnet.ID, sets readerSets, about subject) (bool, error) {
	if reader == 0 || about.author == reader || about.withdrawn(reader, sets) {
		return false, nil
	}
	to, _, err := s.relationships(ctx, reader, sets.relationships, about.author)
	return err == nil && to(about.author).BlockedBy(), err
}

// relationships returns the relations of a reader to users and the languages of the follows: from
// memory, or from the store if there are too many.
func (s *Service) relationships(ctx context.Context, reader linnet.ID, all *db.Relationships,
	people ...linnet.ID) (to func(linnet.ID) db.ViewerState, languages func(linnet.ID) []string, err error) {
	if all.Whole() {
		now := s.st.Now()
		return func(id linnet.ID) db.ViewerState { return all.To(id, now) }, all.Languages, nil
	}
	b := s.st.Batch()
	r := b.Reader(reader)
	for _, id := range people {
		r.AskPerson(id)
	}
	return r.Person, r.Languages, b.Run(ctx)
}

// inList is listRule for the data of a stream.
func inList(reader linnet.ID, list listSet, sets readerSets, a subject) bool {
	if a.replyTo == 0 || a.replyTo == a.author || a.replyTo == reader {
		return true
	}
	switch list.replies {
	case linnet.RepliesToList:
		return list.members.has(a.replyTo)
	case linnet.RepliesToFollowed:
		return sets.follows.has(a.replyTo)
	}
	return false
}
