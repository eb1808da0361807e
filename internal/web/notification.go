package web

import (
	"fmt"
	"net/http"
	"strings"

	"linnet/internal/linnet"
)

func notificationRoutes() []route {
	return []route{
		{pattern: "/notifications", get: own((*call).notifications), post: own((*call).changeNotifications)},
		{pattern: "/notifications/clear", get: own((*call).clearForm), post: own((*call).clearNotifications)},
		{pattern: "/notifications/requests", get: own((*call).noticeRequests), post: own((*call).answerNoticeRequest)},
	}
}

// noticeKind is a tab of the notifications: only some types of them.
type noticeKind struct {
	Word, Text string
	Types      []linnet.NotificationType
}

func noticeKinds() []noticeKind {
	return []noticeKind{{"", "All", nil}, {"mentions", "Mentions", []linnet.NotificationType{linnet.NotifyMention}},
		{"favourites", "Favourites", []linnet.NotificationType{linnet.NotifyFavourite}},
		{"boosts", "Boosts", []linnet.NotificationType{linnet.NotifyRepost}},
		{"quotes", "Quotes", []linnet.NotificationType{linnet.NotifyQuote, linnet.NotifyQuoted}},
		{"follows", "Follows", []linnet.NotificationType{linnet.NotifyFollow, linnet.NotifyRequest}},
		{"polls", "Polls", []linnet.NotificationType{linnet.NotifyPoll}},
		{"posts", "Posts", []linnet.NotificationType{linnet.NotifyStatus, linnet.NotifyEdit}}}
}

// noticeRow is a group of notifications, for the part "notification-row".
type noticeRow struct {
	c *call
	linnet.NotificationGroup
	Unread bool
	Row    *postRow // of a mention or a new post, which stand in full
}

// Icon and Tint are the sign of what happened, and its colour.
func (r noticeRow) Icon() string {
	switch r.Newest.Type {
	case linnet.NotifyFavourite:
		return "star"
	case linnet.NotifyRepost:
		return "boost"
	case linnet.NotifyFollow, linnet.NotifyRequest, linnet.NotifySignUp:
		return "people"
	case linnet.NotifyReport:
		return "flag"
	case linnet.NotifyPoll:
		return "poll"
	case linnet.NotifyEdit, linnet.NotifyQuoted:
		return "pen"
	}
	return "bell"
}

func (r noticeRow) Tint() string {
	switch r.Newest.Type {
	case linnet.NotifyFavourite:
		return "gold"
	case linnet.NotifyRepost:
		return "leaf"
	}
	return "red"
}

// Did says what the people of the group did.
func (r noticeRow) Did() string {
	switch r.Newest.Type {
	case linnet.NotifyFavourite:
		return "marked your post with a star"
	case linnet.NotifyRepost:
		return "boosted your post"
	case linnet.NotifyEdit:
		return "edited a post that you boosted"
	case linnet.NotifyQuoted:
		return "edited a post that you quoted"
	case linnet.NotifyFollow:
		return "followed you"
	case linnet.NotifyRequest:
		return "asks to follow you"
	case linnet.NotifySignUp:
		return "signed up"
	case linnet.NotifySecurity:
		return r.Newest.Event.Sentence()
	case linnet.NotifyReport:
		return "reported an account"
	case linnet.NotifyPoll:
		return either(r.Newest.From == r.c.viewer(), "Your poll has ended", "A poll that you voted in has ended")
	}
	return "did something new"
}

// Group is the login of the group whose message it is, "" of others: a group tells
// of requests and invitations, which are answered on its page.
func (r noticeRow) Group() string {
	if r.Row == nil || r.Row.S.By.Group == linnet.NoGroup {
		return ""
	}
	return r.Row.S.By.Login
}

// Security reports whether the row tells of the access to the reader's account.
func (r noticeRow) Security() bool { return r.Newest.Type == linnet.NotifySecurity }

// Poll reports whether the row tells of a poll that has ended, which nobody did.
func (r noticeRow) Poll() bool { return r.Newest.Type == linnet.NotifyPoll }

// Others is how many more did the same as the person who is named.
func (r noticeRow) Others() int { return max(r.Count-1, 0) }

type noticesPage struct {
	Tabs   []pageTab
	Rows   []noticeRow
	Held   int // people whose notifications are held back
	Newest linnet.ID
	Unread int
	Pager  pager
}

func (c *call) notifications() error {
	ctx := c.r.Context()
	kind := c.r.URL.Query().Get("kind")
	var f linnet.GroupFilter
	p := noticesPage{}
	for _, k := range noticeKinds() {
		path := "/notifications"
		if k.Word != "" {
			path += "?kind=" + k.Word
		}
		p.Tabs = append(p.Tabs, pageTab{path, k.Text, k.Word == kind})
		if k.Word == kind {
			f.Types = k.Types
		}
	}
	q := c.asked(linnet.DefaultPage)
	groups, err := c.svc.Notify.GroupedNotifications(ctx, c.me.ID, f, q)
	if err != nil {
		return fmt.Errorf("read notifications: %w", err)
	}
	if atTop(q, len(groups.Items)) {
		return c.seeOther(c.withCursor("", ""))
	}
	read, err := c.svc.Reading.Markers(ctx, c.me.ID, []linnet.MarkerTimeline{linnet.MarkerNotifications})
	if err != nil {
		return fmt.Errorf("read how far was read: %w", err)
	}
	policy, err := c.svc.Notify.NotificationPolicy(ctx, c.me.ID)
	if err != nil {
		return fmt.Errorf("read the policy: %w", err)
	}
	p.Held, p.Pager = policy.Requests, c.pagerOf(q, groups.First, groups.Last)
	for _, g := range groups.Items {
		row := c.noticeRow(g)
		row.Unread = g.Newest.ID > read[linnet.MarkerNotifications].LastRead
		if row.Unread {
			p.Unread++
		}
		p.Newest = max(p.Newest, g.Newest.ID)
		p.Rows = append(p.Rows, row)
	}
	if kind == "" && q.Max == "" && q.Min == "" && c.isRead() {
		if err := c.svc.Reading.SeeNotifications(ctx, c.me.ID, p.Newest); err != nil && refusal(err) == nil {
			return fmt.Errorf("mark notifications as read: %w", err)
		}
		p.Unread = 0
	}
	return c.render(http.StatusOK, page{Title: "Notifications", Here: "/notifications", Body: notificationsView(c, p)})
}

// isRead reports whether somebody reads the page that is asked for: a browser that
// only fetches it in case it is wanted says so.
// https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
func (c *call) isRead() bool {
	h := c.r.Header
	return c.r.Method == http.MethodGet && !strings.HasPrefix(h.Get("Sec-Purpose"), "prefetch") && h.Get("Purpose") != "prefetch" && h.Get("X-Moz") != "prefetch"
}

func (c *call) noticeRow(g linnet.NotificationGroup) noticeRow {
	row := noticeRow{c: c, NotificationGroup: g}
	if st := g.Newest.Status; st != nil && (g.Newest.Type == linnet.NotifyMention || g.Newest.Type == linnet.NotifyStatus || g.Newest.Type == linnet.NotifyQuote) {
		r := c.row(*st)
		r.Anchor, r.Told = "n"+g.Newest.ID.String(), g.Newest.Type == linnet.NotifyQuote
		row.Row = &r
	}
	return row
}

// changeNotifications marks as read what the form has shown, or drops one group.
func (c *call) changeNotifications() error {
	ctx := c.r.Context()
	var err error
	switch c.r.PostForm.Get("act") {
	case "read":
		id, ok := linnet.ParseID(c.r.PostForm.Get("upto"))
		if !ok {
			return errNowhere()
		}
		_, err = c.svc.Reading.SaveMarkers(ctx, c.me.ID, map[linnet.MarkerTimeline]linnet.ID{linnet.MarkerNotifications: id})
	case "dismiss":
		err = c.svc.Notify.DismissGroup(ctx, c.me.ID, c.r.PostForm.Get("group"))
		if isKind(err, linnet.NotFound) { // gone already, as was wished
			err = nil
		}
	default:
		err = &httpError{code: http.StatusBadRequest, msg: "This form does not say what to do with the notifications.",
			back: "/notifications", text: "To the notifications"}
	}
	if err != nil {
		return fmt.Errorf("change notifications: %w", err)
	}
	return c.seeOther(c.cameFrom("/notifications"))
}

func (c *call) clearForm() error {
	return c.render(http.StatusOK, page{Title: "Clear the notifications", Here: "/notifications", Body: notificationsClearView(c)})
}

func (c *call) clearNotifications() error {
	if err := c.svc.Notify.ClearNotifications(c.r.Context(), c.me.ID); err != nil {
		return fmt.Errorf("clear notifications: %w", err)
	}
	return c.seeOther("/notifications")
}

type noticeRequestsPage struct {
	Requests []linnet.NotificationRequest
	Pager    pager
}

// noticeRequests are people whose notifications the reader's policy holds back.
func (c *call) noticeRequests() error {
	q := c.asked(linnet.DefaultPage)
	all, err := c.svc.Notify.NotificationRequests(c.r.Context(), c.me.ID, q)
	if err != nil {
		return fmt.Errorf("read requests: %w", err)
	}
	return c.render(http.StatusOK, page{Title: "Held back", Here: "/notifications",
		Body: notificationRequestsView(c, noticeRequestsPage{all.Items, c.pagerOf(q, all.First, all.Last)})})
}

func (c *call) answerNoticeRequest() error {
	id, ok := linnet.ParseID(c.r.PostForm.Get("request"))
	if !ok {
		return errNowhere()
	}
	answer := c.svc.Notify.DismissRequests
	if c.r.PostForm.Get("act") == "accept" {
		answer = c.svc.Notify.AcceptRequests
	}
	if err := answer(c.r.Context(), c.me.ID, []linnet.ID{id}); err != nil {
		return fmt.Errorf("answer a request: %w", err)
	}
	return c.seeOther("/notifications/requests")
}
