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

// A notification is only a member of its recipient's set: "id.letter.from.status". The letter is
// the type.
var noticeLetters = [...]struct {
	t linnet.NotificationType
	c string
}{
	{linnet.NotifyMention, "m"}, {linnet.NotifyStatus, "s"}, {linnet.NotifyRepost, "r"},
	{linnet.NotifyFollow, "o"}, {linnet.NotifyFavourite, "f"}, {linnet.NotifyRequest, "q"},
	{linnet.NotifyReport, "R"}, {linnet.NotifySignUp, "U"}, {linnet.NotifySecurity, "S"}, {linnet.NotifyHandled, "H"}, {linnet.NotifyAppeal, "A"},
	{linnet.NotifyPoll, "p"}, {linnet.NotifyEdit, "e"}, {linnet.NotifyQuote, "Q"}, {linnet.NotifyQuoted, "E"},
	{linnet.NotifyCollected, "c"}, {linnet.NotifyCollectionEdited, "C"},
}

func NoticeMember(n linnet.Notification) string {
	for _, l := range noticeLetters {
		if l.t == n.Type {
			return fmt.Sprintf("%d.%s.%d.%d", n.ID, l.c, n.From, max(n.Status, n.Report, n.Strike, n.Collection, linnet.ID(n.Event.Number())))
		}
	}
	panic("notification of unknown type " + string(n.Type)) // a type is missing from the table
}

func ParseNotice(m string) (n linnet.Notification, ok bool) {
	if strings.Count(m, ".") != 3 {
		return n, false
	}
	id, rest, _ := strings.Cut(m, ".")
	letter, rest, _ := strings.Cut(rest, ".")
	from, status, _ := strings.Cut(rest, ".")
	n.ID, ok = linnet.ParseID(id)
	n.From, _ = linnet.ParseID(from)
	n.Status, _ = linnet.ParseID(status)
	for _, l := range noticeLetters {
		if l.c == letter {
			switch n.Type = l.t; n.Type {
			case linnet.NotifyReport, linnet.NotifyHandled:
				n.Report, n.Status = n.Status, 0
			case linnet.NotifyCollected, linnet.NotifyCollectionEdited:
				n.Collection, n.Status = n.Status, 0
			case linnet.NotifyAppeal:
				n.Strike, n.Status = n.Status, 0
			case linnet.NotifySecurity:
				if n.Event = linnet.SecurityEventOf(uint64(n.Status)); n.Event == "" { // ids are larger than numbers of events
					n.Strike = n.Status
				}
				n.Status = 0
			}
			return n, ok
		}
	}
	return n, false
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
