package web

import (
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/posting"
)

const noticesPath, mentionsPath = "/notifications", "/mentions"

func notificationRoutes() []route {
	return []route{
		{pattern: noticesPath, get: own((*call).notifications), post: own((*call).changeNotifications)},
		{pattern: mentionsPath, get: own((*call).mentions)},
		{pattern: "/notifications/clear", get: own((*call).clearForm), post: own((*call).clearNotifications)},
		{pattern: "/notifications/requests", get: own((*call).noticeRequests), post: own((*call).answerNoticeRequest)},
	}
}

// noticeKind is a tab of the notifications: only some types of them.
type noticeKind struct {
	Word, Text string
	Types      []linnet.NotificationType
}

// noticeKinds are the tabs, in English.
func noticeKinds() []noticeKind {
	return []noticeKind{{"", locale.Mark("All"), nil}, {"mentions", locale.Mark("Mentions"), []linnet.NotificationType{linnet.NotifyMention}},
		{"favourites", locale.Mark("Favourites"), []linnet.NotificationType{linnet.NotifyFavourite}},
		{"boosts", locale.Mark("Boosts"), []linnet.NotificationType{linnet.NotifyRepost}},
		{"quotes", locale.Mark("Quotes"), []linnet.NotificationType{linnet.NotifyQuote, linnet.NotifyQuoted}},
		{"follows", locale.Mark("Follows"), []linnet.NotificationType{linnet.NotifyFollow, linnet.NotifyRequest}},
		{"polls", locale.Mark("Polls"), []linnet.NotificationType{linnet.NotifyPoll}},
		{"posts", locale.Mark("Posts"), []linnet.NotificationType{linnet.NotifyStatus, linnet.NotifyEdit}}}
}

// facesShown is the maximum number of faces of a group of notifications, and namedMost the maximum
// number of names.
const facesShown, namedMost = 6, 2

// noticeRow is a group of notifications, for the part "notice".
type noticeRow struct {
	c *call
	linnet.NotificationGroup
	Unread bool
	Row    *postRow             // of a mention or a new post, which are shown in full
	Rel    *linnet.Relationship // of one person who follows, or asks to; nil: it is about something else
	Join   *joinRequest         // to a group that the reader runs; nil: it is about something else
}

// joinRequest is a request to join a group, pending or not.
type joinRequest struct {
	Who, Group linnet.UserView
	Asks, In   bool
}

// Icon returns the icon of a notification, and Tint its colour.
func (r noticeRow) Icon() string {
	switch r.Newest.Type {
	case linnet.NotifyFavourite:
		return "star"
	case linnet.NotifyRepost:
		return "boost"
	case linnet.NotifyFollow, linnet.NotifySignUp:
		return "person"
	case linnet.NotifyRequest, linnet.NotifySecurity:
		return "lock"
	case linnet.NotifyReport:
		return "flag"
	case linnet.NotifyPoll:
		return "poll"
	case linnet.NotifyEdit, linnet.NotifyQuoted:
		return "edit"
	}
	return either(r.Join != nil, "group", "bell")
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

// Did returns the texts before and after the names of the users.
func (r noticeRow) Did() [2]string {
	const who = "\x00"
	before, after, _ := strings.Cut(r.said(int64(r.Count), who), who)
	return [2]string{strings.TrimSpace(before), strings.TrimSpace(after)}
}

// said is the sentence about n people who did something.
func (r noticeRow) said(n int64, who string) string {
	switch r.Newest.Type {
	case linnet.NotifyFavourite:
		return r.c.trn(n, "%[2]s favourited your post", "%[2]s favourited your post", who)
	case linnet.NotifyRepost:
		return r.c.trn(n, "%[2]s boosted your post", "%[2]s boosted your post", who)
	case linnet.NotifyEdit:
		return r.c.trn(n, "%[2]s edited a post that you boosted", "%[2]s edited a post that you boosted", who)
	case linnet.NotifyQuoted:
		return r.c.trn(n, "%[2]s edited a post you quoted", "%[2]s edited a post you quoted", who)
	case linnet.NotifyFollow:
		return r.c.trn(n, "%[2]s followed you", "%[2]s followed you", who)
	case linnet.NotifyRequest:
		return r.c.trn(n, "%[2]s requested to follow you", "%[2]s requested to follow you", who)
	case linnet.NotifySignUp:
		return r.c.trn(n, "%[2]s signed up", "%[2]s signed up", who)
	case linnet.NotifyReport:
		return r.c.trn(n, "%[2]s reported an account", "%[2]s reported an account", who)
	}
	return r.c.trn(n, "%[2]s did something new", "%[2]s did something new", who)
}

// Happened returns the text of a notification without a user.
func (r noticeRow) Happened() string {
	switch {
	case r.Security():
		return r.c.tr(r.Newest.Event.Sentence())
	case r.Newest.From == r.c.viewer():
		return r.c.tr("Your poll has ended")
	}
	return r.c.tr("A poll that you voted in has ended")
}

// Group returns the login of the group that sent a request or invitation, which are answered on the
// group's page; "" for others.
func (r noticeRow) Group() string {
	if r.Row == nil || r.Row.S.By.Group == linnet.NoGroup {
		return ""
	}
	return r.Row.S.By.Login
}

// Security reports whether the row is about access to the reader's account.
func (r noticeRow) Security() bool { return r.Newest.Type == linnet.NotifySecurity }

// Poll reports whether the row is about the end of a poll, which no user caused.
func (r noticeRow) Poll() bool { return r.Newest.Type == linnet.NotifyPoll }

// Who returns the user whose face is shown if the row is about one user.
func (r noticeRow) Who() linnet.UserView {
	if r.Join != nil {
		return r.Join.Who
	}
	return r.Newest.By.UserView
}

// Many reports whether several people did it.
func (r noticeRow) Many() bool { return len(r.Sample) > 1 }

// Faces returns the shown users, and the number of others.
func (r noticeRow) Faces() (shown []*linnet.SharedUser, more int) {
	shown = r.Sample[:min(len(r.Sample), facesShown)]
	return shown, max(r.Count-len(shown), 0)
}

// Named returns the named users, and Others the number of others.
func (r noticeRow) Named() []*linnet.SharedUser { return r.Sample[:min(len(r.Sample), namedMost)] }
func (r noticeRow) Others() int                 { return max(r.Count-len(r.Named()), 0) }

// People returns the names of the users as a part of a sentence.
func (r noticeRow) People() templ.Component {
	others, named := int64(r.Others()), make([]templ.Component, 0, namedMost)
	for _, u := range r.Named() {
		named = append(named, personPart(u.UserView))
	}
	switch {
	case len(named) == 1 && others > 0:
		return trnParts(others, "%[2]s and %[1]s other", "%[2]s and %[1]s others", named...)
	case len(named) > 1 && others > 0:
		return trnParts(others, "%[2]s, %[3]s and %[1]s other", "%[2]s, %[3]s and %[1]s others", named...)
	case len(named) > 1:
		return trParts("%s and %s", named...)
	case len(named) == 1:
		return named[0]
	}
	return textPart("")
}

// Answered returns the result of a request; "" while it is pending.
func (r noticeRow) Answered() string {
	switch {
	case r.Join != nil && r.Join.Asks, r.Join == nil && r.Rel == nil, r.Join == nil && r.Rel.RequestedBy:
		return ""
	case r.Join != nil && r.Join.In, r.Join == nil && r.Rel.FollowedBy:
		return r.c.tr("Accepted")
	}
	return r.c.tr("Declined")
}

type noticesPage struct {
	Chips    []pageTab
	Rows     []noticeRow
	Held     int // people whose notifications are held back
	Newest   linnet.ID
	Unread   int
	Pager    pager
	Requests []linnet.UserView // some of the pending follow requests
}

func (c *call) notifications() error {
	ctx := c.r.Context()
	kind := c.r.URL.Query().Get("kind")
	f := linnet.GroupFilter{NotificationFilter: linnet.NotificationFilter{Shown: true}}
	p := noticesPage{}
	for _, k := range noticeKinds() {
		path := noticesPath
		if k.Word != "" {
			path += "?kind=" + k.Word
		}
		p.Chips = append(p.Chips, pageTab{path, c.tr(k.Text), k.Word == kind})
		if k.Word == kind {
			f.Types = k.Types
		}
	}
	p.Chips = append(p.Chips, pageTab{mentionsPath, c.tr("All mentions"), false})
	q := c.asked(linnet.DefaultPage)
	groups, err := c.svc.Notify.GroupedNotifications(ctx, c.me.ID, f, q)
	if err != nil {
		return fmt.Errorf("read notifications: %w", err)
	}
	if atTop(q, len(groups.Items)) {
		return c.seeOther(c.withCursor("", ""))
	}
	p.Pager, p.Newest = c.pagerOf(q, groups.First, groups.Last), groups.Newest
	if err := c.noticeRows(&p, groups.Items); err != nil {
		return err
	}
	policy, err := c.svc.Notify.NotificationPolicy(ctx, c.me.ID)
	if err != nil {
		return fmt.Errorf("read the policy: %w", err)
	}
	p.Held = policy.Requests
	if kind == "" && q.Max == "" && q.Min == "" && c.isRead() {
		if err := c.svc.Reading.SeeNotifications(ctx, c.me.ID, p.Newest); err != nil && refusal(err) == nil {
			return fmt.Errorf("mark notifications as read: %w", err)
		}
		p.Unread = 0
	}
	if c.me.Requests > 0 {
		asking, err := c.svc.Social.FollowRequests(ctx, c.me.ID, linnet.Page{Limit: asideShown})
		if err != nil {
			return fmt.Errorf("read requests: %w", err)
		}
		p.Requests = asking.Items
	}
	return c.render(http.StatusOK, page{Title: c.tr("Notifications"), Here: noticesPath, Body: notificationsView(c, p), Aside: noticesAside(c, p)})
}

// mentions shows the posts that mention the reader, including those without a notification and
// those whose notification was cleared.
func (c *call) mentions() error {
	return c.timeline(page{Title: c.tr("All mentions"), Here: noticesPath},
		timelinePage{Heading: c.tr("All mentions"), Empty: empty{"bell", c.tr("No mentions yet"), c.tr("Posts that mention you appear here, even after you clear your notifications.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return c.svc.Reading.Mentions(c.r.Context(), c.me.ID, q)
		})
}

// noticeRows adds groups of notifications to the page and reads the state of requests.
func (c *call) noticeRows(p *noticesPage, groups []linnet.NotificationGroup) error {
	read, err := c.svc.Reading.Markers(c.r.Context(), c.me.ID, []linnet.MarkerTimeline{linnet.MarkerNotifications})
	if err != nil {
		return fmt.Errorf("read how far was read: %w", err)
	}
	var ids []linnet.ID
	for _, g := range groups {
		row, err := c.noticeRow(g)
		if err != nil {
			return err
		}
		row.Unread = g.Newest.ID > read[linnet.MarkerNotifications].LastRead
		if row.Unread {
			p.Unread++
		}
		p.Rows = append(p.Rows, row)
		if row.aboutFollower() {
			ids = append(ids, g.Newest.From)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rels, err := c.svc.Social.Relationships(c.r.Context(), c.me.ID, ids)
	if err != nil {
		return fmt.Errorf("read relations: %w", err)
	}
	for i := range p.Rows {
		at := slices.IndexFunc(rels, func(rel linnet.Relationship) bool { return rel.ID == p.Rows[i].Newest.From })
		if r := &p.Rows[i]; at >= 0 && r.aboutFollower() {
			r.Rel = &rels[at]
		}
	}
	return nil
}

// aboutFollower reports whether the row is about one person who follows, or asks to.
func (r noticeRow) aboutFollower() bool {
	return r.Newest.Type == linnet.NotifyRequest || r.Newest.Type == linnet.NotifyFollow && !r.Many()
}

// isRead reports whether the reader sees the page, and the browser isn't only prefetching it.
// https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
func (c *call) isRead() bool {
	h := c.r.Header
	return c.r.Method == http.MethodGet && !strings.HasPrefix(h.Get("Sec-Purpose"), "prefetch") && h.Get("Purpose") != "prefetch" && h.Get("X-Moz") != "prefetch"
}

func (c *call) noticeRow(g linnet.NotificationGroup) (noticeRow, error) {
	row := noticeRow{c: c, NotificationGroup: g}
	st := g.Newest.Status
	if st == nil || g.Newest.Type != linnet.NotifyMention && g.Newest.Type != linnet.NotifyStatus && g.Newest.Type != linnet.NotifyQuote {
		return row, nil
	}
	join, err := c.joinRequest(st)
	if row.Join = join; join != nil || err != nil {
		return row, err
	}
	r := c.row(*st)
	r.Anchor, r.Told = "n"+g.Newest.ID.String(), g.Newest.Type == linnet.NotifyQuote
	row.Row = r
	return row, nil
}

// withoutCommands returns a status as pages show it. A group's message about a request to join
// names the commands by which apps answer it; on pages it links to the list of requests instead.
func (c *call) withoutCommands(s linnet.StatusView) linnet.StatusView {
	login, ok := posting.JoinRequest(&s)
	if !ok {
		return s
	}
	shown := *s.SharedStatus
	shown.Memo, shown.Plain = nil, nil
	shown.Text = c.tr("%s requested to join %s", "@"+login, displayName(s.By.UserView))
	shown.HTML = `<p><a href="` + groupPath(s.By.Login) + `/requests">` + html.EscapeString(shown.Text) + "</a></p>"
	s.SharedStatus = &shown
	return s
}

// joinRequest returns the current state of the request in a group's message; nil for other
// messages, or if the reader can't decide on it any more.
func (c *call) joinRequest(st *linnet.StatusView) (*joinRequest, error) {
	login, ok := posting.JoinRequest(st)
	if !ok {
		return nil, nil
	}
	who, err := c.svc.View.UserByLogin(c.r.Context(), c.me.ID, login)
	j := joinRequest{Who: who, Group: st.By.UserView}
	if err == nil {
		j.Asks, j.In, err = c.svc.Groups.RequestState(c.r.Context(), c.me.ID, st.Author, who.ID)
	}
	switch {
	case refusal(err) != nil:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("look up a request to join: %w", err)
	}
	return &j, nil
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
		if isKind(err, linnet.NotFound) { // already deleted
			err = nil
		}
	default:
		err = &httpError{code: http.StatusBadRequest, msg: "This form doesn't specify an action for the notifications.",
			back: noticesPath, text: "Go to notifications"}
	}
	if err != nil {
		return fmt.Errorf("change notifications: %w", err)
	}
	return c.seeOther(c.cameFrom(noticesPath))
}

func (c *call) clearForm() error {
	return c.render(http.StatusOK, page{Title: c.tr("Clear notifications"), Here: noticesPath, Body: notificationsClearView(c)})
}

func (c *call) clearNotifications() error {
	if err := c.svc.Notify.ClearNotifications(c.r.Context(), c.me.ID); err != nil {
		return fmt.Errorf("clear notifications: %w", err)
	}
	return c.seeOther(noticesPath)
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
	return c.render(http.StatusOK, page{Title: c.tr("Filtered notifications"), Here: noticesPath,
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
