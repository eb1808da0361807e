package feeds

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Pulled is the period in which an author's statuses are not pushed to home feeds: from Since until
// Until (Unix milliseconds; 0 for no end). Readers merge them from the author's profile.
type Pulled struct{ Since, Until int64 }

// Covers reports whether a status is pulled.
func (p Pulled) Covers(id linnet.ID) bool {
	ms := id.Millis()
	return p.Since != 0 && ms >= p.Since && (p.Until == 0 || ms < p.Until)
}

// mostPulled is the maximum number of pulled authors. Every server knows them and checks them for
// every page.
const mostPulled = kv.MaxRange

// AllPulled reads the periods in which authors are or were pulled, for at most a thousand authors.
func (s *Store) AllPulled(ctx context.Context) (map[linnet.ID]Pulled, error) {
	since := &kv.Range{Key: record.PulledKey(), Limit: mostPulled}
	until := &kv.Range{Key: record.PushedKey(), Limit: mostPulled}
	if err := s.db.Read(ctx, since, until); err != nil {
		return nil, fmt.Errorf("read pulled authors: %w", err)
	}
	all := make(map[linnet.ID]Pulled, len(since.Members))
	for _, m := range since.Members {
		id, _ := record.SplitEntry(m.Member)
		all[id] = Pulled{Since: m.Score}
	}
	for _, m := range until.Members {
		id, _ := record.SplitEntry(m.Member)
		if p, ok := all[id]; ok {
			p.Until = m.Score
			all[id] = p
		}
	}
	return all, nil
}

// PullAuthor marks an author as pulled from a time on. It does nothing if the author already is or
// was: an author who exceeds the threshold again stays pulled from the first time.
func (s *Store) PullAuthor(ctx context.Context, author linnet.ID, since int64) error {
	_, err := s.db.Txn(ctx, []kv.Cond{kv.NoMember{Key: record.PulledKey(), Member: author.String()}},
		kv.Add{Key: record.PulledKey(), Member: author.String(), Score: since})
	if err != nil {
		return fmt.Errorf("mark an author as pulled: %w", err)
	}
	return s.db.Apply(ctx, kv.Remove{Key: record.PushedKey(), Member: author.String()})
}

// PushAuthor ends the pulling of an author's statuses at a time.
func (s *Store) PushAuthor(ctx context.Context, author linnet.ID, until int64) error {
	return s.db.Apply(ctx, kv.Add{Key: record.PushedKey(), Member: author.String(), Score: until})
}
