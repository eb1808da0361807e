package push

import (
	"cmp"
	"encoding/json"
	"unicode/utf8"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/webpush"
)

// payload is what a device is told, as Mastodon has it. The id is a text: it has more
// digits than a number in JavaScript holds.
type payload struct {
	AccessToken      string `json:"access_token"`
	PreferredLocale  string `json:"preferred_locale"`
	NotificationID   string `json:"notification_id"`
	NotificationType string `json:"notification_type"`
	Icon             string `json:"icon"`
	Title            string `json:"title"`
	Body             string `json:"body"`
}

// bodyRunes is how much of a text is shown, as in Mastodon.
const bodyRunes = 140

// encode writes what fits into a message: of the body, and of the title if that is not
// enough, as much as there is room for.
func (p payload) encode() []byte {
	for {
		b, _ := json.Marshal(p) // texts always encode
		over := len(b) - webpush.MaxPayload
		switch {
		case over <= 0:
			return b
		case p.Body != "":
			p.Body = cut(p.Body, len(p.Body)-max(over/6, 1)) // a byte is written as at most six
		case p.Title != "":
			p.Title = cut(p.Title, len(p.Title)-max(over/6, 1))
		default:
			p.Icon = ""
		}
	}
}

// cut is a text of at most n bytes, without a broken character at its end.
func cut(s string, n int) string {
	for n = max(n, 0); n > 0 && n < len(s) && !utf8.RuneStart(s[n]); n-- {
	}
	return s[:min(n, len(s))]
}

// payload says what is told of a notification.
func (s *Service) payload(n linnet.NotificationView, to *linnet.User, token string) []byte {
	return payload{AccessToken: token, PreferredLocale: cmp.Or(to.Posting.Language, "en"), NotificationID: n.ID.String(), NotificationType: string(n.Type),
		Icon: core.AvatarURL(s.core.PublicURL(), &n.By.User), Title: Title(n), Body: body(n)}.encode()
}

// Title says who did what.
func Title(n linnet.NotificationView) string {
	name := cmp.Or(n.By.Name, n.By.Login)
	switch n.Type {
	case linnet.NotifyMention:
		return name + " mentioned you"
	case linnet.NotifyStatus:
		return name + " just posted"
	case linnet.NotifyRepost:
		return name + " boosted your post"
	case linnet.NotifyFavourite:
		return name + " favourited your post"
	case linnet.NotifyFollow:
		return name + " followed you"
	case linnet.NotifyRequest:
		return name + " asks to follow you"
	case linnet.NotifyPoll:
		if n.Status != nil && n.Status.PollView != nil && n.Status.Author == n.By.ID && !n.Status.PollView.Voted {
			return "A poll by " + name + " has ended"
		}
		return "A poll has ended"
	case linnet.NotifyEdit:
		return name + " edited a post"
	case linnet.NotifyQuote:
		return name + " quoted your post"
	case linnet.NotifyQuoted:
		return name + " edited a post that you quoted"
	case linnet.NotifySignUp:
		return name + " signed up"
	case linnet.NotifyReport:
		return name + " reported an account"
	case linnet.NotifySecurity:
		return n.Event.Sentence()
	}
	return "A notification from " + name
}

// body is what is said of the status, or by whoever follows.
func body(n linnet.NotificationView) string {
	text := ""
	switch {
	case n.Type == linnet.NotifySecurity || n.Type.Staff():
	case n.Status != nil:
		text = cmp.Or(n.Status.Warning, n.Status.Text)
	default:
		text = n.By.Note
	}
	if utf8.RuneCountInString(text) <= bodyRunes {
		return text
	}
	return string([]rune(text)[:bodyRunes-1]) + "…"
}
