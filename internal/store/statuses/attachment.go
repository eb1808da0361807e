package statuses

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// TaskExpire is the kind of task that removes an unattached upload when it expires. Its arguments
// are an Expiry.
const TaskExpire = "expire-attachment"

// TaskUpdateFiles is the kind of task that withholds or releases the files of a detached upload.
// Its arguments are a Detached.
const TaskUpdateFiles = "settle-files"

// Detached identifies an upload of a deleted status.
type Detached struct {
	Owner linnet.ID `json:"owner"`
	ID    linnet.ID `json:"id"`
	Files []string  `json:"files"`
}

// Expiry identifies an upload to remove.
type Expiry struct {
	ID    linnet.ID `json:"id"`
	Until int64     `json:"until"` // Unix milliseconds
}

// Attachments stores uploads that no status has. Such an upload has its own record and a scheduled
// task that removes it. Attaching moves it into the status in the transaction of the post, so that
// no upload is attached twice. Deleting the status moves it back for a while.
type Attachments struct{ db *db.DB }

// ErrAttachment means that an upload to be attached was deleted or changed.
var ErrAttachment = errors.New("the attachment was deleted or changed")

// Add stores a new upload of a user, with the task that removes it if it is not attached within
// linnet.AttachmentLife. It returns ErrDeleted if the user does not exist.
func (s *Attachments) Add(ctx context.Context, a *linnet.Attachment) error {
	a.Until = s.db.Now().Add(linnet.AttachmentLife)
	for range db.MaxRaces {
		a.ID, a.Version = s.db.NewID(a.Owner.Shard(), 0), 1
		made, err := s.db.Txn(ctx, []kv.Cond{kv.Absent(record.AttachmentKey(a.ID)), db.Else(db.UserPresent(a.Owner), db.ErrDeleted)}, addOps(a)...)
		if errors.Is(err, kv.ErrUnknown) {
			made, err = s.stored(ctx, a)
		}
		if err != nil {
			return fmt.Errorf("write an attachment: %w", err)
		}
		if made {
			return nil
		}
	}
	return db.TooManyRaces("id of an attachment of", a.Owner)
}

// addOps returns the changes that store an unattached upload.
func addOps(a *linnet.Attachment) []kv.Op {
	t, _ := task.NewLater(a.Owner.Shard(), expiryID(a), TaskExpire, Expiry{ID: a.ID, Until: a.Until.UnixMilli()}, a.Until) // the arguments always encode
	return append(t.Ops(), kv.Put{Key: record.AttachmentKey(a.ID), Data: record.EncodeAttachment(a), Version: a.Version},
		kv.Add{Key: record.AttachmentsKey(a.Owner), Member: a.ID.String(), Score: a.Until.UnixMilli()})
}

// stored reports whether an upload with a lost response was stored. Its file has a random name.
func (s *Attachments) stored(ctx context.Context, a *linnet.Attachment) (bool, error) {
	found, err := s.Get(kv.Durable(ctx), a.ID)
	if err != nil {
		return false, err
	}
	if found == nil {
		return false, kv.ErrUnavailable
	}
	return found.Name == a.Name, nil
}

// Get reads an unattached upload. It returns nil if it does not exist or is being removed.
func (s *Attachments) Get(ctx context.Context, id linnet.ID) (*linnet.Attachment, error) {
	a, err := s.get(ctx, id)
	if err != nil || a == nil || a.Going {
		return nil, err
	}
	return a, nil
}

func (s *Attachments) get(ctx context.Context, id linnet.ID) (*linnet.Attachment, error) {
	all, err := s.List(ctx, []linnet.ID{id})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// List reads several uploads. Missing ones are nil, and some may be in removal.
func (s *Attachments) List(ctx context.Context, ids []linnet.ID) ([]*linnet.Attachment, error) {
	qs, out := make([]kv.Query, len(ids)), make([]*linnet.Attachment, len(ids))
	for i, id := range ids {
		qs[i] = &kv.Get{Key: record.AttachmentKey(id)}
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read attachments: %w", err)
	}
	for i, q := range qs {
		get := q.(*kv.Get)
		if get.Version == 0 {
			continue
		}
		a, err := record.DecodeAttachment(get)
		if err != nil {
			return nil, err
		}
		out[i] = a
	}
	return out, nil
}

// ChangeAttachment changes an upload of owner that is unattached or in a scheduled status, and
// returns the result, or nil if there is none.
func (s *Store) ChangeAttachment(ctx context.Context, owner, id linnet.ID, change func(*linnet.Attachment)) (*linnet.Attachment, error) {
	a, err := s.Attachments.Get(ctx, id)
	if err != nil || a != nil && a.Owner != owner {
		return nil, err
	}
	if a != nil {
		if a, err = s.Attachments.change(ctx, id, change); err != nil || a != nil {
			return a, err
		}
	}
	return s.Scheduled.changeMedia(ctx, owner, id, change)
}

// change changes an unattached upload. It returns the result, or nil if there is none.
func (s *Attachments) change(ctx context.Context, id linnet.ID, change func(*linnet.Attachment)) (*linnet.Attachment, error) {
	for range db.MaxRaces {
		a, err := s.Get(ctx, id)
		if err != nil || a == nil {
			return nil, err
		}
		before := a.Version
		change(a)
		a.Version = before + 1
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.AttachmentKey(id), Version: before}},
			kv.Put{Key: record.AttachmentKey(id), Data: record.EncodeAttachment(a), Version: a.Version})
		if errors.Is(err, kv.ErrUnknown) { // repeating the change is harmless
			ctx = kv.Durable(ctx)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("change an attachment: %w", err)
		}
		if made {
			return a, nil
		}
	}
	return nil, db.TooManyRaces("attachment", id)
}

// End marks an unattached upload as being removed if it was due at by, or in any case if by is
// zero. A marked upload cannot be attached, and its files may be removed. End returns nil if there
// is no such upload, or if it was attached or postponed meanwhile. Call Forget once the files are
// removed. Until then, End returns the upload again.
func (s *Attachments) End(ctx context.Context, id linnet.ID, by time.Time) (*linnet.Attachment, error) {
	a, err := s.get(ctx, id)
	if err != nil || a == nil || a.Going {
		return a, err
	}
	if !by.IsZero() && a.Until.After(by) {
		return nil, nil
	}
	return s.change(ctx, id, func(a *linnet.Attachment) { a.Going = true })
}

// Forget deletes the record of an upload whose files were removed.
func (s *Attachments) Forget(ctx context.Context, a *linnet.Attachment) error {
	if err := s.db.Apply(ctx, removeAttachment(a)...); err != nil {
		return fmt.Errorf("remove an attachment: %w", err)
	}
	return nil
}

// OfUser returns the ids of a user's first unattached uploads.
func (s *Attachments) OfUser(ctx context.Context, user linnet.ID, limit int) ([]linnet.ID, error) {
	ids, _, err := s.db.After(ctx, record.AttachmentsKey(user), kv.Member{}, limit)
	return ids, err
}

// removeAttachment returns the changes that delete all records of an unattached upload.
func removeAttachment(a *linnet.Attachment) []kv.Op {
	return append(task.Recall(a.Owner.Shard(), expiryID(a)),
		kv.Delete{Key: record.AttachmentKey(a.ID)}, kv.Remove{Key: record.AttachmentsKey(a.Owner), Member: a.ID.String()})
}

// expiryID returns the id of the task that removes an upload. It differs each time the upload is
// stored.
func expiryID(a *linnet.Attachment) string {
	return fmt.Sprintf("attachment.%v.%d", a.ID, a.Until.UnixMilli())
}

// attach returns the conditions and changes by which a new status attaches its uploads.
func attach(st *linnet.Status) (c changes) {
	for i := range st.Media {
		a := st.Media[i]
		a.Owner = st.Author
		c.conds = append(c.conds, db.Else(kv.VersionIs{Key: record.AttachmentKey(a.ID), Version: a.Version}, ErrAttachment))
		c.ops = append(c.ops, removeAttachment(&a)...)
	}
	return c
}

// RemovePicture removes a picture from a status, including its earlier versions, past the caches.
// The picture can no longer be attached, and the task that removes its files is due at once. It
// returns the current record, nil if there is none, and the picture, nil if the status has none
// with this id.
func (s *Store) RemovePicture(ctx context.Context, status, picture linnet.ID) (now *linnet.Status, removed *linnet.Attachment, err error) {
	is := func(a linnet.Attachment) bool { return a.ID == picture }
	for range db.MaxRaces {
		was, err := s.Status(ctx, status)
		if err != nil || was == nil {
			return nil, nil, err
		}
		all := slices.Concat(was.Media, was.Former)
		i := slices.IndexFunc(all, is)
		if i < 0 {
			if removed == nil && db.RetryDurable(&ctx) {
				continue
			}
			return was, removed, nil
		}
		versions, err := s.Versions(ctx, was)
		if err != nil {
			return nil, nil, err
		}
		st := *was
		st.Media, st.Former = slices.DeleteFunc(slices.Clone(was.Media), is), slices.DeleteFunc(slices.Clone(was.Former), is)
		st.Version++
		ops := append(detach(&linnet.Status{Author: was.Author, Former: all[i : i+1]}, s.db.Now(), false),
			kv.Put{Key: record.StatusKey(status), Data: record.EncodeStatus(&st), Version: st.Version})
		for n, v := range versions {
			if slices.ContainsFunc(v.Media, is) {
				v.Media = slices.DeleteFunc(v.Media, is)
				ops = append(ops, kv.Put{Key: record.VersionKey(status, n), Data: record.EncodeVersion(v), Version: v.Version + 1})
			}
		}
		if from, to := record.ProfileEntry(was), record.ProfileEntry(&st); from != to {
			ops = append(ops, kv.Remove{Key: record.PostsKey(was.Author), Member: from}, kv.Add{Key: record.PostsKey(was.Author), Member: to, Score: status.Millis()})
		}
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.StatusKey(status), Version: was.Version}}, ops...)
		switch {
		case errors.Is(err, kv.ErrUnknown): // the current record shows whether the change was made
			ctx, removed = kv.Durable(ctx), &all[i]
		case err != nil:
			return nil, nil, fmt.Errorf("remove a picture: %w", err)
		case made:
			return &st, &all[i], nil
		}
	}
	return nil, nil, db.TooManyRaces("status", status)
}

// detach returns the changes by which a deleted status releases its uploads. With keep, the uploads
// of its current version can be attached again within linnet.DetachedLife. Their files are
// withheld, with a task in case the caller stops. All others can no longer be attached, and the
// task that removes their files is due at once.
func detach(st *linnet.Status, now time.Time, keep bool) (ops []kv.Op) {
	let := func(all []linnet.Attachment, keep bool) {
		for _, a := range all {
			a.Owner, a.Until, a.Version, a.Going, a.Hidden = st.Author, now, 1, !keep, keep
			if keep {
				a.Until = now.Add(linnet.DetachedLife)
				id := fmt.Sprintf("files.%v.%d", a.ID, a.Until.UnixMilli())
				t, _ := task.NewLater(a.Owner.Shard(), id, TaskUpdateFiles, Detached{a.Owner, a.ID, a.Files()}, now) // the arguments always encode
				ops = append(ops, t.Ops()...)
			}
			ops = append(ops, addOps(&a)...)
		}
	}
	let(st.Media, keep)
	let(st.Former, false)
	return ops
}
