package settings

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// pushKinds returns the types of notifications to choose from.
func pushKinds(c *page.Context, chosen func(linnet.NotificationType) bool) (kinds []form.Choice) {
	for _, t := range linnet.PushAlerts() {
		if k := t.Kind(); k.For == 0 || c.May(k.For) {
			kinds = append(kinds, form.Choice{Value: string(t), Label: c.Tr(k.Alert), On: chosen(t)})
		}
	}
	return kinds
}

// pushSession returns the session of this browser.
func pushSession(c *page.Context) linnet.Session {
	return linnet.Session{ID: c.SessionID, User: c.Me.ID, Web: true}
}

// push is the page of push notifications in this browser. Turning them on requires JavaScript.
// Changing them and turning them off don't.
func (h *Pages) push(c *page.Context) (*form.Page, error) {
	now, err := h.Push.Subscription(c.Request.Context(), pushSession(c))
	on := !page.IsKind(err, linnet.NotFound)
	if on && err != nil {
		return nil, err
	}
	action, button, policy := paths.Push, c.Tr("Turn on in this browser"), linnet.PushAll
	chosen := func(t linnet.NotificationType) bool { return t != linnet.NotifyFavourite && t != linnet.NotifyRepost }
	part := form.Section{Title: c.Tr("Off in this browser"),
		Text: c.Tr("Turning on push notifications requires JavaScript, because your browser must ask for your permission. Notifications are encrypted for this browser and sent through its vendor's push service.")}
	if on {
		action, button, policy = paths.Push+"?change=1", c.Tr("Save"), now.Policy
		chosen = func(t linnet.NotificationType) bool { return slices.Contains(now.Alerts, t) }
		part.Title, part.Text = c.Tr("On in this browser"), c.Tr("Push notifications are turned off when you log out in this browser.")
	}
	f := form.New(c, action, button,
		form.Field{Kind: form.ChecksField, Name: "alerts", Label: c.Tr("Notify me about"), Choices: pushKinds(c, chosen)},
		form.Field{Kind: form.SelectField, Name: "policy", Label: c.TrIn("senders", "From"), Choices: form.Options(string(policy),
			string(linnet.PushAll), c.Tr("Anyone"), string(linnet.PushFollowed), c.Tr("People you follow"), string(linnet.PushFollower), c.Tr("People who follow you"))})
	part.Form = f
	p := &form.Page{Title: c.Tr("Push notifications"), Path: paths.Push, Form: f, Parts: []form.Section{part},
		Lead: c.Tr("Get notifications on your device even when %s isn't open. Turn on notifications in each browser separately.", c.URL.Host)}
	if on {
		p.Parts = append(p.Parts, form.Section{Title: c.Tr("Turn off"), Form: form.New(c, paths.Push+"/end", c.Tr("Turn off in this browser"))})
	} else {
		key, err := h.Push.PublicKey(c.Request.Context())
		if err != nil {
			return nil, err
		}
		f.Hidden = [][2]string{{"endpoint", ""}, {"p256dh", ""}, {"auth", ""}, {"key", key}}
	}
	switch c.Request.URL.Query().Get("done") {
	case "on":
		p.Done = c.Tr("Push notifications are on in this browser.")
	case "off":
		p.Done = c.Tr("Push notifications are off in this browser.")
	}
	return p, nil
}

// changePush turns push notifications on in this browser, or changes them.
func (h *Pages) changePush(c *page.Context) (string, error) {
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
		return "", page.FieldErrors{"": c.Tr("Your browser couldn't ask you for permission, because this requires JavaScript.")}
	} else {
		_, err = h.Push.Subscribe(ctx, pushSession(c), "", linnet.PushDraft{Endpoint: c.Typed("endpoint"), P256dh: c.Typed("p256dh"), Auth: c.Typed("auth"), Standard: true, PushChange: change})
	}
	switch {
	case page.IsKind(err, linnet.NotFound): // the subscription has ended since the page was opened
		return ui.WithDone(paths.Push, "off"), nil
	case page.IsKind(err, linnet.Invalid):
		return "", page.FieldErrors{"": c.Tr("This browser's push service can't be used: %s", page.Refusal(err).In(c.Lang().Say()))}
	}
	return ui.WithDone(paths.Push, done), err
}

func (h *Pages) endPush(c *page.Context) (string, error) {
	return ui.WithDone(paths.Push, "off"), h.Push.Unsubscribe(c.Request.Context(), pushSession(c))
}
