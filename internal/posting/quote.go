package posting

import (
	"context"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/social"
	"linnet/internal/store/db"
	"linnet/internal/view"
)

// unquoteArgs identify a status whose quote was revoked.
type unquoteArgs struct {
	Status linnet.ID `json:"status"`
}

// quotedOf returns the status that a draft quotes, or the original if the client named a boost. It
// returns an error if the author can't quote it.
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
	e := linnet.FieldError("quoted_status_id", "ERR_INVALID", "is %v, but there's no such post", id)
	e.Kind = linnet.NotFound
	return e
}

// errNotQuotable returns the error that names the users who can quote a status.
func errNotQuotable(st *linnet.Status) error {
	switch {
	case !st.Quotable():
		return linnet.Errorf(linnet.Forbidden, "Direct posts and posts for group members can't be quoted.")
	case st.Quoters() == linnet.QuoteFollowers:
		return linnet.Errorf(linnet.Forbidden, "Only followers of the author can quote this post. Link to it instead.")
	}
	return linnet.Errorf(linnet.Forbidden, "Only the author can quote this post. Link to it instead.")
}

// quoteIn sets the quoted status of a new status, which can narrow its visibility. A direct status
// can only quote authors it mentions. A status for group members can't quote. So authors can see
// every quote of their statuses.
func quoteIn(st *linnet.Status, p *prepared) error {
	q := p.quoted
	if q == nil {
		return nil
	}
	as := q.QuoteVisibility(st.Visibility)
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

// mayStandIn returns an error if the quoted author could not see a quote in a status.
func mayStandIn(st *linnet.Status) error {
	if !st.Quoting() {
		return nil
	}
	if st.ForMembers() {
		return linnet.FieldError("quoted_status_id", "ERR_INVALID", "can't be quoted in a post for group members. Link to the post instead")
	}
	named := func(m linnet.Mention) bool { return m.ID == st.QuoteAuthor }
	if st.Visibility == linnet.Direct && st.QuoteAuthor != st.Author && !slices.ContainsFunc(st.Mentions, named) {
		return linnet.FieldError("quoted_status_id", "ERR_INVALID", "is by someone the post doesn't mention. A direct post must mention the author of the post it quotes")
	}
	return nil
}

// quote adds a new status to the quotes of the quoted status and notifies its author. It reads both
// again afterwards. So a concurrent deletion or revocation either is seen here or finds the entry.
func (s *delivery) quote(ctx context.Context, st *linnet.Status) error {
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
		return s.st.Statuses.Quotes.Remove(ctx, st)
	}
	return nil
}

// unquote removes a deleted status from the quotes of the quoted status, and the notification of
// it.
func (s *delivery) unquote(ctx context.Context, st *linnet.Status) error {
	if st.QuoteOf == 0 {
		return nil
	}
	if err := s.st.Statuses.Quotes.Remove(ctx, st); err != nil || st.QuoteAuthor == st.Author {
		return err
	}
	return s.st.Inbox.RemoveNotices(ctx, st.QuoteAuthor, st.ID, func(n linnet.Notification) bool { return n.Status == st.ID })
}

// RevokeQuote removes a status of me, id, from a status that quotes it, permanently. It returns the
// quoting status, or the quoted one if its author blocks me. It returns Forbidden if id is not a
// status of me and NotFound if quoting doesn't quote it.
// https://docs.joinmastodon.org/methods/statuses/#revoke_quote
func (s *Service) RevokeQuote(ctx context.Context, me, id, quoting linnet.ID) (linnet.StatusView, error) {
	of, err := s.view.Original(ctx, me, id)
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
	st, done, err := s.st.Statuses.Quotes.Rewrite(ctx, quoting, func(st *linnet.Status) bool {
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

// forgetQuote removes a revoked quote from the list of quotes and notifies open streams.
func (s *delivery) forgetQuote(ctx context.Context, a unquoteArgs) (*unquoteArgs, error) {
	st, err := s.st.Statuses.Status(ctx, a.Status)
	if err != nil || st == nil { // its deletion notifies the streams
		return nil, err
	}
	if err := s.st.Statuses.Quotes.Remove(ctx, st); err != nil {
		return nil, err
	}
	emitChanged(ctx, s.core, st, s.st.Now())
	return nil, nil
}

// emitChanged notifies open streams of a change to a status that is not an edit by its author.
func emitChanged(ctx context.Context, c *core.Service, st *linnet.Status, now time.Time) {
	c.Emit(ctx, st.Author, core.Event{Type: linnet.EventEdit, Status: st.ID, Edited: now.UnixMilli()})
}

// SetQuotePolicy sets who can quote a status of me. Existing quotes stay. Posts that aren't public
// can only be quoted by their author.
// https://docs.joinmastodon.org/methods/statuses/#edit_interaction_policy
func (s *Service) SetQuotePolicy(ctx context.Context, me, id linnet.ID, p linnet.QuotePolicy) (linnet.StatusView, error) {
	v, _, err := s.editable(ctx, me, id)
	if err != nil || !v.Visibility.Open() {
		return v, err
	}
	now, done, err := s.st.Statuses.Quotes.Rewrite(ctx, id, func(st *linnet.Status) bool {
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
		emitChanged(ctx, s.core, now, s.st.Now())
	}
	return s.view.Status(ctx, me, id)
}
