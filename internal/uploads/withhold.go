package uploads

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"linnet/internal/blob"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
)

// Files of suspended and deleted accounts are withheld, and so are files of a deleted status that
// is redrafted. The records decide: every function here reads them before and after it moves files.
// So the later of two opposite decisions applies.

// updateBatch is the number of statuses that one step of UpdateAccountFiles reads.
const updateBatch = 100

// updateTries is the maximum number of times that files are moved because the records have changed.
const updateTries = 5

// updateFiles withholds or releases files until their state agrees with withheld.
func (s *Service) updateFiles(ctx context.Context, names []string, withheld func(context.Context) (bool, error)) error {
	if s.opt.Files == nil || len(names) == 0 {
		return nil
	}
	want, err := withheld(ctx)
	for range updateTries {
		if err != nil {
			return core.StoreError(err)
		}
		move := s.opt.Files.Release
		if want {
			move = s.opt.Files.Withhold
		}
		if err := move(ctx, names...); err != nil {
			return fileError(err)
		}
		was := want
		if want, err = withheld(ctx); err == nil && want == was {
			return nil
		}
	}
	return fmt.Errorf("withhold or release files: gave up because the records kept changing (%d attempts)", updateTries)
}

// offline reports whether the files of an account are withheld.
func (s *Service) offline(ctx context.Context, user linnet.ID) (bool, error) {
	u, err := s.st.UserNow(ctx, user)
	return u == nil || u.Suspended, err
}

// WithholdStored withholds files that were just recorded for an account, if the account was
// suspended in the meantime.
func (s *Service) WithholdStored(ctx context.Context, user linnet.ID, names ...string) error {
	withheld := func(ctx context.Context) (bool, error) { return s.offline(ctx, user) }
	if off, err := withheld(ctx); err != nil || !off {
		return core.StoreError(err)
	}
	return s.updateFiles(ctx, names, withheld)
}

// Open opens a file by name. It returns NotFound if there is none, if it is withheld, or if it
// isn't media, such as a part of an archive.
func (s *Service) Open(ctx context.Context, name string) (*blob.File, error) {
	if s.opt.Files == nil || media.Kind(strings.TrimPrefix(path.Ext(name), ".")).Type() == "" {
		return nil, errNoFile
	}
	f, err := s.opt.Files.Open(ctx, name)
	if errors.Is(err, blob.ErrAbsent) {
		return nil, errNoFile
	}
	if err != nil {
		return nil, fileError(err)
	}
	if f.Info.Withheld {
		f.Close()
		return nil, errNoFile
	}
	return f, nil
}

var errNoFile = linnet.Errorf(linnet.NotFound, "Record not found")

// UpdateAccountFiles withholds the files of a suspended or deleted account and releases the files
// of other accounts. It begins with pictures of the profile and unattached files. Then come the
// files of the statuses below an id (0 for all). It returns the id where the next step continues,
// or 0 at the end. Steps can be repeated.
func (s *Service) UpdateAccountFiles(ctx context.Context, user, below linnet.ID) (next linnet.ID, err error) {
	if s.opt.Files == nil {
		return 0, nil
	}
	var names []string
	if below == 0 {
		if names, err = s.loose(ctx, user); err != nil {
			return 0, err
		}
	}
	posted, next, err := s.posted(ctx, user, below)
	if err != nil {
		return 0, core.StoreError(err)
	}
	return next, s.updateFiles(ctx, append(names, posted...), func(ctx context.Context) (bool, error) { return s.offline(ctx, user) })
}

// loose updates the unattached files of a user. It returns the files of the profile and of
// unpublished statuses.
func (s *Service) loose(ctx context.Context, user linnet.ID) (names []string, err error) {
	ids, err := s.st.Statuses.Attachments.OfUser(ctx, user, looseMost)
	if err != nil {
		return nil, core.StoreError(err)
	}
	all, err := s.st.Statuses.Attachments.List(ctx, ids)
	if err != nil {
		return nil, core.StoreError(err)
	}
	for _, a := range all {
		if a == nil {
			continue
		}
		if a.Hidden { // it stays withheld when the account is restored
			if _, err := s.updateDetached(ctx, statuses.Detached{Owner: user, ID: a.ID, Files: a.Files()}); err != nil {
				return nil, err
			}
			continue
		}
		names = append(names, a.Files()...)
	}
	planned, err := s.planned(ctx, user)
	if err != nil {
		return nil, core.StoreError(err)
	}
	names = append(names, planned...)
	u, err := s.st.UserNow(ctx, user)
	if err != nil {
		return nil, core.StoreError(err)
	}
	if u != nil {
		names = append(names, u.Avatar, u.Banner)
	}
	return names, nil
}

// looseMost is the maximum number of unattached files that one step reads.
const looseMost = 1000

// planned returns the files of a user's drafts and scheduled statuses.
func (s *Service) planned(ctx context.Context, user linnet.ID) (names []string, err error) {
	entries, err := s.st.Statuses.Scheduled.Entries(ctx, user)
	if err != nil {
		return nil, err
	}
	ids := make([]linnet.ID, len(entries))
	for i, e := range entries {
		ids[i] = linnet.ID(e.ID)
	}
	all, err := s.st.Statuses.Scheduled.List(ctx, ids)
	for _, sc := range all {
		if sc != nil {
			names = append(names, files(sc.Media)...)
		}
	}
	return names, err
}

// posted returns the files of a user's statuses below an id, and the position of the next step.
func (s *Service) posted(ctx context.Context, user, below linnet.ID) (names []string, next linnet.ID, err error) {
	b := s.st.Batch()
	ref := b.Posts(user, db.Span{Below: below, Limit: updateBatch})
	if err := b.Run(ctx); err != nil {
		return nil, 0, err
	}
	posts := ref.Posts()
	b = s.st.Batch()
	refs := make([]*db.RecordRef, len(posts))
	for i, p := range posts {
		refs[i] = b.StatusRecord(p.ID)
	}
	if err := b.Run(ctx); err != nil {
		return nil, 0, err
	}
	for _, ref := range refs {
		if st := ref.Status; st != nil {
			names = append(names, files(slices.Concat(st.Media, st.Former))...)
		}
	}
	if len(posts) == updateBatch {
		next = posts[len(posts)-1].ID
	}
	return names, next, nil
}

func files(all []linnet.Attachment) (names []string) {
	for i := range all {
		names = append(names, all[i].Files()...)
	}
	return names
}

// Detached withholds the files of a deleted status if keep is set, and deletes them otherwise.
// Tasks that were written with the deletion retry failures.
func (s *Service) Detached(ctx context.Context, st *linnet.Status, keep bool) {
	if s.opt.Files == nil || len(st.Media)+len(st.Former) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx)
	for _, a := range st.Media {
		var err error
		if a.Owner = st.Author; keep {
			_, err = s.updateDetached(ctx, statuses.Detached{Owner: st.Author, ID: a.ID, Files: a.Files()})
		} else {
			err = s.endDetached(ctx, a.ID)
		}
		s.later(err)
	}
	for _, a := range st.Former {
		s.later(s.endDetached(ctx, a.ID))
	}
	s.tasks.Left(ctx, st.Author.Shard())
}

// later logs an error that a task will retry.
func (s *Service) later(err error) {
	if err != nil {
		s.opt.Log.Warn("cannot remove files of deleted post; will retry", "err", err)
	}
}

// endDetached deletes a picture that was deleted with its status.
func (s *Service) endDetached(ctx context.Context, id linnet.ID) error {
	a, err := s.st.Statuses.Attachments.End(ctx, id, s.st.Now())
	if err != nil || a == nil {
		return err
	}
	return s.end(ctx, a)
}

// updateDetached updates the files of a detached picture to its record. Without a record, the
// picture was attached again or deleted with its files.
func (s *Service) updateDetached(ctx context.Context, d statuses.Detached) (*statuses.Detached, error) {
	return nil, s.updateFiles(ctx, d.Files, func(ctx context.Context) (bool, error) {
		off, err := s.offline(ctx, d.Owner)
		if err != nil || off {
			return off, err
		}
		all, err := s.st.Statuses.Attachments.List(ctx, []linnet.ID{d.ID})
		return err == nil && all[0] != nil && all[0].Hidden, err
	})
}

// publish releases the files of a picture that its owner attaches again, and records that.
func (s *Service) publish(ctx context.Context, a *linnet.Attachment) (*linnet.Attachment, error) {
	if s.opt.Files == nil {
		return nil, fileError(nil)
	}
	if err := s.opt.Files.Release(ctx, a.Files()...); err != nil { // before the record changes, so that a crash leaves no post without files
		return nil, fileError(err)
	}
	shown, err := s.st.Statuses.ChangeAttachment(ctx, a.Owner, a.ID, func(a *linnet.Attachment) { a.Hidden = false })
	if err != nil {
		return nil, core.StoreError(err)
	}
	if shown == nil {
		return nil, errNoAttachment
	}
	_, err = s.updateDetached(ctx, statuses.Detached{Owner: a.Owner, ID: a.ID, Files: a.Files()})
	return shown, err
}
