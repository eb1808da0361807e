package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

func promotionKeys() []KeyDoc {
	return []KeyDoc{
		{KindTopFeed, "feed", "user", "promotions for the user's followees", "1,000 to 1,100", "suggestion: importance", noSecret()},
		{KindPromotions, "set", "user", "promotions of statuses by the user or with the user's vote, by time", "none", "suggestion: importance", noSecret()},
		{KindPromoted, "set", "status", "promotion of a status, by level", "one; of older releases one a level", "suggestion: importance", noSecret()},
	}
}

// TopKey is the feed of promotions of a user.
func TopKey(user linnet.ID) kv.Key { return IDKey(KindTopFeed, user) }

// TopKeys are the feeds of promotions of users (see HomeKeys).
func TopKeys(users []linnet.ID, texts []string) []kv.Key { return IDKeys(KindTopFeed, users, texts) }

// PromotionSource holds the promotions of posts that a user has written or voted for.
func PromotionSource(user linnet.ID) kv.Key { return IDKey(KindPromotions, user) }

func PromotedKey(status linnet.ID) kv.Key { return IDKey(KindPromoted, status) }
