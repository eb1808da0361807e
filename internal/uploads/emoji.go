package uploads

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/media"
)

// StoreEmoji stores a custom emoji: its file, and a still picture of an animated one. The caller
// must Discard both if no record names them.
func (s *Service) StoreEmoji(ctx context.Context, f *File) (name, still string, err error) {
	if f.size > linnet.MaxEmojiBytes {
		return "", "", linnet.FieldError("image", "ERR_TOO_LONG", "is %d KB in size (maximum is %d KB)", (f.size+1023)>>10, linnet.MaxEmojiBytes>>10)
	}
	r, err := s.process(ctx, "image", f, media.Emoji)
	if err != nil {
		return "", "", err
	}
	if name, err = s.put(ctx, r.Stored); err != nil || r.Small.Data == nil {
		return name, "", err
	}
	if still, err = s.put(ctx, r.Small); err != nil {
		s.remove(ctx, name)
		return "", "", err
	}
	return name, still, nil
}
