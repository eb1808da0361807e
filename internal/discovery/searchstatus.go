package discovery

import (
	"context"
	"errors"
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/search"
	"linnet/internal/store/db"
	"linnet/internal/view"
)

const (
	// SearchJudged is the maximum number of matching statuses that one search checks for access,
	// and searchTexts the maximum number of texts it reads for phrases. StatusesFound.Next
	// continues after them.
	SearchJudged = 1000
	searchTexts  = 2000
	// searchFirst and searchMore are the numbers of statuses checked together.
	searchFirst, searchMore = 40, 200
	// libraryMost is the number of a user's latest favourites, bookmarks, boosts and replies that
	// are searched, each.
	libraryMost = 4000
)

// StatusesFound is a part of the results of a search, newest first.
type StatusesFound struct {
	Statuses   []linnet.StatusView
	Next       linnet.ID // other results are earlier than this id; 0 if there are none
	Incomplete bool      // the index is being built, so results may be missing
}

// statusSearch is a search for statuses in progress.
type statusSearch struct {
	s       *Service
	me      linnet.ID
	query   *search.Query
	request search.Request
	library []linnet.ID // statuses by, to or marked by me, in rising order
	phrase  bool        // the positions of words matter, which the index doesn't have
}

// SearchStatuses finds statuses by words, newest first: statuses of me, those that me is mentioned
// in, has favourited, boosted, bookmarked or answered, and public ones of searchable authors. The
// address of a status finds it, if me can see it. If me is 0, only addresses are found.
// https://docs.joinmastodon.org/methods/search/#v2
func (s *Service) SearchStatuses(ctx context.Context, me linnet.ID, q SearchQuery) (out StatusesFound, err error) {
	q.limits()
	if v, ok, err := s.resolveURL(ctx, me, q.Text); ok || err != nil {
		return StatusesFound{Statuses: v}, err
	}
	query, err := search.Parse(q.Text)
	if wrong := (*search.SyntaxError)(nil); errors.As(err, &wrong) {
		return out, linnet.Errorf(linnet.Invalid, "%s.", wrong.Text)
	}
	if err != nil || me == 0 || query.Empty() {
		return out, err
	}
	if err := s.search.sync(ctx, indexStale); err != nil {
		return out, core.StoreError(err)
	}
	find := &statusSearch{s: s, me: me, query: query}
	if ok, err := find.prepare(ctx, q); err != nil || !ok {
		return out, core.StoreError(err)
	}
	out, err = find.run(ctx, q)
	out.Incomplete = s.search.partial.Load()
	return out, core.StoreError(err)
}

// prepare converts the query for the index. It returns false if nothing can match.
func (f *statusSearch) prepare(ctx context.Context, q SearchQuery) (bool, error) {
	r := &f.request
	r.Clauses = f.query.Clauses
	f.phrase = slices.ContainsFunc(r.Clauses, func(c search.Clause) bool { return len(c.Parts) > 1 })
	authors, err := f.authors(ctx)
	if err != nil {
		return false, err
	}
	if q.Account != 0 {
		r.Clauses = append(r.Clauses, search.Clause{Any: []string{labelOf(labelAuthor, q.Account)}})
	}
	r.Above, r.Below = uint64(q.Above), uint64(q.Below)
	if since := f.query.Since; !since.IsZero() {
		r.Above = max(r.Above, uint64(linnet.MakeID(since, 0, 0))-1)
	}
	if until := f.query.Until; !until.IsZero() {
		if below := uint64(linnet.MakeID(until, 0, 0)); r.Below == 0 || below < r.Below {
			r.Below = below
		}
	}
	if r.Below != 0 && r.Above >= r.Below {
		return false, nil
	}
	if f.query.In != search.Library {
		r.Scope = append(r.Scope, publicLabel())
	}
	if f.query.In == search.Public {
		return authors != nil, nil
	}
	r.Scope = append(r.Scope, labelOf(labelAuthor, f.me), labelOf(labelMention, f.me))
	if q.Account == f.me || len(authors) == 1 && authors[0] == f.me {
		return true, nil // all results are me's own
	}
	ids, err := f.s.st.Statuses.Search.Library(ctx, f.me, libraryMost)
	if err != nil {
		return false, err
	}
	labels, err := f.s.search.words.LabelsWith(answersOf(f.me), libraryMost)
	if err != nil {
		return false, err
	}
	for _, l := range labels {
		ids = append(ids, answered(l))
	}
	slices.Sort(ids)
	f.library = slices.Compact(ids)
	for _, id := range f.library {
		r.IDs = append(r.IDs, uint64(id))
	}
	return authors != nil, nil
}

// authors adds the condition of from: and returns the possible authors. nil means that there is no
// such user. Empty means any author.
func (f *statusSearch) authors(ctx context.Context) ([]linnet.ID, error) {
	ids, asked := []linnet.ID{}, false
	var any []string
	for _, from := range f.query.From {
		id, err := f.s.authorNamed(ctx, f.me, from.Name)
		if err != nil {
			return nil, err
		}
		label := labelOf(labelAuthor, id)
		switch {
		case from.Not && id != 0:
			f.request.Clauses = append(f.request.Clauses, search.Clause{Not: true, Any: []string{label}})
		case !from.Not:
			asked = true
			if id != 0 {
				ids, any = append(ids, id), append(any, label)
			}
		}
	}
	if asked && len(ids) == 0 {
		return nil, nil
	}
	if asked {
		f.request.Clauses = append(f.request.Clauses, search.Clause{Any: any})
	}
	return ids, nil
}

// authorNamed returns the user that a query names, or 0.
func (s *Service) authorNamed(ctx context.Context, me linnet.ID, name string) (linnet.ID, error) {
	if strings.EqualFold(name, "me") {
		return me, nil
	}
	login, ok := s.core.LocalLogin(name)
	if !ok {
		return 0, nil
	}
	return s.st.Accounts.UserByLogin(ctx, login)
}

// run reads matches of the index until enough of them are visible.
func (f *statusSearch) run(ctx context.Context, q SearchQuery) (out StatusesFound, err error) {
	cursor, err := f.s.search.words.Search(&f.request)
	if err != nil {
		return out, err
	}
	var found []linnet.StatusView
	wanted, size := q.Offset+q.Limit, searchFirst
	var last linnet.ID
	for judged, read := 0, 0; len(found) <= wanted; {
		if judged >= SearchJudged || read >= searchTexts {
			out.Next = last
			break
		}
		ids, err := next(cursor, size)
		if err != nil {
			return out, err
		}
		if len(ids) == 0 {
			break
		}
		read, last = read+len(ids), ids[len(ids)-1]
		if ids, err = f.withPhrases(ctx, ids); err != nil {
			return out, err
		}
		judged += len(ids)
		l := f.s.view.Loader(f.me)
		for _, id := range ids {
			l.Want(id, 0)
		}
		if err := l.Run(ctx); err != nil {
			return out, err
		}
		var shown []linnet.StatusView
		for _, id := range ids {
			if v, ok := l.View(id); ok && v.RepostOf == 0 && f.finds(l, &v) && (f.phrase || f.hasWords(&v.Status)) {
				shown = append(shown, v)
			}
		}
		found, size = append(found, shown...), min(size*2, searchMore)
	}
	if len(found) > wanted {
		out.Next = found[wanted-1].ID
	}
	out.Statuses = window(found, q)
	return out, nil
}

// next returns the next n candidates.
func next(c *search.Cursor, n int) (ids []linnet.ID, err error) {
	for len(ids) < n {
		id, err := c.Next()
		if err != nil || id == 0 {
			return ids, err
		}
		ids = append(ids, linnet.ID(id))
	}
	return ids, nil
}

// withPhrases removes statuses that contain the words but not the phrases of a query. Most matches
// are of this kind and need no further check.
func (f *statusSearch) withPhrases(ctx context.Context, ids []linnet.ID) ([]linnet.ID, error) {
	if !f.phrase || len(ids) == 0 {
		return ids, nil
	}
	b := f.s.st.Batch()
	refs := make([]*db.RecordRef, len(ids))
	for i, id := range ids {
		refs[i] = b.StatusRecord(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	var out []linnet.ID
	for i, ref := range refs {
		if ref.Status != nil && f.hasWords(ref.Status) {
			out = append(out, ids[i])
		}
	}
	return out, nil
}

// hasWords reports whether the current text of a status matches the query.
func (f *statusSearch) hasWords(st *linnet.Status) bool {
	return search.Match(f.request.Clauses, &search.Document{Texts: textsOf(st), Labels: labelsOf(st)})
}

// finds reports whether a visible status is within the scope of me's search.
func (f *statusSearch) finds(l *view.Loader, v *linnet.StatusView) bool {
	if v.Author == f.me {
		return f.query.In != search.Public || findableByAll(&v.Status, &v.By.User)
	}
	if l.Unwanted(v) {
		return false
	}
	if f.query.In != search.Library && findableByAll(&v.Status, &v.By.User) && (!v.By.Silenced || l.Followed(v.Author)) {
		return true
	}
	if f.query.In == search.Public {
		return false
	}
	_, part := slices.BinarySearch(f.library, v.ID)
	return part || slices.ContainsFunc(v.Mentions, func(m linnet.Mention) bool { return m.ID == f.me })
}

// resolveURL finds the status with an address on this server.
func (s *Service) resolveURL(ctx context.Context, viewer linnet.ID, q string) ([]linnet.StatusView, bool, error) {
	_, id, ok := s.core.LocalAddress(q)
	if !ok || id == 0 {
		return nil, false, nil
	}
	v, err := s.view.Status(ctx, viewer, id)
	if linnet.KindOf(err) == linnet.NotFound {
		return nil, true, nil
	}
	return []linnet.StatusView{v}, true, err
}
