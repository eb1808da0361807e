package posting

import (
	"context"
	"errors"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/text"
)

// FeedItem is an item of an external feed that becomes a post.
type FeedItem struct {
	Key      string // identifies the item
	Text     string
	Language string
	Media    []linnet.Attachment // unattached uploads of the feed's account
	Source   linnet.AppName      // the site of the feed
	At       time.Time
	Old      bool // it is only on the profile, not in home timelines
}

// PostFeedItem posts an item as the account of its feed. The id of the post has the item's date. The
// item mentions no user, whatever its text contains. PostFeedItem returns false if the item was
// posted before. It returns Invalid for an item that can't be a post.
func (s *Service) PostFeedItem(ctx context.Context, feed *linnet.User, i FeedItem) (bool, error) {
	doc := text.Parse(i.Text)
	d := linnet.Draft{Text: i.Text}
	for _, a := range i.Media {
		d.Media = append(d.Media, a.ID)
	}
	if err := checkSays(doc, len(d.Media) > 0); err != nil {
		return false, err
	}
	if err := checkLimits(d, doc, s.core.StatusChars()); err != nil {
		return false, err
	}
	if err := s.core.TagRules.Check(ctx, doc.Tags()); err != nil {
		return false, err
	}
	st := &linnet.Status{Author: feed.ID, Text: doc.Text(), Language: core.Language(i.Language), Sensitive: feed.Sensitized, Media: i.Media, App: i.Source,
		QuotePolicy: feed.Posting.QuotePolicy, Tags: doc.Tags(), FromFeed: true, Imported: i.Old, Nonce: "feed." + record.Hash(i.Key), Version: 1}
	t, err := s.create(ctx, st, prepared{author: feed, idem: record.Hash(i.Key), dated: i.At})
	switch {
	case errors.Is(err, statuses.ErrRepeated):
		return false, nil
	case errors.Is(err, db.ErrDeleted):
		return false, core.ErrNoUser
	case err != nil:
		return false, core.StoreError(err)
	}
	s.tasks.Run(ctx, t)
	return true, nil
}
