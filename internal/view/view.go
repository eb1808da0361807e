package view

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/text"
)

// ErrNoStatus is returned if a status doesn't exist or isn't visible.
var ErrNoStatus = linnet.Errorf(linnet.NotFound, "Record not found")

// Loader loads statuses with everything that belongs to them, for one viewer. It makes no round
// trip if everything is cached, one if the authors are known, otherwise one more for the authors,
// and one for the originals of boosts. It searches its content linearly, so it is only for pages.
type Loader struct {
	s        *Service
	Viewer   linnet.ID
	Staff    bool // for moderators, who see reported statuses
	B        *db.Batch
	Reader   *db.Reader
	Statuses []StatusSlot
	users    []userSlot
	polls    []pollSlot
	Lists    []linnet.ID                          // see exclusive
	listed   []*db.Membership                     // members of lists
	At       linnet.FilterContext                 // context of the viewer's filters
	Near     NearbyWindow                         // window of a feed
	compiled *CompiledFilters                     // the viewer's filters, after Run; nil for none
	chats    []linnet.ID                          // chats among requested users
	deeper   bool                                 // expand must run again
	left     []linnet.ID                          // users shown to the viewer only by login
	tagged   map[linnet.ID]*linnet.CollectionView // collections that the statuses link to
}

// StatusSlot is a status that a Loader has requested, with the viewer's state.
type StatusSlot struct {
	ID          linnet.ID
	Ref         *db.StatusRef
	State       db.ViewerState // as known before run
	expanded    bool           // the data that belongs to it was requested
	nearbyAsked bool           // the data near it was requested
	depth       uint8          // number of quotes above it, see quoteDepth
}

type userSlot struct {
	id       linnet.ID
	ref      *db.UserRef
	relation db.ViewerState // as known before run
}

// Loader returns a loader for a viewer, or for visitors with 0. The caller should release it.
func (s *Service) Loader(viewer linnet.ID) *Loader {
	l, ok := s.loaders.Get().(*Loader)
	if !ok {
		l = &Loader{s: s}
	}
	l.Viewer, l.B = viewer, s.st.Batch()
	l.Reader = l.B.Reader(viewer)
	l.Reader.AskFilters()
	l.At = linnet.FilterEverywhere // apps apply the context themselves
	return l
}

// Release returns the loader's memory to a pool. It is optional. The loader must not be used
// afterwards. Values made with it stay valid.
func (l *Loader) Release() {
	clear(l.Statuses)
	clear(l.users)
	clear(l.polls)
	clear(l.Near.refs)
	*l = Loader{s: l.s, Statuses: l.Statuses[:0], users: l.users[:0], polls: l.polls[:0], Near: NearbyWindow{refs: l.Near.refs[:0]}}
	l.s.loaders.Put(l)
}

// Status returns the loaded data of a status, or nil.
func (l *Loader) Status(id linnet.ID) *db.StatusRef {
	if slot := l.statusSlot(id); slot != nil {
		return slot.Ref
	}
	return nil
}

func (l *Loader) statusSlot(id linnet.ID) *StatusSlot {
	for i := range l.Statuses {
		if l.Statuses[i].ID == id {
			return &l.Statuses[i]
		}
	}
	return nil
}

// User returns the loaded data of a user, or nil.
func (l *Loader) User(id linnet.ID) *db.UserRef {
	if slot := l.userSlot(id); slot != nil {
		return slot.ref
	}
	return nil
}

func (l *Loader) userSlot(id linnet.ID) *userSlot {
	for i := range l.users {
		if l.users[i].id == id {
			return &l.users[i]
		}
	}
	return nil
}

// Have adds a status that the viewer has just written, with the viewer as its author and without
// viewer state.
func (l *Loader) Have(w *db.Written) {
	l.Statuses = append(l.Statuses, StatusSlot{ID: w.Status.Status.ID, Ref: w.Status, State: db.NoViewerState})
	l.users = append(l.users, userSlot{id: l.Viewer, ref: w.Author})
}

// Want requests a status, and its author if already known.
func (l *Loader) Want(id, author linnet.ID) { l.want(id, author, 0) }

// want requests a status below some quotes.
func (l *Loader) want(id, author linnet.ID, depth uint8) {
	if slot := l.statusSlot(id); slot == nil {
		slot := StatusSlot{ID: id, Ref: l.B.Status(id), depth: depth}
		if slot.Ref.Status == nil || slot.Ref.Status.RepostOf == 0 {
			slot.State = l.Reader.AskStatus(id)
			l.Reader.AskRelationships()
		}
		l.Statuses = append(l.Statuses, slot)
	} else if depth < slot.depth { // a shown status quotes it after all, so its own quote is loaded
		slot.depth, slot.expanded, l.deeper = depth, false, true
	}
	if author != 0 {
		l.WantUser(author)
	}
}

// WantUser requests a user. The result is valid until the next request.
func (l *Loader) WantUser(id linnet.ID) *userSlot {
	if slot := l.userSlot(id); slot != nil {
		return slot
	}
	l.users = append(l.users, userSlot{id: id, ref: l.B.User(id)})
	return &l.users[len(l.users)-1]
}

// Run loads until nothing is missing.
func (l *Loader) Run(ctx context.Context) error {
	for {
		l.expand()
		if l.B.Empty() {
			l.compiled = CompileFilters(l.Reader.Filters())
			if err := l.askTagged(ctx); err != nil {
				return err
			}
			return l.askLeft(ctx)
		}
		if err := l.B.Run(ctx); err != nil {
			return core.StoreError(err)
		}
	}
}

// expand requests the data that belongs to the known statuses.
func (l *Loader) expand() {
	l.expandOnce()
	for l.deeper {
		l.deeper = false
		l.expandOnce()
	}
}

func (l *Loader) expandOnce() {
	l.askNearby()
	var authors []linnet.ID
	moreNearby := func() bool { // now that the originals are loaded; if everything is cached, no other round does it
		before := len(l.Statuses)
		l.askNearby()
		return len(l.Statuses) > before
	}
	for i := 0; i < len(l.Statuses) || moreNearby(); i++ { // grows while originals are added
		st := l.Statuses[i].Ref.Status
		if st == nil || l.Statuses[i].expanded {
			continue
		}
		l.Statuses[i].expanded = true
		l.askPoll(st)
		if depth := l.Statuses[i].depth; st.Quoting() && depth < quoteDepth {
			l.want(st.QuoteOf, st.QuoteAuthor, depth+1)
		}
		author := l.WantUser(st.Author)
		if st.Author != l.Viewer && !author.relation.Known() {
			author.relation = l.Reader.AskPerson(st.Author)
		}
		if len(l.Lists) > 0 {
			authors = append(authors, st.Author)
		}
		if st.Group != 0 {
			l.WantUser(st.Group)
			l.Reader.AskMemberships()
		}
		if st.RepostOf != 0 {
			l.Want(st.RepostOf, st.RepostAuthor)
		}
		if st.RepostOf == 0 {
			l.Reader.AskThread(st.Conversation)
		}
		for _, id := range st.Promoters {
			l.Reader.AskPerson(id)
		}
		if st.InReplyAuthor != l.Viewer {
			l.Reader.AskPerson(st.InReplyAuthor)
		}
		for i := range st.Mentions {
			l.Reader.AskRelationship(st.Mentions[i].ID)
		}
	}
	for _, list := range l.Lists {
		l.listed = append(l.listed, l.B.Related(record.Listings(), list, authors))
	}
}

// Exclusive reports whether a user is in one of the viewer's exclusive lists that were given to the
// loader.
func (l *Loader) Exclusive(id linnet.ID) bool {
	return slices.ContainsFunc(l.listed, func(m *db.Membership) bool { return m.Has(id) })
}

// Relation returns the viewer's relation to a requested user.
func (l *Loader) Relation(id linnet.ID) db.ViewerState {
	if slot := l.userSlot(id); slot != nil && slot.relation.Known() {
		return slot.relation
	}
	return l.Reader.Person(id)
}

// Followed reports whether the viewer follows a user.
func (l *Loader) Followed(id linnet.ID) bool { return l.Relation(id).Follows() }

// Unwanted reports whether the viewer blocks or mutes the author of a status, the author of its
// original, or a user one of them mentions.
func (l *Loader) Unwanted(v *linnet.StatusView) bool {
	if v.Author == l.Viewer || l.Reader.Indifferent() {
		return false
	}
	if m := l.Relation(v.Author); m.Blocked() || m.Mutes() {
		return true
	}
	for i := range v.Mentions {
		if m := l.Reader.Relationship(v.Mentions[i].ID); m.Blocks() || m.Mutes() {
			return true
		}
	}
	return v.Repost != nil && l.Unwanted(v.Repost)
}

// View returns the view of a status after Run. ok is false if the viewer can't see it.
func (l *Loader) View(id linnet.ID) (v linnet.StatusView, ok bool) {
	if v, ok = l.unfiltered(id, 0); ok && l.compiled != nil {
		l.compiled.Apply(&v, l.Viewer, l.At, l.s.st.Now())
	}
	return v, ok
}

// unfiltered is like view without matches of the viewer's filters, for a status below some quotes.
func (l *Loader) unfiltered(id linnet.ID, depth uint8) (v linnet.StatusView, ok bool) {
	slot := l.statusSlot(id)
	if slot == nil || slot.Ref.Status == nil || !l.visible(slot.Ref.Status) {
		return v, false
	}
	st := slot.Ref.Status
	by := l.User(st.Author)
	if by == nil || by.User == nil || by.User.Hidden() && !l.Staff {
		return v, false
	}
	v.SharedStatus = l.s.shown(slot.Ref.Whole, by.Whole, l.postedIn(st))
	if slices.Contains(l.left, st.Author) {
		shown := *v.SharedStatus
		shown.By = l.SharedUser(by.Whole)
		v.SharedStatus = &shown
	}
	if st.RepostOf == 0 {
		m := slot.State
		if !m.Known() {
			m = l.Reader.Status(id)
		}
		v.Favourited, v.Reposted, v.Bookmarked = m.Favourite(), m.Repost(), m.Bookmark()
		v.Muted = l.Reader.MutesThread(st.Conversation)
		v.PollView = l.pollView(st)
		v.Quote, v.MayQuote = l.quoteOf(st, depth), l.mayQuote(st)
		if tagged := l.taggedIn(st); tagged != nil {
			v.Extra = &linnet.StatusExtra{Tagged: tagged}
		}
		return v, true
	}
	original, ok := l.unfiltered(st.RepostOf, depth)
	if !ok {
		return v, false
	}
	v.Repost, v.MayQuote = &original, original.MayQuote
	v.Favourited, v.Reposted, v.Bookmarked, v.Muted = original.Favourited, original.Reposted, original.Bookmarked, original.Muted
	return v, true
}

// rendered has the part of a status that all viewers share, with the versions of the status and
// author from which it was built.
type rendered struct {
	status *db.CountedStatus
	author *db.CountedUser
	view   *linnet.SharedStatus
	coded  coded // emoji of its texts
	byname coded // emoji of its author's texts
	cards  bool  // link previews are on
}

// shown returns the view of a status without viewer state. It is built once per version of the
// status, its counters, its author, the name of its group and, if it has shortcodes, the custom
// emoji. The encoded form of the status survives changes of the author, except for the mark of
// sensitive accounts.
func (s *Service) shown(st *db.CountedStatus, by *db.CountedUser, in *linnet.User) *linnet.SharedStatus {
	id := st.Status.ID
	set, cards := s.core.Emojis(), s.core.Cards()
	r, ok := s.views.Get(id)
	named := ok && (in == nil || r.view.In != nil && r.view.In.Name == in.Name)
	if named && r.status == st && r.author == by && r.coded.holds(set) && r.byname.holds(set) && r.cards == cards {
		return r.view
	}
	author, byname := s.sharedUser(by)
	v := &linnet.SharedStatus{Status: *st.Status, By: author, Replies: st.Replies, Reposts: st.Reposts,
		Favourites: st.Favourites, Quotes: st.Quotes}
	v.Sensitive = v.Sensitive || by.User.Sensitized
	if v.Card = v.Card.Shown(s.st.Now()); !cards {
		v.Card = nil
	}
	var codes coded
	if named && r.status == st && r.author.User.Sensitized == by.User.Sensitized && r.coded.holds(set) && r.cards == cards {
		codes, v.Pictured = r.coded, r.view.Pictured
		v.HTML, v.MentionsOf, v.URL, v.URI, v.Memo = r.view.HTML, r.view.MentionsOf, r.view.URL, r.view.URI, r.view.Memo
		v.Plain, v.In = r.view.Plain, r.view.In
	} else {
		v.URL = v.By.URL + "/" + id.String()
		v.URI = s.opt.PublicURL + "/users/" + v.By.Login + "/statuses/" + id.String()
		memos := new([2]linnet.Memo)
		v.Memo, v.Plain = &memos[0], &memos[1]
		if in != nil {
			v.In = &linnet.UserView{User: linnet.User{ID: in.ID, Login: in.Login, Name: in.Name}, URL: s.core.UserURL(in.Login), Host: s.core.Hostname}
		}
		if st.Status.RepostOf == 0 {
			v.HTML = s.statusHTML(st.Status)
			v.MentionsOf = s.mentioned(st.Status)
			codes, v.Pictured = s.picturedStatus(st.Status, set)
		}
	}
	s.views.Set(id, &rendered{st, by, v, codes, byname, cards})
	return v
}

// shownUser is the view of a user, with the state from which it was built.
type shownUser struct {
	state *db.CountedUser
	view  *linnet.SharedUser
	coded coded
}

func shownUserWeight(_ linnet.ID, u *shownUser) uint32 {
	n := 1500 + 3*len(u.view.NoteHTML)
	for _, f := range u.view.FieldsHTML {
		n += 3*len(f) + 100
	}
	return uint32(n + picturedWeight(u.view.Pictured))
}

// SharedUser returns the view of a user. It is built once for each state of the profile and counts,
// and of the custom emoji if the profile has shortcodes.
func (s *Service) SharedUser(u *db.CountedUser) *linnet.SharedUser {
	v, _ := s.sharedUser(u)
	return v
}

func (s *Service) sharedUser(u *db.CountedUser) (*linnet.SharedUser, coded) {
	if f, ok := s.people.Get(u.User.ID); ok && f.state == u && f.coded.holds(s.core.Emojis()) {
		return f.view, f.coded
	}
	of, codes := s.userView(u.Ref())
	v := &linnet.SharedUser{UserView: of}
	s.people.Set(u.User.ID, &shownUser{u, v, codes})
	return v, codes
}

func (s *Service) mentioned(st *linnet.Status) []linnet.UserView {
	var out []linnet.UserView
	for _, m := range st.Mentions {
		out = append(out, linnet.UserView{User: linnet.User{ID: m.ID, Login: m.Login}, URL: s.core.UserURL(m.Login), Host: s.core.Hostname})
	}
	return out
}

// statusHTML returns the rendered text of a status from the cache, or renders it.
func (s *Service) statusHTML(st *linnet.Status) string {
	if w, ok := s.html.Get(st.ID); ok && w.edited == st.LastEdit() {
		return w.html
	}
	h := s.textHTML(st)
	s.html.Set(st.ID, written{st.LastEdit(), h})
	return h
}

// written is a status's text as HTML, which only an edit changes.
type written struct {
	edited int64 // time of the version
	html   string
}

func (s *Service) textHTML(st *linnet.Status) string {
	return text.Parse(st.Text).HTML(s.resolver(st.Mentions))
}

// resolver returns a function that links mentions of the given users, and tags.
func (s *Service) resolver(mentions []linnet.Mention) text.Resolver {
	return text.Resolver{
		Mention: func(login string) (string, string, bool) {
			name, ok := s.core.LocalLogin(login)
			if !ok {
				return "", "", false
			}
			for _, m := range mentions {
				if strings.EqualFold(m.Login, name) {
					return s.core.UserURL(m.Login), m.Login, true
				}
			}
			return "", "", false
		},
		Tag: func(tag string) string { return s.opt.PublicURL + "/tags/" + url.PathEscape(text.FoldTag(tag)) },
	}
}

// Status returns a status.
func (s *Service) Status(ctx context.Context, viewer, id linnet.ID) (linnet.StatusView, error) {
	l := s.Loader(viewer)
	l.Want(id, 0)
	return l.Show(ctx, id)
}

// Original is like Status, but shows the original of a boost.
func (s *Service) Original(ctx context.Context, viewer, id linnet.ID) (linnet.StatusView, error) {
	v, err := s.Status(ctx, viewer, id)
	if err == nil && v.Repost != nil {
		return *v.Repost, nil
	}
	return v, err
}

// Again returns a status for a viewer who has just seen it as v. It uses the viewer state in v, as
// updated by the caller.
func (s *Service) Again(ctx context.Context, viewer linnet.ID, v linnet.StatusView) (linnet.StatusView, error) {
	l := s.Loader(viewer)
	l.Reader.Know(v.ID, v.Favourited, v.Reposted, v.Bookmarked)
	l.Want(v.ID, 0)
	return l.Show(ctx, v.ID)
}

// Show loads missing data and returns one of the requested statuses.
func (l *Loader) Show(ctx context.Context, id linnet.ID) (linnet.StatusView, error) {
	if err := l.Run(ctx); err != nil {
		return linnet.StatusView{}, err
	}
	v, ok := l.View(id)
	if !ok {
		return v, ErrNoStatus
	}
	return v, nil
}

// Statuses returns the visible statuses among ids, in that order.
func (s *Service) Statuses(ctx context.Context, viewer linnet.ID, ids []linnet.ID) ([]linnet.StatusView, error) {
	l := s.Loader(viewer)
	for _, id := range ids {
		l.Want(id, 0)
	}
	if err := l.Run(ctx); err != nil {
		return nil, err
	}
	out := make([]linnet.StatusView, 0, len(ids))
	for _, id := range ids {
		if v, ok := l.View(id); ok {
			out = append(out, v)
		}
	}
	return out, nil
}
