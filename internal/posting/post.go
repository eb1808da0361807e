package posting

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"time"

	"linnet/internal/cards"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
	"linnet/internal/text"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Post creates a status. It checks the draft, writes one transaction and delivers the status to the
// first timeline.FirstBatch followers before it returns. A task serves the rest. A repeated
// IdempotencyKey returns the status of the first attempt. A draft is replaced by the status. Post
// returns ErrDraftDeleted or ErrDraftChanged if the writer hasn't seen the current version of the
// draft.
// https://docs.joinmastodon.org/methods/statuses/#create
func (s *Service) Post(ctx context.Context, me linnet.ID, d linnet.Draft) (linnet.StatusView, error) {
	v, _, err := s.post(ctx, me, d, nil)
	return v, err
}

// post is like Post. next is the draft that becomes a reply to the status in the same transaction,
// or nil. repeated is true if an earlier attempt has created the status.
func (s *Service) post(ctx context.Context, me linnet.ID, d linnet.Draft, next *linnet.Scheduled) (v linnet.StatusView, repeated bool, err error) {
	d = worded(d)
	doc := text.Parse(d.Text)
	if err := cmp.Or(CheckDraft(d, doc, s.core.StatusChars()), checkPoll(d.Poll)); err != nil {
		return v, false, err
	}
	v, err = s.postNew(ctx, me, d, doc, next)
	if err == nil || d.IdempotencyKey == "" {
		return v, false, err
	}
	// The error may be due to an earlier attempt, which counts as the same text and has the
	// attachments.
	b := s.st.Batch()
	id := b.Idempotent(me, record.Hash(d.IdempotencyKey))
	rerr := core.StoreError(b.Run(store.Durable(ctx))) // the other attempt may still be waiting for the disk
	var was linnet.StatusView
	if rerr == nil {
		was, rerr = s.view.Status(ctx, me, *id)
	}
	if rerr == nil || errors.Is(err, statuses.ErrRepeated) {
		return was, true, rerr
	}
	return v, false, err
}

// postNew posts a checked draft. It returns statuses.ErrRepeated if another attempt with the same
// key was first. This is not checked before the write, because nearly every post is the first
// attempt.
func (s *Service) postNew(ctx context.Context, me linnet.ID, d linnet.Draft, doc text.Doc, next *linnet.Scheduled) (linnet.StatusView, error) {
	before, err := s.prepare(ctx, me, d, doc)
	if err != nil {
		return linnet.StatusView{}, err
	}
	before.next = next
	if d.IdempotencyKey != "" {
		before.idem = record.Hash(d.IdempotencyKey)
	}
	var media []linnet.Attachment
	media, before.from, err = s.Drafts.attachments(ctx, me, d)
	if err != nil {
		return linnet.StatusView{}, err
	}
	undo, err := s.newcomers.admit(ctx, me, before.saying(doc), before)
	if err != nil {
		return linnet.StatusView{}, err
	}
	st := compose(me, d, doc, before)
	st.Media = media
	st.Poll = newPoll(d.Poll, s.st.Now())
	if err := quoteIn(st, &before); err != nil {
		undo()
		return linnet.StatusView{}, err
	}
	t, err := s.create(ctx, st, before)
	if err != nil && !store.Unknown(err) {
		undo()
	}
	switch {
	case errors.Is(err, statuses.ErrRepeated):
		return linnet.StatusView{}, err
	case errors.Is(err, db.ErrDeleted):
		return linnet.StatusView{}, core.ErrNoUser
	case errors.Is(err, statuses.ErrDraft):
		return linnet.StatusView{}, ErrDraftChanged
	case errors.Is(err, statuses.ErrAttachment):
		return linnet.StatusView{}, linnet.FieldError("media_ids", "ERR_INVALID", "can't contain a picture that has since been changed or attached to another post. Upload the picture again")
	case errors.Is(err, db.ErrCondition):
		return linnet.StatusView{}, errLeft()
	case err != nil:
		return linnet.StatusView{}, core.StoreError(err)
	}
	if st.Poll != nil {
		s.tasks.Left(ctx, st.ID.Shard())
	}
	return s.posted(ctx, t, st, before.author)
}

// create writes a status with its tasks, and returns the task that delivers it.
func (s *Service) create(ctx context.Context, st *linnet.Status, before prepared) (task.Task, error) {
	_, tags := timeline.PublicTimelines(st)
	n := statuses.NewStatus{Status: st, IdemHash: before.idem, Dated: before.dated, After: before.after, While: before.while, Tags: tags, From: before.from, Next: before.next,
		Task: func(id linnet.ID) (task.Task, error) {
			return s.tasks.New(st.Author.Shard(), TaskPublish, publishArgs{Status: id, Order: before.order})
		}}
	if st.Poll != nil {
		n.Close = closing
	}
	var card cards.Job
	if s.cards.Wants(st) {
		n.Card = func(st *linnet.Status) (t task.Task, err error) {
			card, err = s.cards.Leave(st.ID)
			return card.Task, err
		}
	}
	t, err := s.st.Statuses.CreateStatus(ctx, n)
	if err == nil {
		s.cards.Begin(ctx, card)
	}
	return t, err
}

// posted delivers a new status and returns it for its author. It reads no viewer state, because a
// new status has none.
func (s *Service) posted(ctx context.Context, t task.Task, st *linnet.Status, by *linnet.User) (linnet.StatusView, error) {
	w, err := s.st.Written(st, by)
	if err != nil {
		return linnet.StatusView{}, core.StoreError(err)
	}
	async, wait := core.AsyncEvents(ctx)
	defer wait()
	s.tasks.RunAs(async, t, core.TaskHandler(func(ctx context.Context, a publishArgs) (*publishArgs, error) { return s.delivery.carryOut(ctx, a, w) }))
	l := s.view.Loader(by.ID)
	if w != nil && w.Author != nil && w.Author.User != nil {
		l.Have(w)
	}
	if l.Status(st.ID) == nil {
		l.Statuses = append(l.Statuses, view.StatusSlot{ID: st.ID, Ref: l.B.Status(st.ID), State: db.NoViewerState})
	}
	return l.Show(ctx, st.ID)
}

// worded uses a warning without a text as the text, as Mastodon does.
func worded(d linnet.Draft) linnet.Draft {
	if text.Blank(d.Text) && !text.Blank(d.Warning) && len(d.Media) == 0 && d.QuoteOf == 0 {
		covered := true
		d.Text, d.Warning, d.Sensitive = d.Warning, "", &covered
	}
	return d
}

// CheckDraft returns an error for a draft that can't be posted: empty, longer than chars
// characters, or with too many mentions or tags.
func CheckDraft(d linnet.Draft, doc text.Doc, chars int) error {
	return cmp.Or(checkSays(doc, !text.Blank(d.Warning) || len(d.Media) > 0 || d.QuoteOf != 0), checkLimits(d, doc, chars))
}

// checkSays returns an error for a status without text, unless it shows or quotes something.
func checkSays(doc text.Doc, shows bool) error {
	if text.Blank(doc.Text()) && !shows {
		return linnet.FieldError("text", "ERR_BLANK", "can't be blank")
	}
	return nil
}

func checkLimits(d linnet.Draft, doc text.Doc, chars int) error {
	if len(d.Text)+len(d.Warning) > linnet.MaxStatusBytes {
		return linnet.FieldError("text", "ERR_TOO_LONG", "is too long (maximum is %d bytes)", linnet.MaxStatusBytes)
	}
	if n := doc.Count() + text.Count(d.Warning); n > chars {
		return linnet.FieldError("text", "ERR_TOO_LONG", "has %d characters (maximum is %d)", n, chars)
	}
	if err := core.CheckMarks("text", doc.Text(), d.Warning); err != nil {
		return err
	}
	if n := len(doc.Mentions()); n > linnet.MaxMentions {
		return linnet.FieldError("text", "ERR_TOO_LONG", "mentions %d people (maximum is %d)", n, linnet.MaxMentions)
	}
	if n := len(doc.Tags()); n > linnet.MaxTags {
		return linnet.FieldError("text", "ERR_TOO_LONG", "has %d hashtags (maximum is %d)", n, linnet.MaxTags)
	}
	if len(d.IdempotencyKey) > linnet.MaxIdempotencyKey {
		return linnet.FieldError("Idempotency-Key", "ERR_TOO_LONG", "is too long (maximum is %d bytes)", linnet.MaxIdempotencyKey)
	}
	return nil
}

// prepared has the data needed to write a status.
type prepared struct {
	author   *linnet.User
	mentions []linnet.Mention
	parent   *linnet.Status
	quoted   *linnet.Status    // the quoted status; nil for none
	from     *linnet.Scheduled // the scheduled status or draft that becomes the status; nil for neither
	next     *linnet.Scheduled // the draft that becomes a reply to the status; nil for none
	groupChoice
	dated time.Time // see statuses.NewStatus
	idem  string
	after linnet.ID // the later of the ids of the parent and the quoted status
}

// saying returns the text that a new account must not repeat. It is "" for commands to groups,
// which can be repeated.
func (p *prepared) saying(doc text.Doc) string {
	if p.order != 0 {
		return ""
	}
	return doc.Text()
}

func (s *Service) prepare(ctx context.Context, me linnet.ID, d linnet.Draft, doc text.Doc) (p prepared, err error) {
	if err := s.core.TagRules.Check(ctx, doc.Tags()); err != nil {
		return p, err
	}
	l := s.view.Loader(me)
	l.WantUser(me)
	if d.InReplyTo != 0 {
		l.Want(d.InReplyTo, 0)
	}
	if d.QuoteOf != 0 {
		l.Want(d.QuoteOf, 0)
	}
	if err := l.Run(ctx); err != nil {
		return p, err
	}
	if p.author = l.User(me).User; p.author == nil {
		return p, core.ErrNoUser
	}
	if d.InReplyTo != 0 {
		if p.parent, err = parentOf(l, d.InReplyTo); err != nil {
			return p, err
		}
		p.after = p.parent.ID
	}
	if d.QuoteOf != 0 {
		if p.quoted, err = quotedOf(l, d.QuoteOf); err != nil {
			return p, err
		}
		p.after = max(p.after, p.quoted.ID)
	}
	var groups []*linnet.User
	if p.mentions, groups, err = s.view.FindMentions(ctx, me, doc.Mentions()); err != nil {
		return p, err
	}
	return p, s.chooseGroup(ctx, me, d, doc.Text(), &p, groups)
}

// parentOf returns the parent of a reply, or the original if the client named a boost of it.
func parentOf(l *view.Loader, id linnet.ID) (*linnet.Status, error) {
	v, ok := l.View(id)
	if !ok {
		e := linnet.FieldError("in_reply_to_id", "ERR_INVALID", "is %v, but there's no such post", id)
		e.Kind = linnet.NotFound
		return nil, e
	}
	if v.Repost != nil {
		v = *v.Repost
	}
	if l.Relation(v.Author).Blocks() {
		return nil, social.ErrBlocking
	}
	return &v.Status, nil
}

// compose returns the record of a status.
func compose(me linnet.ID, d linnet.Draft, doc text.Doc, p prepared) *linnet.Status {
	st := &linnet.Status{Author: me, Text: doc.Text(), Warning: core.Lines(d.Warning),
		Sensitive: p.author.Posting.Sensitive, Language: core.Language(d.Language), Visibility: p.author.Posting.Visibility, QuotePolicy: p.author.Posting.QuotePolicy,
		Mentions: p.mentions, Tags: doc.Tags(), App: d.App, Nonce: rand.Text(), Version: 1}
	if d.Sensitive != nil {
		st.Sensitive = *d.Sensitive
	}
	st.Sensitive = st.Sensitive || st.Warning != "" || p.author.Sensitized
	if d.Visibility != nil {
		st.Visibility = *d.Visibility
	}
	if d.QuotePolicy != nil {
		st.QuotePolicy = *d.QuotePolicy
	}
	if p.visibility != nil {
		st.Visibility = *p.visibility
	}
	st.Group = p.group
	if st.Language == "" {
		st.Language = p.author.Posting.Language
	}
	if p.parent != nil {
		st.InReplyTo, st.InReplyAuthor, st.Conversation = p.parent.ID, p.parent.Author, p.parent.Conversation
	}
	return st
}
