package posting

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/text"
	"linnet/internal/uploads"
)

// Threads manages threads that are being written. Each post is a draft with the name of the thread
// and a position. They are posted together, each as a reply to the one before. It is safe for
// concurrent use.
//
// Each post is created in one transaction, which also deletes its draft and makes the next draft a
// reply to it. If the server stops in between, the other drafts continue the thread.
type Threads struct {
	st    *store.Store
	posts *Service
}

// PartError reports the post of a thread that can't be posted.
type PartError struct {
	Number int       // position of the post, from 1
	Draft  linnet.ID // its draft
	Posted int       // posts that were posted before it
	Total  int       // posts of the thread
	Err    error
}

func (e *PartError) Error() string { return e.Err.Error() }
func (e *PartError) Unwrap() error { return e.Err }

var (
	errThreadEnded  = linnet.Errorf(linnet.Conflict, "This thread has already been posted or deleted.")
	errThreadDirect = linnet.Errorf(linnet.Invalid, "A thread can't be for mentioned people only. Choose another audience for its first post.")
)

// comparePart compares the positions of two parts of a thread.
func comparePart(a, b record.ScheduleEntry) int {
	if (a.Part == 0) != (b.Part == 0) {
		return cmp.Compare(b.Part, a.Part)
	}
	return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(a.ID, b.ID))
}

// roomInThread returns an error if a thread has the maximum number of posts.
func roomInThread(name string, others []record.ScheduleEntry) error {
	if name != "" && len(inThread(name, others)) >= linnet.MaxThreadPosts {
		return linnet.Errorf(linnet.Invalid, "A thread can have at most %d posts.", linnet.MaxThreadPosts)
	}
	return nil
}

func inThread(name string, all []record.ScheduleEntry) []record.ScheduleEntry {
	return slices.DeleteFunc(slices.Clone(all), func(e record.ScheduleEntry) bool { return e.Thread != name || name == "" })
}

// Parts returns the drafts of a thread of me in order.
func (s *Threads) Parts(ctx context.Context, me linnet.ID, name string) ([]linnet.Scheduled, error) {
	entries, err := s.st.Statuses.Scheduled.Entries(ctx, me)
	if err != nil {
		return nil, core.StoreError(err)
	}
	entries = inThread(name, entries)
	slices.SortFunc(entries, comparePart)
	ids := make([]linnet.ID, len(entries))
	for i, e := range entries {
		ids[i] = linnet.ID(e.ID)
	}
	return readScheduled(ctx, s.st, ids)
}

// Add saves a finished part of the thread in.Thread. It comes last, unless it has a position. Add
// returns the error that posting it would return, except for attachments and rate limits.
func (s *Threads) Add(ctx context.Context, me linnet.ID, in linnet.Unfinished) (*linnet.Scheduled, SavedAs, error) {
	switch {
	case in.Thread == "" || len(in.Thread) > linnet.MaxIdempotencyKey:
		return nil, SavedHere, errThreadEnded
	case in.Group != 0 || in.Edits != 0:
		return nil, SavedHere, linnet.Errorf(linnet.Invalid, "Edits and posts in groups can't be part of a thread.")
	case !in.PublishAt.IsZero():
		return nil, SavedHere, linnet.FieldError("scheduled_at", "ERR_INVALID", "can't be set for a thread. Leave it empty to post the thread now")
	}
	if _, err := s.check(ctx, me, in.Draft); err != nil {
		return nil, SavedHere, err
	}
	if in.Part == 0 {
		entries, err := s.st.Statuses.Scheduled.Entries(ctx, me)
		if err != nil {
			return nil, SavedHere, core.StoreError(err)
		}
		for _, e := range inThread(in.Thread, entries) {
			in.Part = max(in.Part, e.Part)
		}
		in.Part++
	}
	return s.posts.Drafts.Save(ctx, me, in)
}

// check returns the error that posting a part would return, except for attachments and rate limits.
// Otherwise it returns the visibility of the post.
func (s *Threads) check(ctx context.Context, me linnet.ID, d linnet.Draft) (linnet.Visibility, error) {
	d = worded(d)
	doc := text.Parse(d.Text)
	if err := cmp.Or(CheckDraft(d, doc, s.posts.core.StatusChars()), checkPoll(d.Poll)); err != nil {
		return 0, err
	}
	before, err := s.posts.prepare(ctx, me, d, doc)
	if err != nil {
		return 0, err
	}
	st := compose(me, d, doc, before)
	if err := quoteIn(st, &before); err != nil {
		return 0, err
	}
	if st.Visibility == linnet.Direct && st.Group == 0 {
		return 0, errThreadDirect
	}
	return st.Visibility, nil
}

// Post posts a thread of me and returns its first post. If a part is refused, it posts none and
// returns a PartError. All parts have the audience of the first one, or of the part before if that
// is smaller. If posting ends early, the other parts stay drafts, and posting the thread again
// continues it.
//
// Concurrent and repeated calls create each post once. key is the IdempotencyKey of one of the
// parts. If a call finds all of them posted, it returns the post of this part, or of the first
// part.
func (s *Threads) Post(ctx context.Context, me linnet.ID, name, key string) (first linnet.StatusView, err error) {
	parts, err := s.Parts(ctx, me, name)
	if err != nil {
		return first, err
	}
	if len(parts) == 0 {
		return s.posted(ctx, me, key, name)
	}
	visibility := *parts[0].Draft.Visibility
	for i := range parts {
		d := partOf(&parts[i], 0, visibility)
		d.InReplyTo = parts[0].Draft.InReplyTo // later parts name it only until they are posted
		if visibility, err = s.check(ctx, me, d); err == nil {
			err = uploads.Check(parts[i].Media)
		}
		if err != nil {
			return first, &PartError{Number: i + 1, Draft: parts[i].ID, Total: len(parts), Err: err}
		}
	}
	visibility = *parts[0].Draft.Visibility
	var before linnet.ID // the post before
	for posted, races := 0, 0; len(parts) > 0; {
		part, next := &parts[0], (*linnet.Scheduled)(nil)
		if len(parts) > 1 {
			next = &parts[1]
		}
		v, repeated, err := s.posts.post(ctx, me, partOf(part, before, visibility), next)
		if races < db.MaxRaces && (errors.Is(err, ErrDraftChanged) || errors.Is(err, ErrDraftDeleted)) { // it was changed by a concurrent request
			if parts, err = s.Parts(store.Durable(ctx), me, name); err != nil {
				return first, err
			}
			races++
			continue
		}
		if err == nil && repeated { // its draft may have been saved again in between
			if err = s.posts.Drafts.Delete(ctx, me, linnet.DraftID{ID: part.ID, Version: part.Version}); linnet.KindOf(err) == linnet.NotFound || errors.Is(err, ErrDraftChanged) {
				err = nil
			}
		}
		if err != nil {
			return first, &PartError{Number: posted + 1, Draft: part.ID, Posted: posted, Total: posted + len(parts), Err: err}
		}
		if posted++; posted == 1 {
			first = v
		}
		before, visibility, parts = v.ID, max(visibility, v.Visibility), parts[1:]
		if next != nil {
			next.Version++ // like the transaction of the previous post, which made it a reply
		}
	}
	if before == 0 {
		return s.posted(ctx, me, key, name)
	}
	return first, nil
}

// partOf returns the status of a part. It replies to the post before, or for 0 to the post that the
// thread replies to.
func partOf(part *linnet.Scheduled, before linnet.ID, visibility linnet.Visibility) linnet.Draft {
	d := part.Draft
	d.From, d.Visibility, d.InReplyTo = linnet.DraftID{ID: part.ID, Version: part.Version}, &visibility, cmp.Or(before, d.InReplyTo)
	for i := range part.Media {
		d.Media = append(d.Media, part.Media[i].ID)
	}
	return d
}

// posted returns the status that was posted with the first key that has one.
func (s *Threads) posted(ctx context.Context, me linnet.ID, keys ...string) (linnet.StatusView, error) {
	b := s.st.Batch()
	ids := make([]*linnet.ID, len(keys))
	for i, key := range keys {
		ids[i] = b.Idempotent(me, record.Hash(key))
	}
	if err := b.Run(store.Durable(ctx)); err != nil {
		return linnet.StatusView{}, core.StoreError(err)
	}
	for _, id := range ids {
		if *id != 0 {
			return s.posts.view.Status(ctx, me, *id)
		}
	}
	return linnet.StatusView{}, errThreadEnded
}
