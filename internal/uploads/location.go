package uploads

import (
	"context"
	"crypto/rand"
	"errors"

	"linnet/internal/blob"
)

// LocationState is the result of comparing the media storage with the one that the store expects.
// Servers of one store with different directories don't see each other's files. A server whose disk
// isn't mounted sees none.
type LocationState string

// States of the file storage.
const (
	LocationNew      LocationState = "new"      // the store has no recorded location yet
	LocationOwn      LocationState = "own"      // it is the recorded location
	LocationOther    LocationState = "other"    // it has the marker of another location
	LocationUnmarked LocationState = "unmarked" // it has no marker, but the store has a recorded location
)

// LocationState compares the marker file of the media storage with the one recorded in the store.
func (s *Service) LocationState(ctx context.Context) (LocationState, error) {
	if s.opt.Files == nil {
		return LocationOwn, nil
	}
	known, err := s.st.Instance.MediaLocation(ctx)
	if err != nil || known == "" {
		return LocationNew, err
	}
	mark, err := s.opt.Files.Mark(ctx)
	switch {
	case errors.Is(err, blob.ErrAbsent):
		return LocationUnmarked, nil
	case err != nil:
		return "", err
	case mark != known:
		return LocationOther, nil
	}
	return LocationOwn, nil
}

// CheckLocation is like LocationState, but records this location if the store has none. Only one
// server can write the marker. So two servers that start simultaneously agree if they see the same
// files.
func (s *Service) CheckLocation(ctx context.Context) (LocationState, error) {
	is, err := s.LocationState(ctx)
	if err != nil || is != LocationNew {
		return is, err
	}
	if err := s.acceptLocation(ctx, false); err != nil {
		return "", err
	}
	return s.LocationState(ctx)
}

// AcceptLocation makes this location the store's media location, whatever it was before.
func (s *Service) AcceptLocation(ctx context.Context) error { return s.acceptLocation(ctx, true) }

func (s *Service) acceptLocation(ctx context.Context, another bool) error {
	mark, err := s.opt.Files.Mark(ctx)
	if errors.Is(err, blob.ErrAbsent) {
		if err = s.opt.Files.SetMark(ctx, rand.Text()); err == nil {
			mark, err = s.opt.Files.Mark(ctx)
		}
	}
	if err != nil {
		return err
	}
	return s.st.Instance.SetMediaLocation(ctx, mark, another)
}
