package archives

import (
	"context"
	"fmt"
	"io"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/archives"
	"linnet/internal/store/db"
	"linnet/internal/wording"
)

// errNoArchive is returned for an archive that does not exist, is incomplete or has expired.
var errNoArchive = linnet.Errorf(linnet.NotFound, "Record not found")

// Archive returns the last archive that the user requested, or nil if there is none.
func (s *Service) Archive(ctx context.Context, me linnet.ID) (*linnet.Archive, error) {
	a, _, err := s.st.Archives.Archive(ctx, me)
	if err != nil || a == nil {
		return nil, core.StoreError(err)
	}
	return s.shown(a), nil
}

// shown returns an archive for its owner.
func (s *Service) shown(a *record.Archive) *linnet.Archive {
	v := &linnet.Archive{Asked: time.UnixMilli(a.Asked), Bytes: a.Bytes(), Posts: a.Posts, Of: max(a.Of, a.Posts), Missing: a.Missing, Failed: a.Failed}
	if a.Until != 0 {
		v.Until = time.UnixMilli(a.Until)
	}
	if a.Made != 0 {
		v.Made = time.UnixMilli(a.Made)
		v.File = fmt.Sprintf("archive-%s.zip", v.Asked.UTC().Format("20060102150405"))
	}
	v.Renewable = v.Failed != "" || v.Made.IsZero() && s.st.Now().Sub(v.Asked) > linnet.ArchiveStuck
	return v
}

// RequestArchive starts an export of me's account with a task. There is at most one, for
// linnet.ArchiveLife. A failed one can be requested again.
func (s *Service) RequestArchive(ctx context.Context, me linnet.ID) error {
	if s.opt.Files == nil {
		return linnet.Errorf(linnet.Unavailable, "This server stores no files, so it can't create archives. Contact the administrators.")
	}
	for range db.MaxRaces {
		was, version, err := s.st.Archives.Archive(store.Durable(ctx), me)
		if err != nil {
			return core.StoreError(err)
		}
		if was != nil {
			if v := s.shown(was); !v.Renewable {
				until := v.Asked.Add(linnet.ArchiveLife)
				if v.Made.IsZero() {
					until = v.Asked.Add(linnet.ArchiveStuck)
				}
				return linnet.Errorf(linnet.TooMany, "You requested your archive at %s. You can request another one after %s.", stamp(v.Asked), stamp(until))
			}
		}
		u, err := s.core.LookupUser(ctx, me)
		if err == nil && u == nil {
			err = core.ErrNoUser
		}
		if err != nil {
			return err
		}
		a, err := s.begin(ctx, me)
		if err != nil {
			return err
		}
		if was != nil {
			a.Spent = was.Files()
			a.Asked = max(a.Asked, was.Asked+1)
		}
		t, err := s.tasks.New(me.Shard(), TaskArchive, archives.ArchiveOf{User: me, Asked: a.Asked})
		if err != nil {
			return err
		}
		made, err := s.st.Archives.PutArchive(ctx, me, a, version, t)
		if err != nil {
			return core.StoreError(err)
		}
		if made {
			s.tasks.Start(t)
			return nil
		}
	}
	return db.TooManyRaces("archive of", me)
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// begin returns a new export.
func (s *Service) begin(ctx context.Context, me linnet.ID) (*record.Archive, error) {
	b := s.st.Batch()
	u := b.User(me)
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	return &record.Archive{Asked: s.st.Now().UnixMilli(), Stage: stageOutbox, Of: max(u.Statuses, 0)}, nil
}

// makeArchive runs one batch of the task: it writes a part of the archive and records it. A
// repeated batch continues after the recorded parts.
func (s *Service) makeArchive(ctx context.Context, t archives.ArchiveOf) (*archives.ArchiveOf, error) {
	was, version, err := s.st.Archives.Archive(ctx, t.User)
	if err != nil || was == nil || was.Asked != t.Asked || was.Stage == "" {
		return nil, err
	}
	u, err := s.core.LookupUser(ctx, t.User)
	if err != nil || u == nil {
		return nil, err
	}
	next := *was
	m := &making{Service: s, u: u, a: &next, most: s.opt.MaxArchive}
	if err := m.step(ctx); err != nil {
		s.uploads.Discard(ctx, m.made...)
		return nil, err
	}
	made, err := s.st.Archives.PutArchive(ctx, t.User, &next, version)
	if !made && !store.Unknown(err) { // a concurrent batch has written this part, or the account is deleted
		s.uploads.Discard(ctx, m.made...)
	}
	if err != nil || next.Stage == "" {
		return nil, err
	}
	return &t, nil
}

// expireArchive deletes an expired archive.
func (s *Service) expireArchive(ctx context.Context, t archives.ArchiveOf) (*archives.ArchiveOf, error) {
	a, version, err := s.st.Archives.Archive(store.Durable(ctx), t.User)
	if err != nil || a == nil || a.Asked != t.Asked {
		return nil, err
	}
	s.uploads.Discard(ctx, a.Files()...)
	return nil, s.st.Archives.ForgetArchive(ctx, t.User, version)
}

// errArchiveAway is returned if this server can't read the files of an archive.
var errArchiveAway = linnet.Errorf(linnet.Unavailable, "The files of your archive are missing. Please contact the administrators.")

// OpenArchive opens a user's archive for reading. It must be closed, and the context must last as
// long. It returns NotFound while it is incomplete or after it has expired, and Unavailable if a
// file is missing.
func (s *Service) OpenArchive(ctx context.Context, me linnet.ID) (io.ReadSeekCloser, *linnet.Archive, error) {
	a, _, err := s.st.Archives.Archive(ctx, me)
	switch {
	case err != nil:
		return nil, nil, core.StoreError(err)
	case a == nil, a.Stage != "", a.Failed != "", s.st.Now().UnixMilli() >= a.Until, s.opt.Files == nil:
		return nil, nil, errNoArchive
	}
	f := newMultiReader(ctx, s.opt.Files, append(a.Parts[:len(a.Parts):len(a.Parts)], a.Tail))
	if err := f.whole(); err != nil {
		return nil, nil, core.Shown(errArchiveAway, err)
	}
	return f, s.shown(a), nil
}

// writeArchive writes an archive immediately, without a task or a record.
func (s *Service) writeArchive(ctx context.Context, u *linnet.User, w io.Writer) error {
	if s.opt.Files == nil {
		return linnet.Errorf(linnet.Unavailable, "This server stores no files, so it can't create archives.")
	}
	a, err := s.begin(ctx, u.ID)
	if err != nil {
		return err
	}
	m := &making{Service: s, u: u, a: a}
	defer func() { s.uploads.Discard(context.WithoutCancel(ctx), m.made...) }()
	for a.Stage != "" {
		if err := m.step(ctx); err != nil {
			return err
		}
	}
	if a.Failed != "" {
		return linnet.Errorf(linnet.Invalid, "%s", wording.Message(a.Failed))
	}
	from := newMultiReader(ctx, s.opt.Files, append(a.Parts, a.Tail))
	defer from.Close()
	if _, err := io.Copy(w, from); err != nil {
		return fmt.Errorf("write an archive: %w", err)
	}
	return nil
}
