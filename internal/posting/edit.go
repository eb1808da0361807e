package posting

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"linnet/internal/cards"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
	"linnet/internal/text"
	"linnet/internal/timeline"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Edit changes a status of me and stores the previous version. An edit without changes creates no
// version, so it can be repeated. Concurrent edits create one version each.
// https://docs.joinmastodon.org/methods/statuses/#edit
func (s *Service) Edit(ctx context.Context, me, id linnet.ID, e linnet.Edit) (linnet.StatusView, error) {
	doc := text.Parse(e.Text)
	d := linnet.Draft{Text: e.Text, Warning: e.Warning, Media: e.Media, Poll: e.Poll}
	for _, check := range []func() error{func() error { return checkLimits(d, doc, s.core.StatusChars()) }, func() error { return checkPoll(e.Poll) }} {
		if err := check(); err != nil {
			return linnet.StatusView{}, err
		}
	}
	for range db.MaxRaces {
		v, done, err := s.editOnce(ctx, me, id, e, doc)
		if !errors.Is(err, db.ErrRace) {
			if err == nil && done != nil {
				s.tasks.Run(ctx, *done)
				return s.view.Status(ctx, me, id)
			}
			return v, err
		}
		ctx = store.Durable(ctx)
	}
	return linnet.StatusView{}, db.TooManyRaces("status", id)
}

// editOnce tries to edit the current version of a status. It returns the task for the consequences,
// or nil if nothing changes. It returns ErrRace after a concurrent change.
func (s *Service) editOnce(ctx context.Context, me, id linnet.ID, e linnet.Edit, doc text.Doc) (linnet.StatusView, *task.Task, error) {
	v, was, err := s.editable(ctx, me, id)
	if err != nil {
		return v, nil, err
	}
	if doc, err = s.editText(was, &e, doc); err != nil {
		return v, nil, err
	}
	var card cards.Job
	w, err := s.rewrite(ctx, v, was, e, doc, &card)
	if err != nil {
		return v, nil, err
	}
	if same(was, w.Now) {
		_, err := s.st.Statuses.Status(store.Durable(ctx), id) // the same edit may have been sent before
		if err == nil && e.QuotePolicy != nil {
			v, err = s.SetQuotePolicy(ctx, me, id, *e.QuotePolicy)
		}
		return v, nil, core.StoreError(err)
	}
	if err := s.checkMember(ctx, was); err != nil {
		return v, nil, err
	}
	if len(was.Edits) >= linnet.MaxEdits {
		return v, nil, linnet.Errorf(linnet.Invalid, "Validation failed: A post can be edited at most %d times. Delete and redraft it instead", linnet.MaxEdits)
	}
	words := "" // like a post, the new text and the new mentions of a new account count
	if said(me, w.Now.Text) != said(me, was.Text) {
		words = w.Now.Text
	}
	undo, err := s.newcomers.admit(ctx, me, words, prepared{author: &v.By.User,
		mentions: slices.DeleteFunc(slices.Clone(w.Now.Mentions), func(m linnet.Mention) bool { return slices.Contains(was.Mentions, m) })})
	if err != nil {
		return v, nil, err
	}
	err = s.st.Statuses.EditStatus(ctx, w)
	if err != nil && !store.Unknown(err) {
		undo()
	}
	switch {
	case errors.Is(err, db.ErrRace):
		return v, nil, err
	case errors.Is(err, db.ErrDeleted):
		return v, nil, core.ErrNoUser
	case errors.Is(err, db.ErrCondition):
		return v, nil, errLeft()
	case errors.Is(err, statuses.ErrAttachment):
		return v, nil, linnet.FieldError("media_ids", "ERR_INVALID", "can't contain a picture that has since been changed or attached to another post. Upload the picture again")
	case err != nil:
		return v, nil, core.StoreError(err)
	}
	s.forgetText(ctx, v.By, was, w.Now)
	s.cards.Begin(ctx, card)
	if w.Close != nil {
		s.tasks.Left(ctx, id.Shard())
	}
	return v, &w.Task, nil
}

// editText returns an error for an edit without text, unless the status has attachments or a quote.
// A warning without text becomes the text, as in a new post.
func (s *Service) editText(was *linnet.Status, e *linnet.Edit, doc text.Doc) (text.Doc, error) {
	d := linnet.Draft{Text: e.Text, Warning: e.Warning, Sensitive: &e.Sensitive, Media: e.Media}
	if was.Quoting() {
		d.QuoteOf = was.QuoteOf
	}
	if d = worded(d); d.Text != e.Text {
		e.Text, e.Warning, e.Sensitive, doc = d.Text, d.Warning, *d.Sensitive, text.Parse(d.Text)
		if err := checkLimits(d, doc, s.core.StatusChars()); err != nil {
			return doc, err
		}
	}
	return doc, checkSays(doc, len(e.Media) > 0 || was.Quoting())
}

// editable returns a status of me and its record. It returns an error if me can't edit it.
func (s *Service) editable(ctx context.Context, me, id linnet.ID) (v linnet.StatusView, was *linnet.Status, err error) {
	if v, err = s.view.Status(ctx, me, id); err != nil {
		return v, nil, err
	}
	if v.Author != me {
		return v, nil, view.ErrNoStatus
	}
	if v.RepostOf != 0 {
		return v, nil, linnet.Errorf(linnet.Invalid, "Validation failed: Boosts can't be edited. Undo the boost instead")
	}
	if was, err = s.st.Statuses.Status(ctx, id); err != nil {
		return v, nil, core.StoreError(err)
	}
	if was == nil {
		return v, nil, view.ErrNoStatus
	}
	if was.Visibility == linnet.Direct && !was.ForMembers() && len(was.Mentions) == 1 && isOrder(was.Text) {
		u, err := s.core.LookupUser(ctx, was.Mentions[0].ID)
		if err == nil && u != nil && u.Group != linnet.NoGroup { // the group has already executed it
			err = linnet.Errorf(linnet.Invalid, "Validation failed: Commands to a group can't be edited. Send a new message")
		}
		return v, was, err
	}
	return v, was, nil
}

// checkMember returns an error if me can no longer post in the group of a status. Former and banned
// members can't reach its members by edits.
func (s *Service) checkMember(ctx context.Context, st *linnet.Status) error {
	if st.Group == 0 {
		return nil
	}
	g, err := s.core.LookupUser(ctx, st.Group)
	if err != nil {
		return err
	}
	role, err := s.social.Groups.RoleOf(ctx, st.Group, st.Author)
	if err != nil {
		return err
	}
	if g == nil || role == linnet.Outsider {
		return errLeft()
	}
	if role < posts(g.Group) {
		return linnet.Errorf(linnet.Forbidden, "You can't post in @%s any more.", g.Login)
	}
	return nil
}

// rewrite returns the write of an edit. It sets card to the job that fetches the link of the
// status, if it must be fetched.
func (s *Service) rewrite(ctx context.Context, v linnet.StatusView, was *linnet.Status, e linnet.Edit, doc text.Doc, card *cards.Job) (w statuses.Edit, err error) {
	at := max(s.st.Now().UnixMilli(), was.LastEdit()+1, was.ID.Millis()+1)
	now := *was
	w = statuses.Edit{Was: was, Now: &now}
	if was.Group != 0 { // see checkMember
		w.While = []kv.Cond{db.Related(record.Follows(), was.Author, was.Group)}
	}
	now.Version, now.Edits = was.Version+1, append(slices.Clone(was.Edits), at)
	now.Text, now.Warning, now.Tags = doc.Text(), core.Lines(e.Warning), doc.Tags()
	now.Sensitive = e.Sensitive || now.Warning != "" || v.By.Sensitized || was.Marked
	if e.Language != nil {
		if l := core.Language(*e.Language); l != "" || *e.Language == "" {
			now.Language = l
		}
	}
	if e.QuotePolicy != nil {
		now.QuotePolicy = *e.QuotePolicy
	}
	if e.QuoteOf != 0 && e.QuoteOf != was.QuoteOf {
		return w, linnet.FieldError("quoted_status_id", "ERR_INVALID", "can't be changed in an edit. Delete and redraft the post instead")
	}
	if err := s.core.TagRules.Check(ctx, slices.DeleteFunc(doc.Tags(), func(t string) bool { return slices.Contains(was.Tags, t) })); err != nil {
		return w, err
	}
	if now.Mentions, err = s.editMentions(ctx, was, doc.Mentions()); err != nil {
		return w, err
	}
	if err := mayStandIn(&now); err != nil {
		return w, err
	}
	if w.Taken, err = s.editAttachments(ctx, was, &now, e); err != nil {
		return w, err
	}
	now.Poll = editPoll(was, e.Poll, time.UnixMilli(at))
	if p := now.Poll; p != nil && (was.Poll == nil || !p.Expires.Equal(was.Poll.Expires)) {
		t, err := closing(&now)
		if err != nil {
			return w, err
		}
		w.Close = &t
	}
	now.Card = s.cards.Reuse(&now)
	if now.Card == nil && s.cards.Wants(&now) {
		if *card, err = s.cards.Leave(now.ID); err != nil {
			return w, err
		}
		w.Card = &card.Task
	}
	_, w.From = timeline.PublicTimelines(was)
	_, w.To = timeline.PublicTimelines(&now)
	w.Task, err = s.tasks.New(was.ID.Shard(), TaskEdit, editArgs{eraseOf(was), at})
	return w, err
}

// same reports whether two versions of a status have the same content.
func same(a, b *linnet.Status) bool {
	return a.Text == b.Text && a.Warning == b.Warning && a.Sensitive == b.Sensitive && a.Language == b.Language && a.Poll == b.Poll &&
		slices.EqualFunc(a.Media, b.Media, func(x, y linnet.Attachment) bool {
			return x.ID == y.ID && x.Description == y.Description && x.Focus == y.Focus
		})
}

// editPoll returns the poll of a status after an edit. An unchanged poll stays as it is. Votes stay
// if the question is the same, see statuses.Edit.
func editPoll(was *linnet.Status, d *linnet.PollDraft, at time.Time) *linnet.Poll {
	if d == nil {
		return nil
	}
	p := newPoll(d, at)
	if q := was.Poll; q != nil {
		if p.SameQuestion(q) && p.HideTotals == q.HideTotals && d.Seconds == q.Lasting(was.ID.Time()) {
			return q
		}
		if p.Expires.Equal(q.Expires) { // the task that closes it needs another name
			p.Expires = p.Expires.Add(time.Millisecond)
		}
	}
	return p
}

// editMentions returns the mentions of a status after an edit. Users who were mentioned before
// stay, even after a block. A status for group members can mention members only. Other statuses
// can't mention a chat, because no edit moves a status into a group.
func (s *Service) editMentions(ctx context.Context, was *linnet.Status, names []string) ([]linnet.Mention, error) {
	found, groups, err := s.view.FindMentions(ctx, was.Author, names)
	if err != nil {
		return nil, err
	}
	if err := s.checkGroups(ctx, was, groups); err != nil {
		return nil, err
	}
	p := prepared{mentions: found, groupChoice: groupChoice{group: was.Group}}
	if was.ForMembers() {
		if err := s.mentionMembers(ctx, &p); err != nil {
			return nil, err
		}
	}
	for _, g := range groups {
		if g.Group == linnet.Chat && g.ID != was.Group {
			p.mentions = slices.DeleteFunc(p.mentions, func(m linnet.Mention) bool { return m.ID == g.ID })
		}
	}
	named := func(m linnet.Mention, in []string) bool {
		return slices.ContainsFunc(in, func(n string) bool {
			login, ok := s.core.LocalLogin(n)
			return ok && strings.EqualFold(login, m.Login)
		})
	}
	for _, m := range was.Mentions {
		if named(m, names) && !slices.Contains(p.mentions, m) {
			p.mentions = append(p.mentions, m)
		}
	}
	if was.Imported { // a name on another site does not become a user here
		before := text.Parse(was.Text).Mentions()
		p.mentions = slices.DeleteFunc(p.mentions, func(m linnet.Mention) bool { return !slices.Contains(was.Mentions, m) && named(m, before) })
	}
	return p.mentions, nil
}

// checkGroups refuses an edit that adds a closed group of the author to a post that others can see.
// A new post with this mention would be for members only, but an edit cannot change the audience.
func (s *Service) checkGroups(ctx context.Context, was *linnet.Status, groups []*linnet.User) error {
	for _, g := range groups {
		had := slices.ContainsFunc(was.Mentions, func(m linnet.Mention) bool { return m.ID == g.ID })
		if !g.Group.Closed() || had || was.Group == g.ID || was.Visibility == linnet.Direct && g.Group != linnet.Chat {
			continue
		}
		role, err := s.social.Groups.RoleOf(ctx, g.ID, was.Author)
		if err != nil {
			return err
		}
		if role > linnet.Outsider {
			return linnet.FieldError("text", "ERR_INVALID", "mentions the group @%s, but an edit can't limit a post to group members. Write a new post for the group", g.Login)
		}
	}
	return nil
}

// editAttachments sets the attachments of a status after an edit. They can be current or earlier
// attachments, with new descriptions, or new uploads. It returns the new uploads.
func (s *Service) editAttachments(ctx context.Context, was, now *linnet.Status, e linnet.Edit) (taken []linnet.Attachment, err error) {
	if len(e.Media) > linnet.MaxAttachments {
		return nil, linnet.FieldError("media_ids", "ERR_TOO_LONG", "can have at most %[2]d attachments (%[1]d given)", len(e.Media), linnet.MaxAttachments)
	}
	own := map[linnet.ID]linnet.Attachment{}
	for _, a := range slices.Concat(was.Former, was.Media) {
		own[a.ID] = a
	}
	var others []linnet.ID
	for i, id := range e.Media {
		if slices.Contains(e.Media[:i], id) {
			return nil, linnet.FieldError("media_ids", "ERR_INVALID", "can't contain %v twice", id)
		}
		if _, has := own[id]; !has {
			others = append(others, id)
		}
	}
	if taken, err = s.uploads.Take(ctx, was.Author, others); err != nil {
		return nil, err
	}
	all := maps.Clone(own)
	for _, a := range taken {
		all[a.ID] = a
	}
	now.Media, now.Former = nil, nil
	for _, id := range e.Media {
		a := all[id]
		if err := s.uploads.Described(&a, e.Describe[id]); err != nil {
			return nil, err
		}
		now.Media = append(now.Media, a)
		delete(own, id)
	}
	if err := uploads.Together(now.Media); err != nil {
		return nil, err
	}
	for _, a := range slices.Concat(was.Former, was.Media) {
		if _, left := own[a.ID]; left {
			now.Former = append(now.Former, a)
		}
	}
	if len(now.Former) > linnet.MaxFormer {
		return nil, linnet.FieldError("media_ids", "ERR_INVALID", "would make the edit history exceed %d attachments. Delete and redraft the post instead", linnet.MaxFormer)
	}
	return taken, uploads.CheckHistory(now.Media, now.Former)
}

// forgetText allows a new account to repeat a text that an edit has removed.
func (s *Service) forgetText(ctx context.Context, by *linnet.SharedUser, was, now *linnet.Status) {
	if said(by.ID, now.Text) == said(by.ID, was.Text) || s.st.Now().Sub(was.VersionAt(len(was.Edits))) >= core.NewWindow {
		return
	}
	if until, err := s.core.LimitedUntil(ctx, &by.User); err == nil && !until.IsZero() {
		s.newcomers.forget(ctx, by.ID, was.Text)
	}
}
