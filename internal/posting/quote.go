package posting

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/social"
	"linnet/internal/store/db"
	"linnet/internal/view"
)

// quotes is the part of the storey that lets statuses quote others.
type quotes struct{ *Service }

// unquoteArgs name a status whose quote was taken back.
type unquoteArgs struct {
	Status linnet.ID `json:"status"`
}

// quotedOf returns what a draft quotes, if its author may: the original, if the client
// named a repost of it.
func quotedOf(l *view.Loader, id linnet.ID) (*linnet.Status, error) {
	v, ok := l.View(id)
	if !ok {
		return nil, errNoQuoted(id)
	}
	if v.Repost != nil {
		v = *v.Repost
	}
	switch {
	case l.Relation(v.Author).Blocks():
		return nil, social.ErrBlocking
	case !v.MayQuote:
		return nil, errNotQuotable(&v.Status)
	}
	return &v.Status, nil
}

func errNoQuoted(id linnet.ID) error {
	e := linnet.FieldError("quoted_status_id", "ERR_INVALID", "post %v doesn't exist", id)
	e.Kind = linnet.NotFound
	return e
}

// errNotQuotable says who may quote a status, to somebody who may not.
func errNotQuotable(st *linnet.Status) error {
	switch {
	case !st.Quotable():
		return linnet.Errorf(linnet.Forbidden, "Direct posts and posts for group members can't be quoted.")
	case st.Quoters() == linnet.QuoteFollowers:
		return linnet.Errorf(linnet.Forbidden, "Only followers of the author can quote this post. Link to it instead.")
	}
	return linnet.Errorf(linnet.Forbidden, "Only the author can quote this post. Link to it instead.")
}

// quoteIn lets a new status quote what its draft names, see besides. Whoever is quoted by
// what is for those mentioned must be among them, and what is for the members of a group
// quotes nothing: nobody is quoted where they cannot look.
func quoteIn(st *linnet.Status, p *prepared) error {
	q := p.quoted
	if q == nil {
		return nil
	}
	as := besides(q, st.Visibility)
	if as != st.Visibility && st.Group != 0 {
		return linnet.FieldError("quoted_status_id", "ERR_INVALID", "is followers-only and can't be quoted in a group")
	}
	st.Visibility = as
	st.QuoteOf, st.QuoteAuthor = q.ID, q.Author
	if err := mayStandIn(st); err != nil {
		return err
	}
	if q.Author == st.Author {
		return nil
	}
	blocks := db.NoBlocks(st.Author, q.Author)
	p.while = append(p.while, db.Else(blocks[0], social.ErrBlocking), db.Else(blocks[1], errNoQuoted(q.ID)))
	if q.Quoters() == linnet.QuoteFollowers {
		p.while = append(p.while, db.Else(db.Related(record.Follows(), st.Author, q.Author), errNotQuotable(q)))
	}
	return nil
}

// besides is whom a quote is for that is meant for some: what is for followers is quoted
// for followers at most. Nothing that is quoted changes nothing.
func besides(q *linnet.Status, v linnet.Visibility) linnet.Visibility {
	if q != nil && q.Visibility == linnet.Private {
		return max(v, linnet.Private)
	}
	return v
}

// mayStandIn refuses a quote where the one who is quoted could not see it.
func mayStandIn(st *linnet.Status) error {
	if !st.Quoting() {
		return nil
	}
	if st.ForMembers() {
		return linnet.FieldError("quoted_status_id", "ERR_INVALID", "can't be quoted in a post for group members. Link to the post instead")
	}
	named := func(m linnet.Mention) bool { return m.ID == st.QuoteAuthor }
	if st.Visibility == linnet.Direct && st.QuoteAuthor != st.Author && !slices.ContainsFunc(st.Mentions, named) {
		return linnet.FieldError("quoted_status_id", "ERR_INVALID", "is by someone the post doesn't mention. A direct post must mention the author it quotes")
	}
	return nil
}

// quote enters a new status at what it quotes and tells its author. Whoever takes the quote
// back, or deletes the status, has done so before it is looked at again here, or finds it
// entered.
func (s *Service) quote(ctx context.Context, st *linnet.Status) error {
	if !st.Quoting() {
		return nil
	}
	if err := s.notify.NotifyQuote(ctx, st); err != nil {
		return err
	}
	now, err := s.st.Statuses.Status(ctx, st.ID)
	switch {
	case err != nil:
		return err
	case now == nil:
		return s.unquote(ctx, st)
	case now.QuoteRevoked:
		return s.st.Statuses.RemoveQuote(ctx, st)
	}
	return nil
}

// unquote takes a status that is deleted out of the quotes of what it quotes, and from
// what its author was told.
func (s *Service) unquote(ctx context.Context, st *linnet.Status) error {
	if st.QuoteOf == 0 {
		return nil
	}
	if err := s.st.Statuses.RemoveQuote(ctx, st); err != nil || st.QuoteAuthor == st.Author {
		return err
	}
	return s.st.Inbox.RemoveNotices(ctx, st.QuoteAuthor, st.ID, func(n linnet.Notification) bool { return n.Status == st.ID })
}

// RevokeQuote takes a status of me's own, id, out of another that quotes it, for good, and
// shows that one; or me's own if the other's author blocks me by now. Forbidden if id is
// somebody else's, NotFound if the other does not quote it.
// https://docs.joinmastodon.org/methods/statuses/#revoke_quote
func (s *Service) RevokeQuote(ctx context.Context, me, id, quoting linnet.ID) (linnet.StatusView, error) {
	of, err := s.target(ctx, me, id)
	if err != nil {
		return linnet.StatusView{}, err
	}
	if of.Author != me {
		return linnet.StatusView{}, linnet.Errorf(linnet.Forbidden, "Only the author of a post can remove it from another post that quotes it.")
	}
	t, err := s.tasks.New(quoting.Shard(), TaskUnquote, unquoteArgs{quoting})
	if err != nil {
		return linnet.StatusView{}, err
	}
	st, done, err := s.st.Statuses.Rewrite(ctx, quoting, func(st *linnet.Status) bool {
		revokes := st.QuoteOf == of.ID && !st.QuoteRevoked
		st.QuoteRevoked = st.QuoteRevoked || revokes
		return revokes
	}, t)
	switch {
	case err != nil:
		return linnet.StatusView{}, core.StoreError(err)
	case st == nil || st.QuoteOf != of.ID:
		return linnet.StatusView{}, view.ErrNoStatus
	case done:
		s.tasks.Run(ctx, t)
	}
	v, err := s.view.Status(ctx, me, quoting)
	if linnet.KindOf(err) == linnet.NotFound {
		return s.view.Status(ctx, me, of.ID)
	}
	return v, err
}

// forgetQuote takes a status whose quote was taken back out of the quotes, and tells those
// who have it before them.
func (s quotes) forgetQuote(ctx context.Context, a unquoteArgs) (*unquoteArgs, error) {
	st, err := s.st.Statuses.Status(ctx, a.Status)
	if err != nil || st == nil { // what it was in is told by its end
		return nil, err
	}
	if err := s.st.Statuses.RemoveQuote(ctx, st); err != nil {
		return nil, err
	}
	s.changed(ctx, st)
	return nil, nil
}

// changed tells streams of a status that is not edited, and yet another than before.
func (s quotes) changed(ctx context.Context, st *linnet.Status) {
	s.core.Emit(ctx, st.Author, core.Event{Type: linnet.EventEdit, Status: st.ID, Edited: s.st.Now().UnixMilli()})
}

// SetQuotePolicy lets others than before quote a status of me's own. What quotes it already
// stays, and what not everybody may read nobody else may quote, whatever is set.
// https://docs.joinmastodon.org/methods/statuses/#edit_interaction_policy
func (s *Service) SetQuotePolicy(ctx context.Context, me, id linnet.ID, p linnet.QuotePolicy) (linnet.StatusView, error) {
	v, _, err := edits{s}.editable(ctx, me, id)
	if err != nil || v.Visibility > linnet.Unlisted {
		return v, err
	}
	now, done, err := s.st.Statuses.Rewrite(ctx, id, func(st *linnet.Status) bool {
		was := st.QuotePolicy
		st.QuotePolicy = p
		return was != p
	})
	switch {
	case err != nil:
		return v, core.StoreError(err)
	case now == nil:
		return v, view.ErrNoStatus
	case done:
		quotes{s}.changed(ctx, now)
	}
	return s.view.Status(ctx, me, id)
}
