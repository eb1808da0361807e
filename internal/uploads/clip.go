package uploads

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"

	"linnet/internal/blob"
	"linnet/internal/linnet"
	"linnet/internal/media"
)

// uploadClip uploads a video or audio file. It is stored unchanged, except for its metadata.
func (s *Service) uploadClip(ctx context.Context, me linnet.ID, f, thumb *File, c linnet.AttachmentChange) (*linnet.Attachment, error) {
	film, blanks, err := media.InspectFilm(f.f, f.size)
	var refusal media.Refusal
	if errors.As(err, &refusal) {
		return nil, linnet.FieldError("file", "ERR_INVALID", "%s", refusal.Message())
	}
	if err == nil {
		err = media.WriteBlanks(f.f, blanks)
	}
	if err != nil {
		return nil, err
	}
	a := &linnet.Attachment{Owner: me, Size: linnet.Size{Width: film.Width, Height: film.Height}, Bytes: f.size, Clip: clipOf(film)}
	apply(a, c)
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f.f, 0, f.size)); err != nil {
		return nil, fmt.Errorf("read a video: %w", err)
	}
	a.Sum = hex.EncodeToString(sum.Sum(nil))
	small, err := s.stillOf(ctx, f, film, thumb)
	if err == nil {
		err = s.putSmall(ctx, a, small)
	}
	if err != nil {
		return nil, err
	}
	a.Name = blob.NewName(string(film.Kind))
	if err := s.opt.Files.Put(ctx, a.Name, film.Kind.Type(), f.f); err != nil {
		s.Discard(ctx, a.Small)
		return nil, fileError(err)
	}
	return s.storeAttachment(ctx, a)
}

// stillOf returns the preview of a clip: thumb if there is one, or a picture of the clip if this
// server can make one.
func (s *Service) stillOf(ctx context.Context, f *File, film *media.Film, thumb *File) (still, error) {
	if thumb != nil {
		return s.thumbnail(ctx, "thumbnail", thumb)
	}
	if r := s.opt.Pictures.Still(ctx, f.f, film, s.opt.Receiving); r != nil {
		return smallest(r), nil
	}
	return still{}, nil
}

func clipOf(f *media.Film) *linnet.Clip {
	c := &linnet.Clip{Kind: linnet.Video, Duration: f.Duration, FrameRate: f.FrameRate, VideoCodec: f.VideoCodec, AudioCodec: f.AudioCodec, Channels: f.Channels, Rate: f.SampleRate}
	switch {
	case !f.Video():
		c.Kind = linnet.Audio
	case f.AudioCodec == "": // as in Mastodon
		c.Kind = linnet.SilentClip
	}
	return c
}

// ReadsHEIF reports whether pictures in HEIC and AVIF are accepted.
func (s *Service) ReadsHEIF() bool { return s.opt.Pictures.ReadsHEIF() }

// Together returns an error for attachments that can't be in one status: a video or audio file must
// be alone, as in Mastodon, and the descriptions have a limit.
func Together(all []linnet.Attachment) error {
	if len(all) > 1 && slices.ContainsFunc(all, func(a linnet.Attachment) bool { return a.Clip != nil }) {
		return linnet.FieldError("media_ids", "ERR_INVALID", "can't contain a video or audio file together with other attachments")
	}
	if n := descriptionBytes(all...); n > linnet.MaxAltBytes {
		return linnet.FieldError("media_ids", "ERR_TOO_LONG", "can have descriptions of at most %[2]d bytes in total (%[1]d given). Shorten them", n, linnet.MaxAltBytes)
	}
	return nil
}
