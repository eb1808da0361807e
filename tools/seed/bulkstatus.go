package seed

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/statuses"
	"linnet/internal/timeline"
)

// statuses writes statuses without parents, mentions and boosts, and adds them to the public
// timelines. draw returns the id of the i-th status, and further candidates if it is taken, always
// the same ones. An existing status is recognized by its Nonce. It sets ID and Conversation. It
// doesn't deliver to feeds: existing home feeds must be dropped.
func (b *bulk) statuses(ctx context.Context, sts []*linnet.Status, draw func(i, attempt int) linnet.ID) error {
	for range bulkRaces {
		pieces, err := b.unwritten(ctx, sts, draw)
		if err != nil {
			return err
		}
		if len(pieces) == 0 {
			return b.publish(ctx, sts)
		}
		if err := b.write(ctx, pieces); err != nil {
			return err
		}
	}
	return fmt.Errorf("write statuses: %w", kv.ErrUnavailable)
}

// unwritten sets the ids of statuses and returns the pieces that write the missing ones.
func (b *bulk) unwritten(ctx context.Context, sts []*linnet.Status, draw func(i, attempt int) linnet.ID) ([]piece, error) {
	left := make([]int, len(sts))
	for i := range sts {
		left[i] = i
	}
	var pieces []piece
	taken := map[linnet.ID]bool{}
	for attempt := 0; len(left) > 0; attempt++ {
		if attempt == mostDraws {
			return nil, fmt.Errorf("find free IDs: none found after %d attempts", attempt)
		}
		qs := make([]kv.Query, len(left))
		for j, i := range left {
			qs[j] = &kv.Get{Key: record.StatusKey(draw(i, attempt))}
		}
		if err := b.read(ctx, qs); err != nil {
			return nil, fmt.Errorf("read existing statuses: %w", err)
		}
		var again []int
		for j, i := range left {
			st, get := sts[i], qs[j].(*kv.Get)
			id := draw(i, attempt)
			found, err := nonceOf(id, get)
			switch {
			case err != nil:
				return nil, err
			case taken[id] || get.Version != 0 && found != st.Nonce:
				again = append(again, i)
				continue
			}
			taken[id] = true
			st.ID, st.Conversation = id, id
			if get.Version == 0 {
				_, tags := timeline.PublicTimelines(st)
				conds, ops := statuses.CreateChanges(statuses.NewStatus{Status: st, Tags: tags}, st, record.EncodeStatus(st))
				pieces = append(pieces, piece{guard: conds[0], needs: conds[1:], ops: ops})
			}
		}
		left = again
	}
	return pieces, nil
}

func nonceOf(id linnet.ID, get *kv.Get) (string, error) {
	if get.Version == 0 {
		return "", nil
	}
	st, err := record.DecodeStatus(id, get)
	if err != nil {
		return "", err
	}
	return st.Nonce, nil
}

func (b *bulk) publish(ctx context.Context, sts []*linnet.Status) error {
	var ops []kv.Op
	tagged := make([]*linnet.Status, 0, len(sts))
	for _, st := range sts {
		public := *st
		global, tags := timeline.PublicTimelines(st)
		if public.Tags = tags; global {
			ops = append(ops, kv.Add{Key: record.GlobalKey(record.GlobalSlice(st.Author)), Member: st.ID.String(), Score: st.ID.Millis()})
		}
		ops = append(ops, statuses.TagOps(&public, false)...)
		tagged = append(tagged, &public)
	}
	if err := b.apply(ctx, ops); err != nil {
		return fmt.Errorf("publish statuses: %w", err)
	}
	if err := b.apply(ctx, statuses.TagNamesOf(tagged...)); err != nil {
		return fmt.Errorf("index tags: %w", err)
	}
	return nil
}

// trimGlobal trims the global timeline to its maximum.
func (b *bulk) trimGlobal(ctx context.Context) error {
	var ops []kv.Op
	for _, key := range record.GlobalKeys() {
		ops = append(ops, kv.Trim{Key: key, Keep: statuses.GlobalTrimmed})
	}
	return b.apply(ctx, ops)
}
