package record

import (
	"fmt"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// noticeKeys are the kinds of key of notifications.
func noticeKeys() []KeyDoc {
	return []KeyDoc{
		{KindNotices, "set", "user", "notifications: id.type.from.status, by time", "about 2,000", "", noSecret()},
		{KindHeld, "set", "user", "filtered notifications, as in notices", "about 2,000", "", noSecret()},
		{KindPolicy, "value", "user", "notification policy, JSON", "1 KiB", "", noSecret()},
		{KindAccepted, "set", "user", "users with accepted notifications, by time", "requests accepted", "", noSecret()},
		{KindMerging, "set", "user", "accepted users whose filtered notifications are being merged", "merges in progress", "", noSecret()},
		{KindMarkers, "value", "user", "read markers of home and notifications, JSON", "1 KiB", "", noSecret()},
	}
}

// NoticeMember encodes a notification, which is only a member of its recipient's set:
// "id.letter.from.subject". The letter is the type.
func NoticeMember(n linnet.Notification) string {
	letter := n.Type.Kind().Letter
	if letter == "" {
		panic("notification of unknown type " + string(n.Type))
	}
	return fmt.Sprintf("%d.%s.%d.%d", n.ID, letter, n.From, max(n.Status, n.Report, n.Strike, n.Collection, linnet.ID(n.Event.Number())))
}

// ParseNotice decodes a member. ok is false if it is not a notification.
func ParseNotice(m string) (n linnet.Notification, ok bool) {
	if strings.Count(m, ".") != 3 {
		return n, false
	}
	id, rest, _ := strings.Cut(m, ".")
	letter, rest, _ := strings.Cut(rest, ".")
	from, subject, _ := strings.Cut(rest, ".")
	kind, known := linnet.NotificationKindOf(letter)
	n.Type = kind.Type
	n.ID, ok = linnet.ParseID(id)
	n.From, _ = linnet.ParseID(from)
	about, _ := linnet.ParseID(subject)
	switch kind.Subject {
	case linnet.AboutStatus:
		n.Status = about
	case linnet.AboutReport:
		n.Report = about
	case linnet.AboutCollection:
		n.Collection = about
	case linnet.AboutStrike:
		n.Strike = about
	case linnet.AboutAccess:
		if n.Event = linnet.SecurityEventOf(uint64(about)); n.Event == "" { // ids are larger than numbers of events
			n.Strike = about
		}
	}
	return n, ok && known
}

// NoticeKey is the set that contains a user's notification.
func NoticeKey(user linnet.ID, n linnet.Notification) kv.Key {
	if n.Held {
		return HeldKey(user)
	}
	return NoticesKey(user)
}

func MarkersKey(user linnet.ID) kv.Key { return IDKey(KindMarkers, user) }

// Markers is a user's positions, by timeline.
type Markers map[linnet.MarkerTimeline]Marker

type Marker struct {
	LastRead JID    `json:"last_read"`
	Version  uint64 `json:"version"`
	At       int64  `json:"at"` // Unix milliseconds
}
