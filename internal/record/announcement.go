package record

import (
	"strconv"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// The kinds of key of announcements, which are all in shard 0.
const (
	KindAnnouncement   = "announcement"
	KindAnnouncements  = "announcements"
	KindReactions      = "reactions"
	KindReactionNames  = "reactionnames"
	KindReactionCounts = "reactioncounts"
	KindReacted        = "reacted"
	KindAnnounced      = "announced"
)

func announcementKeys() []KeyDoc {
	return []KeyDoc{
		{KindAnnouncement, "value", "announcement", "an announcement, JSON (shard 0)", "200 KiB", "", noSecret()},
		{KindAnnouncements, "set", "", "all announcements, by time of creation (shard 0)", "50", "", noSecret()},
		{KindReactions, "set", "announcement", "users who reacted; the score has a bit for each reaction, and is 0 if the account was deleted", "none", "", noSecret()},
		{KindReactionNames, "value", "announcement", "the reaction emoji, by index, JSON", "8", "", noSecret()},
		{KindReactionCounts, "counters", "announcement", "number of reactions, by index", "8", "", noSecret()},
		{KindReacted, "set", "user", "announcements with the user's reactions, including incomplete ones, by time", "about 100", "", noSecret()},
		{KindAnnounced, "set", "user", "announcements that the user has dismissed, by time", "about 100", "", noSecret()},
	}
}

// AnnouncementKey is the key of an announcement.
func AnnouncementKey(id linnet.ID) kv.Key { return IDKey(KindAnnouncement, id) }

// AnnouncementsKey is the set of all announcements.
func AnnouncementsKey() kv.Key { return ShardKey(KindAnnouncements, 0) }

// AnnouncementsMarkKey is a value that changes with the announcements and contains nothing else,
// because servers read it often.
func AnnouncementsMarkKey() kv.Key { return MetaKey("announcements.version") }

// ReactionsKey is the set of users that have reacted to an announcement.
func ReactionsKey(id linnet.ID) kv.Key { return IDKey(KindReactions, id) }

// ReactionNamesKey holds the names of the reactions to an announcement.
func ReactionNamesKey(id linnet.ID) kv.Key { return IDKey(KindReactionNames, id) }

// ReactionCountsKey holds the counters of reactions, see ReactionCounters.
func ReactionCountsKey(id linnet.ID) kv.Key { return IDKey(KindReactionCounts, id) }

// ReactedKey is the set of announcements that a user has reacted to.
func ReactedKey(user linnet.ID) kv.Key { return IDKey(KindReacted, user) }

// AnnouncedKey is the set of announcements that a user has dismissed.
func AnnouncedKey(user linnet.ID) kv.Key { return IDKey(KindAnnounced, user) }

// reactionCounters are the counters of reactions.
var reactionCounters = func() (names [linnet.MaxReactions]string) {
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	return names
}()

// ReactionCounters returns the names of the counters of reactions. Callers must not modify it.
func ReactionCounters() []string { return reactionCounters[:] }

// ReactionNames are the names of reactions by their index.
type ReactionNames struct {
	Names []string `json:"names"`
}

type announcementRecord struct {
	Text      string          `json:"text"`
	Mentions  []mentionRecord `json:"mentions,omitempty"`
	Starts    time.Time       `json:"starts,omitzero"`
	Ends      time.Time       `json:"ends,omitzero"`
	AllDay    bool            `json:"all_day,omitempty"`
	Published time.Time       `json:"published,omitzero"`
	Updated   time.Time       `json:"updated,omitzero"`
}

// EncodeAnnouncement encodes an announcement.
func EncodeAnnouncement(a *linnet.Announcement) []byte {
	return Encode(announcementRecord{Text: a.Text, Mentions: mentionRecords(a.Mentions), Starts: a.Starts, Ends: a.Ends, AllDay: a.AllDay, Published: a.Published, Updated: a.Updated})
}

// DecodeAnnouncement decodes an announcement.
func DecodeAnnouncement(id linnet.ID, get *kv.Get) (linnet.Announcement, error) {
	var r announcementRecord
	if err := Decode(get, &r); err != nil {
		return linnet.Announcement{}, err
	}
	return linnet.Announcement{ID: id, Text: r.Text, Mentions: mentionsIn(r.Mentions), Starts: r.Starts, Ends: r.Ends, AllDay: r.AllDay,
		Published: r.Published, Updated: r.Updated, Version: get.Version}, nil
}
