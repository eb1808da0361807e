package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

func promotionKeys() []KeyDoc {
	return []KeyDoc{
		{KindTopFeed, "feed", "user", "the promotions of those whom the user follows", "1,000 to 1,100", "suggestion: importance", noSecret()},
		{KindPromotions, "set", "user", "promotions of what the user has written or voted for, by time", "none", "suggestion: importance", noSecret()},
		{KindPromoted, "set", "status", "the promotion of a status, by level", "one; of older releases one a level", "suggestion: importance", noSecret()},
	}
}

// TopKey is the feed of promotions of a user.
func TopKey(user linnet.ID) kv.Key { return IDKey(KindTopFeed, user) }

// TopKeys are the feeds of promotions of users (see HomeKeys).
func TopKeys(users []linnet.ID, texts []string) []kv.Key { return IDKeys(KindTopFeed, users, texts) }

// PromotionSource holds the promotions of what a user has written or voted for.
func PromotionSource(user linnet.ID) kv.Key { return IDKey(KindPromotions, user) }

func PromotedKey(status linnet.ID) kv.Key { return IDKey(KindPromoted, status) }
