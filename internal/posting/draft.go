package posting

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/text"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Drafts manages drafts. It is safe for concurrent use. A draft is checked less strictly than a
// status. It is checked again when it is posted. Two editors of a draft lose no text, because a
// version that its writer hasn't seen is never replaced.
//
// A draft of an edit has the id of the edited status. It is stored, listed and deleted like other
// drafts. It can't become a new status by accident.
type Drafts struct {
	st      *store.Store
	view    *view.Service
	uploads *uploads.Service
}

// Errors for a draft whose current version its writer hasn't seen.
var (
	ErrDraftDeleted = linnet.Errorf(linnet.Conflict, "This draft has already been posted or deleted. You can post this text as a new post.")
	ErrDraftChanged = linnet.Errorf(linnet.Conflict, "This draft was changed elsewhere. Check the other version below, or post again to replace it with this text.")
)

// SavedAs is the result of saving a draft.
type SavedAs uint8

const (
	SavedHere       SavedAs = iota // it is new, or replaced the named draft
	SavedAgain                     // the given draft is deleted, so a new one was created
	SavedSeparately                // the named draft was changed elsewhere and stays, so a new one was created, without its attachments
	SavedNever                     // it was already posted with the same key
)

// Save stores an unfinished status. It replaces in.Draft.From if the writer has seen its
// current version, or if that was written with the same IdempotencyKey. Otherwise it stores a
// second draft. It returns nil if the draft has already been posted.
func (s *Drafts) Save(ctx context.Context, me linnet.ID, in linnet.Unfinished) (*linnet.Scheduled, SavedAs, error) {
	if err := checkDraft(in.Draft); err != nil {
		return nil, SavedHere, err
	}
	for range db.MaxRaces {
		sc, as, err := s.save(ctx, me, in)
		switch {
		case errors.Is(err, statuses.ErrDraft) || errors.Is(err, statuses.ErrAttachment): // by a concurrent request
			ctx = store.Durable(ctx)
			continue
		case errors.Is(err, db.ErrDeleted):
			err = core.ErrNoUser
		}
		return sc, as, core.StoreError(err)
	}
	return nil, SavedHere, core.StoreError(db.TooManyRaces("drafts of", me))
}

func (s *Drafts) save(ctx context.Context, me linnet.ID, in linnet.Unfinished) (*linnet.Scheduled, SavedAs, error) {
	d := in.Draft
	was, as, err := s.replaced(ctx, me, d)
	if err != nil || as == SavedNever {
		return nil, as, err
	}
	media, err := s.left(ctx, me, d, was)
	if err != nil {
		return nil, as, err
	}
	visibility, policy, sensitive, l := linnet.Public, linnet.QuotePublic, false, s.view.Loader(me)
	l.WantUser(me)
	if err := l.Run(ctx); err != nil {
		return nil, as, err
	}
	if u := l.User(me).User; u != nil {
		visibility, policy, sensitive = u.Posting.Visibility, u.Posting.QuotePolicy, u.Posting.Sensitive
	}
	d.Text, d.Warning = text.Parse(d.Text).Text(), core.Lines(d.Warning)
	d.Visibility, d.QuotePolicy, d.Sensitive = cmp.Or(d.Visibility, &visibility), cmp.Or(d.QuotePolicy, &policy), cmp.Or(d.Sensitive, &sensitive)
	d.Media, d.From, d.Describe = nil, linnet.DraftID{}, nil
	sc := &linnet.Scheduled{Owner: me, Saved: wholeMillis(s.st.Now()), PublishAt: wholeMillis(in.PublishAt), Draft: d, Group: in.Group, Edits: in.Edits, Thread: in.Thread, Part: in.Part, Media: media, Nonce: rand.Text()}
	if was != nil && was.Thread != "" && sc.Part == 0 { // an earlier save of the same composer can arrive late
		sc.Thread, sc.Part = was.Thread, was.Part
	}
	return sc, as, s.st.Statuses.Scheduled.SaveDraft(ctx, sc, was, func(others []record.ScheduleEntry) error {
		return cmp.Or(roomInThread(sc.Thread, others), roomForDraft(others))
	})
}

func wholeMillis(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return time.UnixMilli(t.UnixMilli())
}

// replaced returns the draft that another one replaces, or nil.
func (s *Drafts) replaced(ctx context.Context, me linnet.ID, d linnet.Draft) (*linnet.Scheduled, SavedAs, error) {
	own := d.From
	if !own.Given() { // an earlier attempt with a lost response
		own.Key = d.IdempotencyKey
	}
	was, err := s.Find(ctx, me, own)
	if err != nil {
		return nil, SavedHere, err
	}
	if was == nil {
		if d.IdempotencyKey != "" {
			b := s.st.Batch()
			posted, scheduled := b.Idempotent(me, record.Hash(d.IdempotencyKey)), b.Idempotent(me, scheduledBy(d.IdempotencyKey))
			if err := b.Run(ctx); err != nil || *posted != 0 || *scheduled != 0 {
				return nil, SavedNever, core.StoreError(err)
			}
		}
		if d.From.ID != 0 {
			return nil, SavedAgain, nil
		}
		return nil, SavedHere, nil
	}
	if !known(was, d) {
		return nil, SavedSeparately, nil
	}
	return was, SavedHere, nil
}

// known reports whether the writer of d has seen the current version of a draft. It is the version
// that d names, or one written with the same key.
func known(was *linnet.Scheduled, d linnet.Draft) bool {
	return seen(was, d.From) || d.IdempotencyKey != "" && was.Draft.IdempotencyKey == d.IdempotencyKey
}

// seen reports whether as names the current version of a draft.
func seen(was *linnet.Scheduled, as linnet.DraftID) bool {
	return was.Version == as.Version && was.ID == as.ID || as.Key != "" && was.Draft.IdempotencyKey == as.Key
}

// Find returns the named draft of me, which may be newer than the named version. It returns nil if
// the draft is deleted.
func (s *Drafts) Find(ctx context.Context, me linnet.ID, name linnet.DraftID) (*linnet.Scheduled, error) {
	if name.ID == 0 && name.Key != "" {
		entries, err := s.st.Statuses.Scheduled.Entries(ctx, me)
		if err != nil {
			return nil, core.StoreError(err)
		}
		for _, e := range entries {
			if e.IsDraft() && e.Key == record.DraftKey(name.Key) {
				name.ID = linnet.ID(e.ID)
			}
		}
	}
	if name.ID == 0 {
		return nil, nil
	}
	all, err := s.st.Statuses.Scheduled.List(ctx, []linnet.ID{name.ID})
	if err != nil {
		return nil, core.StoreError(err)
	}
	if all[0] == nil || all[0].Owner != me || !all[0].IsDraft() {
		return nil, nil
	}
	return all[0], nil
}

// left returns the attachments of a draft that still exist.
func (s *Drafts) left(ctx context.Context, me linnet.ID, d linnet.Draft, was *linnet.Scheduled) ([]linnet.Attachment, error) {
	own, loose := attachmentsOf(was, d.Media)
	found, err := s.st.Statuses.Attachments.List(ctx, loose)
	if err != nil {
		return nil, core.StoreError(err)
	}
	for _, a := range found {
		if a != nil && a.Owner == me && !a.Going {
			own[a.ID] = *a
		}
	}
	var out []linnet.Attachment
	for _, id := range d.Media {
		if a, ok := own[id]; ok {
			out = append(out, a)
			delete(own, id)
		}
	}
	return s.described(out, d)
}

// attachmentsOf splits attachment ids into own ones, which belong to a draft, and loose ones.
func attachmentsOf(was *linnet.Scheduled, ids []linnet.ID) (own map[linnet.ID]linnet.Attachment, loose []linnet.ID) {
	own = map[linnet.ID]linnet.Attachment{}
	for _, id := range ids {
		i := -1
		if was != nil {
			i = slices.IndexFunc(was.Media, func(a linnet.Attachment) bool { return a.ID == id })
		}
		if i < 0 {
			loose = append(loose, id)
		} else {
			own[id] = was.Media[i]
		}
	}
	return own, loose
}

// described returns attachments with the descriptions of a draft.
func (s *Drafts) described(all []linnet.Attachment, d linnet.Draft) ([]linnet.Attachment, error) {
	for i := range all {
		if c, ok := d.Describe[all[i].ID]; ok {
			if err := s.uploads.Described(&all[i], c); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// attachments returns the attachments of a status, and the draft that the status replaces, or nil.
func (s *Drafts) attachments(ctx context.Context, me linnet.ID, d linnet.Draft) (out []linnet.Attachment, was *linnet.Scheduled, err error) {
	if !d.From.Given() {
		out, err = s.uploads.Take(ctx, me, d.Media)
		return out, nil, err
	}
	was, err = s.Find(ctx, me, d.From)
	switch {
	case err != nil:
		return nil, nil, err
	case was == nil && d.From.ID != 0:
		return nil, nil, ErrDraftDeleted
	case was != nil && !known(was, d):
		return nil, nil, ErrDraftChanged
	case len(d.Media) > linnet.MaxAttachments:
		_, err = s.uploads.Take(ctx, me, d.Media) // returns an error for too many
		return nil, nil, err
	}
	own, loose := attachmentsOf(was, d.Media)
	taken, err := s.uploads.Take(ctx, me, loose)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range taken {
		own[a.ID] = a
	}
	out = make([]linnet.Attachment, len(d.Media))
	for i, id := range d.Media {
		if slices.Contains(d.Media[:i], id) {
			return nil, nil, linnet.FieldError("media_ids", "ERR_INVALID", "can't contain %v twice", id)
		}
		out[i] = own[id]
	}
	if out, err = s.described(out, d); err != nil {
		return nil, nil, err
	}
	return out, was, uploads.Together(out)
}

// checkDraft returns an error if a draft exceeds the limits of storage.
func checkDraft(d linnet.Draft) error {
	n := len(d.Text) + len(d.Warning)
	if d.Poll != nil {
		if len(d.Poll.Options) > linnet.MaxPollOptions {
			return linnet.FieldError("poll.options", "ERR_TOO_LONG", "has %d options (maximum is %d)", len(d.Poll.Options), linnet.MaxPollOptions)
		}
		for _, o := range d.Poll.Options {
			n += len(o)
		}
	}
	if n > linnet.MaxStatusBytes {
		return linnet.FieldError("text", "ERR_TOO_LONG", "is too long for a draft (%d bytes, maximum is %d)", n, linnet.MaxStatusBytes)
	}
	if len(d.Media) > linnet.MaxAttachments {
		return linnet.FieldError("media_ids", "ERR_TOO_LONG", "can have at most %[2]d attachments (%[1]d given)", len(d.Media), linnet.MaxAttachments)
	}
	if !core.ValidLanguage(d.Language) {
		return linnet.FieldError("language", "ERR_INVALID", "%q is not a language code", d.Language)
	}
	if len(d.IdempotencyKey) > linnet.MaxIdempotencyKey {
		return linnet.FieldError("Idempotency-Key", "ERR_TOO_LONG", "is too long (maximum is %d bytes)", linnet.MaxIdempotencyKey)
	}
	return nil
}

func roomForDraft(others []record.ScheduleEntry) error {
	if n := len(others) - len(waiting(others)); n >= linnet.MaxDrafts {
		return linnet.Errorf(linnet.Invalid, "You can have at most %d drafts. Post or delete one to save this draft.", n)
	}
	return nil
}

// Get returns a draft of me.
func (s *Drafts) Get(ctx context.Context, me, id linnet.ID) (*linnet.Scheduled, error) {
	d, err := s.Find(ctx, me, linnet.DraftID{ID: id})
	if err == nil && d == nil {
		err = errNoScheduled
	}
	return d, err
}

// List returns the drafts of me, last change first: at most limit, starting at index from. of is
// their total number. The parts of a thread count as one draft, and are returned in their order.
func (s *Drafts) List(ctx context.Context, me linnet.ID, from, limit int) (out []linnet.Scheduled, of int, err error) {
	entries, err := s.st.Statuses.Scheduled.Entries(ctx, me)
	if err != nil {
		return nil, 0, core.StoreError(err)
	}
	changed, seen := map[string]int64{}, map[string]bool{} // by thread
	for _, e := range entries {
		changed[e.Thread] = max(changed[e.Thread], e.Saved)
	}
	last := func(e record.ScheduleEntry) int64 {
		if e.Thread != "" {
			return changed[e.Thread]
		}
		return e.Saved
	}
	entries = slices.DeleteFunc(entries, func(e record.ScheduleEntry) bool { return !e.IsDraft() })
	slices.SortFunc(entries, func(a, b record.ScheduleEntry) int {
		if a.Thread != "" && a.Thread == b.Thread {
			return comparePart(a, b)
		}
		return cmp.Or(cmp.Compare(last(b), last(a)), cmp.Compare(b.Thread, a.Thread), cmp.Compare(b.ID, a.ID))
	})
	var ids []linnet.ID
	for _, e := range entries {
		if e.Thread == "" || !seen[e.Thread] {
			of++
		}
		seen[e.Thread] = true
		if i := of - 1; i >= max(from, 0) && i < max(from, 0)+limit {
			ids = append(ids, linnet.ID(e.ID))
		}
	}
	out, err = readScheduled(ctx, s.st, ids)
	return out, of, err
}

// Delete deletes a draft. Its attachments can be attached to another status for
// linnet.DetachedLife. It returns ErrDraftChanged if the writer hasn't seen the current version.
func (s *Drafts) Delete(ctx context.Context, me linnet.ID, name linnet.DraftID) error {
	was, err := core.RetryDurable(ctx, func(ctx context.Context) (*linnet.Scheduled, error) {
		d, err := s.Find(ctx, me, name)
		if err == nil && d == nil {
			err = errNoScheduled
		}
		return d, err
	})
	if err != nil {
		return err
	}
	if !seen(was, name) {
		return ErrDraftChanged
	}
	ok, err := s.st.Statuses.Scheduled.DeleteDraft(ctx, was)
	if err == nil && !ok {
		err = ErrDraftChanged // or deleted, by a concurrent request
	}
	return core.StoreError(err)
}
