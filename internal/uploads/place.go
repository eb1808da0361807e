package uploads

import (
	"context"
	"crypto/rand"
	"errors"

	"linnet/internal/blob"
)

// Place reports whether files are stored where the store expects them. Servers of one store with
// different directories don't see each other's files. A server whose disk isn't mounted sees none.
type Place string

// States of the file storage.
const (
	PlaceNew      Place = "new"      // the store knows none yet
	PlaceOwn      Place = "own"      // it is the one
	PlaceOther    Place = "other"    // it bears the mark of another
	PlaceUnmarked Place = "unmarked" // it bears none, though the store knows one
)

// Place compares the mark of the place with what the store says of it.
func (s *Service) Place(ctx context.Context) (Place, error) {
	if s.opt.Files == nil {
		return PlaceOwn, nil
	}
	known, err := s.st.Instance.Place(ctx)
	if err != nil || known == "" {
		return PlaceNew, err
	}
	mark, err := s.opt.Files.Mark(ctx)
	switch {
	case errors.Is(err, blob.ErrAbsent):
		return PlaceUnmarked, nil
	case err != nil:
		return "", err
	case mark != known:
		return PlaceOther, nil
	}
	return PlaceOwn, nil
}

// KnowPlace is like Place, and makes this location the one of a store that has none. Only one
// server can mark the location, so that two servers that start simultaneously agree if they see the
// same files.
func (s *Service) KnowPlace(ctx context.Context) (Place, error) {
	is, err := s.Place(ctx)
	if err != nil || is != PlaceNew {
		return is, err
	}
	if err := s.takePlace(ctx, false); err != nil {
		return "", err
	}
	return s.Place(ctx)
}

// TakePlace makes this location the store's media location, whatever it was before.
func (s *Service) TakePlace(ctx context.Context) error { return s.takePlace(ctx, true) }

func (s *Service) takePlace(ctx context.Context, another bool) error {
	mark, err := s.opt.Files.Mark(ctx)
	if errors.Is(err, blob.ErrAbsent) {
		if err = s.opt.Files.SetMark(ctx, rand.Text()); err == nil {
			mark, err = s.opt.Files.Mark(ctx)
		}
	}
	if err != nil {
		return err
	}
	return s.st.Instance.SetPlace(ctx, mark, another)
}
