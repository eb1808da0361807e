package uploads

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"linnet/internal/blob"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
)

// Service manages uploaded files. It is safe for concurrent use.
type Service struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue
}

// New returns a Service.
func New(b core.Base) *Service {
	return &Service{st: b.Store, opt: b.Options, tasks: b.Tasks}
}

// Handlers returns the handlers of the tasks of this package.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{statuses.TaskExpire: core.TaskHandler(s.expire), statuses.TaskUpdateFiles: core.TaskHandler(s.updateDetached)}
}

// File is an uploaded file on the disk of this server. It must be closed.
type File struct {
	f    *os.File
	size int64
	film bool // it begins like a video file
}

// Close deletes the file.
func (f *File) Close() {
	if f != nil {
		f.f.Close()
	}
}

// Reader returns a reader of the file from its beginning.
func (f *File) Reader() io.Reader { return io.NewSectionReader(f.f, 0, f.size) }

// At returns a reader of any part of the file, whose size is Bytes.
func (f *File) At() io.ReaderAt { return f.f }

// Bytes returns the size of the file.
func (f *File) Bytes() int64 { return f.size }

// ReceiveList is like Receive for a list to import, which is not a picture.
func (s *Service) ReceiveList(r io.Reader) (*File, error) { return s.receive(r, linnet.MaxImportBytes) }

// ReceiveArchive is like Receive for an archive of posts.
func (s *Service) ReceiveArchive(r io.Reader) (*File, error) { return s.receive(r, s.opt.MaxImport) }

// receive stores an upload that isn't a picture.
func (s *Service) receive(r io.Reader, most int64) (*File, error) {
	f, err := s.Scratch()
	if err != nil {
		return nil, err
	}
	return take(f, r, most, false)
}

// take copies an upload into a temporary file. Errors of the sender are returned as such. A full
// disk is an error of the server.
func take(f *os.File, r io.Reader, most int64, film bool) (*File, error) {
	n, err := copyIn(f, r, most)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &File{f, n, film}, nil
}

func copyIn(to io.Writer, r io.Reader, most int64) (int64, error) {
	disk := &written{to: to}
	n, err := io.Copy(disk, io.LimitReader(r, most+1))
	switch {
	case disk.err != nil:
		err = core.StoreError(fmt.Errorf("receive a file: %w", disk.err))
	case err != nil:
		err = linnet.Errorf(linnet.Invalid, "The file is incomplete")
	case n > most:
		err = linnet.FieldError("file", "ERR_TOO_LONG", "is larger than %d MB", most>>20)
	}
	return n, err
}

// written distinguishes write errors from read errors.
type written struct {
	to  io.Writer
	err error
}

func (w *written) Write(b []byte) (n int, err error) {
	n, w.err = w.to.Write(b)
	return n, w.err
}

// Scratch returns a temporary file without a name, which is deleted when it is closed.
func (s *Service) Scratch() (*os.File, error) {
	f, err := os.CreateTemp(s.opt.Receiving, "linnet-upload-")
	if err != nil {
		return nil, core.StoreError(fmt.Errorf("receive a file: %w", err))
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, fmt.Errorf("receive a file: %w", err)
	}
	return f, nil
}

// Receive stores an upload in a file without a name, so that it is deleted even after a crash. It
// refuses a file as soon as it is too large.
func (s *Service) Receive(r io.Reader) (*File, error) {
	if s.opt.Files == nil {
		return nil, linnet.Errorf(linnet.Unavailable, "This server doesn't store media.")
	}
	f, err := s.Scratch()
	if err != nil {
		return nil, err
	}
	in, most := bufio.NewReader(r), int64(media.MaxBytes)
	head, _ := in.Peek(64) // errors are reported below
	film := media.FilmKind(head) != ""
	if film {
		most = media.MaxFilmBytes
	}
	return take(f, in, most, film)
}

// process converts a file for storage. Errors name the input.
func (s *Service) process(ctx context.Context, name string, f *File, shape media.Shape) (*media.Result, error) {
	r, err := s.opt.Pictures.Process(ctx, f.f, shape)
	var refusal media.Refusal
	switch {
	case errors.As(err, &refusal):
		return nil, linnet.FieldError(name, "ERR_INVALID", "%s", refusal.Message())
	case errors.Is(err, media.ErrBusy):
		e := linnet.Errorf(linnet.Unavailable, "The server is processing too many uploads. Try again in a moment.")
		e.RetryAfter = 5 * time.Second
		return nil, e
	case errors.Is(err, context.DeadlineExceeded):
		e := linnet.Errorf(linnet.Unavailable, "Your upload couldn't be processed in time. Try again in a moment.")
		e.RetryAfter = 10 * time.Second
		return nil, e
	}
	return r, err
}

// put stores a picture under a new name.
func (s *Service) put(ctx context.Context, p media.Picture) (string, error) {
	name := blob.NewName(string(p.Kind))
	if err := s.opt.Files.Put(ctx, name, p.Kind.Type(), bytes.NewReader(p.Data)); err != nil {
		return "", fileError(err)
	}
	return name, nil
}

// fileError returns the error for users if files can't be stored.
func fileError(err error) error {
	e := linnet.Errorf(linnet.Unavailable, "Media can't be stored at the moment. Please try again.")
	e.RetryAfter = 10 * time.Second
	return core.Shown(e, err)
}

// remove deletes files that no record names. The command that finds unused files handles failures.
func (s *Service) remove(ctx context.Context, names ...string) {
	if err := s.opt.Files.Delete(context.WithoutCancel(ctx), names...); err != nil {
		s.opt.Log.Warn("cannot remove unused files", "err", err)
	}
}

// StorePicture stores a picture of a profile or of the server. The caller must Discard its files if
// no record names it.
func (s *Service) StorePicture(ctx context.Context, f *File, shape media.Shape) (p linnet.Picture, err error) {
	field := string(shape)
	if shape == media.Banner {
		field = "header"
	}
	r, err := s.process(ctx, field, f, shape)
	if err != nil {
		return p, err
	}
	p.Blurhash = r.Blurhash
	if p.Name, err = s.put(ctx, r.Stored); err != nil || r.Small.Data == nil {
		return p, err
	}
	if p.Small, err = s.put(ctx, r.Small); err != nil {
		s.remove(ctx, p.Name)
		return linnet.Picture{}, err
	}
	return p, nil
}

// Discard deletes files that no record names any more. It ignores "".
func (s *Service) Discard(ctx context.Context, names ...string) {
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" })
	if len(names) > 0 && s.opt.Files != nil {
		s.remove(ctx, names...)
	}
}

// Upload stores a file that its owner can attach to a status within a day. thumb is its preview;
// nil for one made from the file.
// https://docs.joinmastodon.org/methods/media/#v2
func (s *Service) Upload(ctx context.Context, me linnet.ID, f, thumb *File, c linnet.AttachmentChange) (*linnet.Attachment, error) {
	if err := check(c); err != nil {
		return nil, err
	}
	if f.film {
		return s.uploadClip(ctx, me, f, thumb, c)
	}
	r, err := s.process(ctx, "file", f, media.Attached)
	if err != nil {
		return nil, err
	}
	a := &linnet.Attachment{Owner: me, Size: linnet.Size{Width: r.Stored.Width, Height: r.Stored.Height}, Bytes: int64(len(r.Stored.Data)), Moves: r.Moves}
	sum := sha256.Sum256(r.Stored.Data)
	a.Sum = hex.EncodeToString(sum[:])
	apply(a, c)
	small := still{r.Small, r.Blurhash}
	if thumb != nil {
		if small, err = s.thumbnail(ctx, "thumbnail", thumb); err != nil {
			return nil, err
		}
	}
	if err := s.putSmall(ctx, a, small); err != nil {
		return nil, err
	}
	if a.Name, err = s.put(ctx, r.Stored); err != nil {
		s.Discard(ctx, a.Small)
		return nil, err
	}
	return s.storeAttachment(ctx, a)
}

// storeAttachment stores the record of an upload, or deletes its files.
func (s *Service) storeAttachment(ctx context.Context, a *linnet.Attachment) (*linnet.Attachment, error) {
	if err := s.st.Statuses.Attachments.Add(ctx, a); err != nil {
		if !store.Unknown(err) {
			s.remove(ctx, a.Files()...)
		}
		if errors.Is(err, db.ErrDeleted) {
			return nil, core.ErrNoUser
		}
		return nil, core.StoreError(err)
	}
	return a, s.WithholdStored(ctx, a.Owner, a.Files()...)
}

// Check returns an error for attachments that can't be in one status, or whose descriptions are
// invalid.
func Check(all []linnet.Attachment) error {
	for i := range all {
		if err := check(linnet.AttachmentChange{Description: &all[i].Description}); err != nil {
			return err
		}
	}
	return Together(all)
}

func check(c linnet.AttachmentChange) error {
	if d := c.Description; d != nil {
		if err := checkDescription(*d); err != nil {
			return err
		}
	}
	if f := c.Focus; f != nil && !(f.X >= -1 && f.X <= 1 && f.Y >= -1 && f.Y <= 1) {
		return linnet.FieldError("focus", "ERR_INVALID", "must be two numbers between -1 and 1")
	}
	return nil
}

func apply(a *linnet.Attachment, c linnet.AttachmentChange) {
	if c.Description != nil {
		a.Description = core.Lines(*c.Description)
	}
	if c.Focus != nil {
		a.Focus = *c.Focus
	}
}

// Described changes the description and focus of an attachment of a status.
func (s *Service) Described(a *linnet.Attachment, c linnet.AttachmentChange) error {
	if err := check(c); err != nil {
		return err
	}
	apply(a, c)
	return nil
}

// errNoAttachment is returned for files that don't exist, are attached to a status or belong to
// another user.
var errNoAttachment = linnet.Errorf(linnet.NotFound, "Record not found")

// Attachment returns an unattached file of me.
// https://docs.joinmastodon.org/methods/media/#get
func (s *Service) Attachment(ctx context.Context, me, id linnet.ID) (*linnet.Attachment, error) {
	a, err := s.st.Statuses.Attachments.Get(ctx, id)
	if err != nil {
		return nil, core.StoreError(err)
	}
	if a == nil || a.Owner != me {
		return nil, errNoAttachment
	}
	return a, nil
}

// Describe changes the description and focus of a file of me that isn't attached or belongs to a
// scheduled status. A nil thumb leaves the preview.
// https://docs.joinmastodon.org/methods/media/#update
func (s *Service) Describe(ctx context.Context, me, id linnet.ID, thumb *File, c linnet.AttachmentChange) (*linnet.Attachment, error) {
	if err := check(c); err != nil {
		return nil, err
	}
	if thumb != nil { // previews of scheduled statuses can't be changed
		if _, err := s.Attachment(ctx, me, id); err != nil {
			return nil, err
		}
	}
	var shown linnet.Attachment
	if thumb != nil {
		small, err := s.thumbnail(ctx, "thumbnail", thumb)
		if err == nil {
			err = s.putSmall(ctx, &shown, small)
		}
		if err != nil {
			return nil, err
		}
	}
	former := ""
	a, err := s.st.Statuses.ChangeAttachment(ctx, me, id, func(a *linnet.Attachment) {
		if apply(a, c); thumb != nil && a.Small != shown.Small { // repeated after an unknown result
			former = a.Small
			a.Small, a.SmallSize, a.Blurhash = shown.Small, shown.SmallSize, shown.Blurhash
		}
	})
	switch {
	case err != nil && store.Unknown(err): // the record can name either file
		return nil, core.StoreError(err)
	case err != nil:
		s.Discard(ctx, shown.Small)
		return nil, core.StoreError(err)
	case a == nil: // it was attached or deleted in the meantime
		s.Discard(ctx, shown.Small)
		return nil, errNoAttachment
	}
	s.Discard(ctx, former)
	if shown.Small != "" {
		err = s.WithholdStored(ctx, me, shown.Small)
	}
	return a, err
}

// Remove deletes an unattached file of me at once.
// https://docs.joinmastodon.org/methods/media/#delete
func (s *Service) Remove(ctx context.Context, me, id linnet.ID) error {
	if _, err := core.RetryDurable(ctx, func(ctx context.Context) (*linnet.Attachment, error) { return s.Attachment(ctx, me, id) }); err != nil {
		return err
	}
	a, err := s.st.Statuses.Attachments.End(ctx, id, time.Time{})
	if err != nil {
		return core.StoreError(err)
	}
	if a == nil {
		return errNoAttachment
	}
	return s.end(ctx, a)
}

// RemoveDetached deletes unattached files of me.
func (s *Service) RemoveDetached(ctx context.Context, me linnet.ID, all []linnet.Attachment) error {
	for _, a := range all {
		if err := s.Remove(ctx, me, a.ID); err != nil && linnet.KindOf(err) != linnet.NotFound {
			return err
		}
	}
	return nil
}

// end deletes the files of an attachment, and then its record.
func (s *Service) end(ctx context.Context, a *linnet.Attachment) error {
	if s.opt.Files == nil { // without a storage there are no files to delete
		return linnet.Errorf(linnet.Unavailable, "This server doesn't store media.")
	}
	if err := s.opt.Files.Delete(ctx, a.Files()...); err != nil {
		return fileError(err)
	}
	return core.StoreError(s.st.Statuses.Attachments.Forget(ctx, a))
}

// Take returns the files to attach to a status, in the order of ids.
func (s *Service) Take(ctx context.Context, me linnet.ID, ids []linnet.ID) ([]linnet.Attachment, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	if len(ids) > linnet.MaxAttachments {
		return nil, linnet.FieldError("media_ids", "ERR_TOO_LONG", "can have at most %[2]d attachments (%[1]d given)", len(ids), linnet.MaxAttachments)
	}
	all, err := s.st.Statuses.Attachments.List(ctx, ids)
	if err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]linnet.Attachment, 0, len(ids))
	for i, a := range all {
		if a == nil || a.Owner != me || a.Going {
			return nil, linnet.FieldError("media_ids", "ERR_INVALID", "can't contain %v, which is not one of your unattached uploads. Upload the file again", ids[i])
		}
		for _, before := range out {
			if before.ID == a.ID {
				return nil, linnet.FieldError("media_ids", "ERR_INVALID", "can't contain %v twice", a.ID)
			}
		}
		if a.Hidden {
			if a, err = s.publish(ctx, a); err != nil {
				return nil, err
			}
		}
		out = append(out, *a)
	}
	return out, Together(out)
}

// expire deletes a file that was not attached in time.
func (s *Service) expire(ctx context.Context, e statuses.Expiry) (*statuses.Expiry, error) {
	a, err := s.st.Statuses.Attachments.End(store.Durable(ctx), e.ID, time.UnixMilli(e.Until))
	if err != nil || a == nil {
		return nil, err
	}
	return nil, s.end(ctx, a)
}

// Forget deletes unattached files of a user, at most limit, and returns their number. It is part of
// deleting an account.
func (s *Service) Forget(ctx context.Context, user linnet.ID, limit int) (int, error) {
	ids, err := s.st.Statuses.Attachments.OfUser(ctx, user, limit)
	if err != nil {
		return 0, core.StoreError(err)
	}
	for _, id := range ids {
		a, err := s.st.Statuses.Attachments.End(ctx, id, time.Time{})
		if err != nil {
			return 0, core.StoreError(err)
		}
		if a == nil {
			continue // it was deleted in the meantime
		}
		if err := s.end(ctx, a); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}
