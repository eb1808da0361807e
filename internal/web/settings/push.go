package settings

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// pushRoutes returns the routes of push notifications. Turning them on requires JavaScript.
// Changing them and turning them off don't.
func (h *Pages) pushRoutes() []page.Route {
	return []page.Route{
		{Pattern: paths.Push, Get: page.LoggedIn(h.pushSettings), Post: page.LoggedIn(h.changePush)},
		{Pattern: paths.Push + "/end", Post: page.LoggedIn(h.endPush)},
	}
}

// pushKinds returns the types of notifications to choose from.
func pushKinds(c *page.Context, chosen func(linnet.NotificationType) bool) (kinds []form.Choice) {
	add := func(t linnet.NotificationType, label string) {
		kinds = append(kinds, form.Choice{Value: string(t), Label: label, On: chosen(t)})
	}
	add(linnet.NotifyMention, c.Tr("Mentions and messages"))
	add(linnet.NotifyFollow, c.Tr("New followers"))
	add(linnet.NotifyRequest, c.Tr("Follow requests"))
	add(linnet.NotifyStatus, c.Tr("New posts from people you get notifications about"))
	add(linnet.NotifyFavourite, c.Tr("Favourites"))
	add(linnet.NotifyRepost, c.Tr("Boosts"))
	add(linnet.NotifyQuote, c.Tr("Quotes of your posts"))
	add(linnet.NotifyPoll, c.Tr("Polls that ended"))
	add(linnet.NotifyEdit, c.Tr("Edits of posts you boosted"))
	add(linnet.NotifyQuoted, c.Tr("Edits of posts you quoted"))
	add(linnet.NotifySecurity, c.Tr("Changes to your account security"))
	if c.May(linnet.NotifySignUp.For()) {
		add(linnet.NotifySignUp, c.Tr("New accounts"))
	}
	if c.May(linnet.NotifyReport.For()) {
		add(linnet.NotifyReport, c.Tr("Reports"))
	}
	return kinds
}

// pushedByDefault reports whether a type is chosen by default. All are except favourites and
// boosts.
func pushedByDefault(t linnet.NotificationType) bool {
	return t != linnet.NotifyFavourite && t != linnet.NotifyRepost
}

// pushSession returns the session of this browser.
func pushSession(c *page.Context) linnet.Session {
	return linnet.Session{ID: c.SessionID, User: c.Me.ID, Web: true}
}

// pushSubscription returns the subscription of this browser, or nil.
func (h *Pages) pushSubscription(c *page.Context) (*linnet.PushSubscription, error) {
	p, err := h.Push.Subscription(c.Request.Context(), pushSession(c))
	if page.IsKind(err, linnet.NotFound) {
		return nil, nil
	}
	return &p, err
}

// pushForm returns the form of this browser. now is nil without a subscription.
func (h *Pages) pushForm(c *page.Context, now *linnet.PushSubscription) (*form.Form, error) {
	action, button, policy, chosen := paths.Push, c.Tr("Turn on in this browser"), linnet.PushAll, pushedByDefault
	if now != nil {
		action, button, policy = paths.Push+"?change=1", c.Tr("Save"), now.Policy
		chosen = func(t linnet.NotificationType) bool { return slices.Contains(now.Alerts, t) }
	}
	f := form.New(c, action, button,
		form.Field{Kind: form.ChecksField, Name: "alerts", Label: c.Tr("Notify me about"), Choices: pushKinds(c, chosen)},
		form.Field{Kind: form.SelectField, Name: "policy", Label: c.TrIn("senders", "From"), Choices: form.Options(string(policy),
			string(linnet.PushAll), c.Tr("Anyone"), string(linnet.PushFollowed), c.Tr("People you follow"), string(linnet.PushFollower), c.Tr("People who follow you"))})
	if now != nil {
		return f, nil
	}
	key, err := h.Push.PublicKey(c.Request.Context())
	f.Hidden = [][2]string{{"endpoint", ""}, {"p256dh", ""}, {"auth", ""}, {"key", key}}
	return f, err
}

func showPush(c *page.Context, f *form.Form, now *linnet.PushSubscription) error {
	d := form.Page{Lead: c.Tr("Get notifications on your device while no page of %s is open. Turn them on in each browser separately.", c.URL.Host)}
	part := form.Section{Title: c.Tr("Off in this browser"), Form: f,
		Text: c.Tr("Turning on push notifications needs JavaScript, because your browser asks for permission. Notifications are encrypted for this browser and sent through its vendor's push service.")}
	if now != nil {
		part.Title, part.Text = c.Tr("On in this browser"), c.Tr("Push notifications are turned off when you log out in this browser.")
		d.Parts = append(d.Parts, part, form.Section{Title: c.Tr("Turn off"), Form: form.New(c, paths.Push+"/end", c.Tr("Turn off in this browser"))})
	} else {
		d.Parts = append(d.Parts, part)
	}
	switch c.Request.URL.Query().Get("done") {
	case "on":
		d.Done = c.Tr("Push notifications are on in this browser.")
	case "off":
		d.Done = c.Tr("Push notifications are off in this browser.")
	}
	return form.ShowSettings(c, f.StatusCode(), c.Tr("Push notifications"), paths.Push, d)
}

func (h *Pages) pushSettings(c *page.Context) error {
	now, err := h.pushSubscription(c)
	if err != nil {
		return err
	}
	f, err := h.pushForm(c, now)
	if err != nil {
		return err
	}
	return showPush(c, f, now)
}

func (h *Pages) changePush(c *page.Context) error {
	ctx, alerts := c.Request.Context(), []linnet.NotificationType{}
	for _, t := range c.Request.PostForm["alerts"] {
		alerts = append(alerts, linnet.NotificationType(t))
	}
	change := linnet.PushChange{Alerts: &alerts, Policy: linnet.PushPolicy(c.Typed("policy"))}
	done := "saved"
	var err error
	if c.Request.URL.Query().Get("change") != "" {
		_, err = h.Push.Change(ctx, pushSession(c), change)
	} else if done = "on"; c.Typed("endpoint") == "" {
		return h.refusedPush(c, c.Tr("Your browser couldn't ask you for permission. This needs JavaScript."))
	} else {
		_, err = h.Push.Subscribe(ctx, pushSession(c), "", linnet.PushDraft{Endpoint: c.Typed("endpoint"), P256dh: c.Typed("p256dh"), Auth: c.Typed("auth"), Standard: true, PushChange: change})
	}
	switch {
	case page.IsKind(err, linnet.NotFound): // the subscription has ended since the page was opened
		return c.Redirect(ui.WithDone(paths.Push, "off"))
	case page.IsKind(err, linnet.Invalid):
		return h.refusedPush(c, c.Tr("This browser's push service can't be used: %s", page.Refusal(err).In(c.Lang().Say())))
	case err != nil:
		return err
	}
	return c.Redirect(ui.WithDone(paths.Push, done))
}

// refusedPush shows the page again with an error.
func (h *Pages) refusedPush(c *page.Context, wrong string) error {
	now, err := h.pushSubscription(c)
	if err != nil {
		return err
	}
	f, err := h.pushForm(c, now)
	if err != nil {
		return err
	}
	hidden := f.Hidden
	f.Refill(c.Request.PostForm, page.FieldErrors{"": wrong})
	f.Hidden = hidden
	return showPush(c, f, now)
}

func (h *Pages) endPush(c *page.Context) error {
	if err := h.Push.Unsubscribe(c.Request.Context(), pushSession(c)); err != nil {
		return err
	}
	return c.Redirect(ui.WithDone(paths.Push, "off"))
}
