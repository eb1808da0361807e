package notify

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/webpush"
)

// payload is the JSON that a device decrypts, as Mastodon sends it. Apps decode
// notification_id as an integer.
type payload struct {
	AccessToken      string `json:"access_token"`
	PreferredLocale  string `json:"preferred_locale"`
	NotificationID   uint64 `json:"notification_id"`
	NotificationType string `json:"notification_type"`
	Icon             string `json:"icon"`
	Title            string `json:"title"`
	Body             string `json:"body"`
	Account          string `json:"account"` // the user's login, for browsers with several accounts; not sent by Mastodon
}

// bodyRunes is the maximum number of shown characters of a text, as in Mastodon.
const bodyRunes = 140

// encode returns the JSON. It shortens the body, and then the title, to the size of a message.
func (p payload) encode() []byte {
	for {
		b, _ := json.Marshal(p) // texts always encode
		over := len(b) - webpush.MaxPayload
		switch {
		case over <= 0:
			return b
		case p.Body != "":
			p.Body = cut(p.Body, len(p.Body)-max(over/6, 1)) // JSON encodes a byte in at most six
		case p.Title != "":
			p.Title = cut(p.Title, len(p.Title)-max(over/6, 1))
		default:
			p.Icon = ""
		}
	}
}

// cut returns at most n bytes of a text, without a broken character at the end.
func cut(s string, n int) string {
	for n = max(n, 0); n > 0 && n < len(s) && !utf8.RuneStart(s[n]); n-- {
	}
	return s[:min(n, len(s))]
}

// payload returns the content of a push.
func (s *Pusher) payload(n linnet.NotificationView, to *linnet.User, token string) []byte {
	return payload{AccessToken: token, PreferredLocale: cmp.Or(to.Appearance.Language, to.Posting.Language, "en"), NotificationID: n.Number(), NotificationType: string(n.Type),
		Icon: core.AvatarURL(s.core.PublicURL(), &n.By.User), Title: Title(core.LanguageOf(to), &n, to.ID), Body: body(core.LanguageOf(to), n), Account: to.Login}.encode()
}

// Title returns the title of a notification for its recipient.
func Title(in *locale.Language, n *linnet.NotificationView, to linnet.ID) string {
	return Sentence(in, n, to, 1, cmp.Or(n.By.Name, n.By.Login))
}

// Sentence describes notifications for their recipient. count and who are the number and the names
// of the senders.
func Sentence(in *locale.Language, n *linnet.NotificationView, to linnet.ID, count int64, who string) string {
	if did := n.Type.Kind().Did; did != "" {
		return in.Count(count, did, did, who)
	}
	return in.Text(n.Sentence(to))
}

// body returns the text of the status, or the text about a follower. It doesn't show text behind a
// filter or warning.
func body(in *locale.Language, n linnet.NotificationView) string {
	text, kind := "", n.Type.Kind()
	switch {
	case kind.Own || kind.For != 0:
	case n.Status != nil && len(n.Status.FoundBy(linnet.FilterWarn)) > 0:
		text = in.Text("Filtered: %s", strings.Join(n.Status.FoundBy(linnet.FilterWarn), in.InContext("between parts of a list", ", ")))
	case n.Collection != nil:
		text = n.Collection.Name
	case n.Status != nil:
		text = cmp.Or(n.Status.Warning, withoutCommands(n.Status))
	default:
		text = n.By.Note
	}
	if utf8.RuneCountInString(text) <= bodyRunes {
		return text
	}
	return string([]rune(text)[:bodyRunes-1]) + "…"
}

// withoutCommands returns the text of a status without the commands to a group that answer a
// request to join. The page of the notification has buttons for them.
func withoutCommands(st *linnet.StatusView) string {
	if st.By.Group == linnet.NoGroup || st.Visibility != linnet.Direct {
		return st.Text
	}
	text, _, _ := strings.Cut(st.Text, "/accept @")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), " Answer"))
}
