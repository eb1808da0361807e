package moderation

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"linnet/internal/audit"
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/identity"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/notify"
	"linnet/internal/posting"
	"linnet/internal/record"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
)

// TaskSubjects returns the subjects of a task, so that a check can distinguish pending work from
// errors. Tasks of unknown kinds have none.
func TaskSubjects(kind string, args []byte) []record.Subject {
	var a struct {
		User       linnet.ID `json:"user"`
		Status     linnet.ID `json:"status"`
		List       linnet.ID `json:"list"`
		Collection linnet.ID `json:"collection"`
		By         linnet.ID `json:"by"`
		RepostOf   linnet.ID `json:"repost_of"`
		Promoted   linnet.ID `json:"promotion"`
		Tags       []string  `json:"tags"`
		Hash       string    `json:"hash"`
		Email      string    `json:"email"`
		Hashes     []string  `json:"hashes"`
		social.RelationArgs
	}
	if json.Unmarshal(args, &a) != nil {
		return nil
	}
	switch kind {
	case identity.TaskFinishSignUp, taskModerated, social.TaskIndex, notify.TaskMerge, social.TaskFound:
		return []record.Subject{record.UserSubject(a.User)}
	case social.TaskForgetUser:
		return []record.Subject{record.UserSubject(a.User), record.EmailSubject(a.Email)}
	case identity.TaskEmail:
		return []record.Subject{record.EmailSubject(a.Hash)}
	case identity.TaskPasskeys:
		subjects := make([]record.Subject, len(a.Hashes))
		for i, hash := range a.Hashes {
			subjects[i] = record.PasskeySubject(hash)
		}
		return subjects
	case posting.TaskPublish:
		return []record.Subject{record.StatusSubject(a.Status)}
	case posting.TaskErase, posting.TaskEdit:
		subjects := []record.Subject{record.StatusSubject(a.Status), record.Reposts().Subject(a.By, a.RepostOf)}
		for _, t := range a.Tags {
			subjects = append(subjects, record.TagSubject(t))
		}
		return subjects
	case discovery.TaskPromotion:
		return []record.Subject{record.StatusSubject(a.Promoted), record.StatusSubject(a.Status)}
	case social.TaskForgetList:
		return []record.Subject{record.ListSubject(a.List)}
	case social.TaskCollection:
		return []record.Subject{record.CollectionSubject(a.Collection)}
	case social.TaskRelation:
		if k, ok := record.RelationKindNamed(a.Kind); ok {
			return []record.Subject{k.Subject(a.Owner, a.Other)}
		}
	}
	return nil
}

// FeedAudit compares feeds with the profiles they are built from. It is safe for concurrent use.
type FeedAudit struct {
	st       *store.Store
	timeline *timeline.Service
}

// Feeds compares feeds with the profiles they are built from. A feed must contain, above its
// floor, the same ids as a rebuild, each once and newest first. It returns the number of existing
// feeds. It doesn't read a consistent snapshot. Call Reload before the first call.
func (s *FeedAudit) Feeds(ctx context.Context, keys []kv.Key) (warm int, out []audit.Finding, err error) {
	b := s.st.Batch()
	pages := make([]*db.FeedPage, len(keys))
	for i, key := range keys {
		pages[i] = b.Feed(key, db.Span{Limit: kv.MaxRange})
	}
	if err := b.Run(ctx); err != nil {
		return 0, nil, core.StoreError(err)
	}
	for i, page := range pages {
		if page.Cold || page.Filling {
			continue
		}
		warm++
		found, err := s.one(ctx, keys[i], page)
		if err != nil {
			return warm, out, core.StoreError(err)
		}
		out = append(out, found...)
	}
	return warm, out, nil
}

func (s *FeedAudit) one(ctx context.Context, key kv.Key, page *db.FeedPage) (out []audit.Finding, err error) {
	f, kind, owner := s.timeline.FeedOf(key)
	ids, err := s.st.Feeds.Whole(ctx, key, page)
	if err != nil {
		return nil, err
	}
	should, err := s.feedAbove(ctx, f, page.Floor)
	if err != nil {
		return nil, err
	}
	found := func(waits []record.Subject, format string, args ...any) {
		out = append(out, audit.Finding{Rule: audit.RuleFeed, Key: key, At: key, Text: fmt.Sprintf(format, args...), Waits: waits})
	}
	in := make(map[linnet.ID]bool, len(ids))
	var surplus []linnet.ID
	for i, id := range ids {
		if i > 0 && id >= ids[i-1] || id <= page.Floor {
			found(nil, "status %v is out of order or below the floor %v", id, page.Floor)
		}
		if _, ok := should[id]; !ok && !in[id] {
			surplus = append(surplus, id)
		}
		in[id] = true
	}
	for id, author := range should {
		if !in[id] && !(f.Reader != 0 && s.timeline.IsPulled(author, id)) {
			found([]record.Subject{record.StatusSubject(id), kind.Subject(owner, author), record.ListSubject(owner)},
				"status %v by %v is missing", id, author)
		}
	}
	return out, s.explain(ctx, surplus, func(id, author linnet.ID) {
		found([]record.Subject{record.StatusSubject(id), kind.Subject(owner, author), record.ListSubject(owner)},
			"status %v does not belong in the feed", id)
	})
}

// auditAuthors is the number of authors that are read together, so that each read is short.
const auditAuthors = 100

// feedAbove reads the expected content of a feed above a floor from the profiles, with the authors.
// It stops at twice the capacity of a feed.
func (s *FeedAudit) feedAbove(ctx context.Context, f timeline.Feed, floor linnet.ID) (map[linnet.ID]linnet.ID, error) {
	authors, err := f.Authors(ctx)
	if err != nil {
		return nil, err
	}
	should := map[linnet.ID]linnet.ID{}
	from := make(map[linnet.ID]linnet.ID, len(authors))
	for _, a := range authors {
		from[a] = floor
	}
	for len(from) > 0 && len(should) < 2*kv.FeedMax {
		refs := make(map[linnet.ID]db.PostsRef, len(from))
		for part := range slices.Chunk(slices.Collect(maps.Keys(from)), auditAuthors) {
			b := s.st.Batch()
			for _, a := range part {
				refs[a] = b.InSource(f.Source(), a, db.Span{Above: from[a], Asc: true, Limit: kv.MaxRange})
			}
			if err := b.Run(ctx); err != nil {
				return nil, err
			}
		}
		for a, ref := range refs {
			posts := ref.Posts()
			delete(from, a)
			for _, p := range posts {
				if by, in := should[p.ID]; f.Includes(p) && (!in || s.timeline.IsPulled(by, p.ID)) {
					should[p.ID] = a
				}
				if len(posts) == kv.MaxRange {
					from[a] = p.ID
				}
			}
		}
	}
	return should, nil
}

// explain returns the authors of statuses, 0 for missing ones.
func (s *FeedAudit) explain(ctx context.Context, ids []linnet.ID, f func(id, author linnet.ID)) error {
	b := s.st.Batch()
	refs := make([]*db.StatusRef, len(ids))
	for i, id := range ids {
		refs[i] = b.Status(id)
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	for i, ref := range refs {
		var author linnet.ID
		if ref.Status != nil {
			author = ref.Status.Author
		}
		f(ids[i], author)
	}
	return nil
}
