package instance

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// ErrBlocksFull is returned if the record of all sign-up rules would be too large.
var ErrBlocksFull = errors.New("the record of sign-up blocks is full")

// SignUpBlocks reads all sign-up rules, including expired ones.
func (s *Store) SignUpBlocks(ctx context.Context) ([]linnet.SignUpBlock, error) {
	all, _, err := s.signUpBlocks(ctx)
	return all, err
}

func (s *Store) signUpBlocks(ctx context.Context) ([]linnet.SignUpBlock, uint64, error) {
	get := &kv.Get{Key: record.SignUpBlocksKey()}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, 0, fmt.Errorf("read sign-up blocks: %w", err)
	}
	all, err := record.DecodeSignUpBlocks(get)
	return all, get.Version, err
}

// ChangeSignUpBlocks replaces the sign-up rules by the result of change, which it calls again after
// a concurrent change.
func (s *Store) ChangeSignUpBlocks(ctx context.Context, change func([]linnet.SignUpBlock) ([]linnet.SignUpBlock, error)) error {
	for range db.MaxRaces {
		all, version, err := s.signUpBlocks(kv.Durable(ctx))
		if err != nil {
			return err
		}
		if all, err = change(all); err != nil {
			return err
		}
		data := record.EncodeSignUpBlocks(all)
		if len(data) > kv.MaxValue {
			return ErrBlocksFull
		}
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.SignUpBlocksKey(), Version: version}},
			kv.Put{Key: record.SignUpBlocksKey(), Data: data, Version: version + 1})
		if err != nil {
			return fmt.Errorf("write sign-up blocks: %w", err)
		}
		if made {
			return nil
		}
	}
	return db.TooManyRaces("sign-up blocks", 0)
}

// NewSignUpBlock generates the id of a rule.
func (s *Store) NewSignUpBlock() linnet.ID { return s.db.NewID(0, 0) }
