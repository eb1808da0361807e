package mastodon

import (
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
	"linnet/internal/media"
	"linnet/internal/uploads"
)

// pathID is the id in the path. What is no id names nothing.
func (r *request) pathID() (linnet.ID, error) {
	id, ok := linnet.ParseID(r.PathValue("id"))
	if !ok {
		return 0, errNotFound()
	}
	return id, nil
}

func errNotFound() error { return linnet.Errorf(linnet.NotFound, "Record not found") }

func (a *API) getAccount(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.View.User(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	return a.enc.Account(&v), nil
}

func (a *API) getAccounts(r *request) (any, error) {
	ids := r.in.ids("id", linnet.MaxIDsInQuery)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	vs, err := a.svc.View.Users(r.Context(), r.me(), ids)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, a.enc.Account), nil
}

func (a *API) lookupAccount(r *request) (any, error) {
	acct := r.in.text("acct")
	if err := r.in.err(); err != nil {
		return nil, err
	}
	v, err := a.svc.View.UserByLogin(r.Context(), r.me(), strings.TrimPrefix(acct, "@"))
	if err != nil {
		return nil, err
	}
	return a.enc.Account(&v), nil
}

func (a *API) verifyCredentials(r *request) (any, error) {
	v, err := a.svc.View.User(r.Context(), r.me(), r.me())
	if err != nil {
		return nil, err
	}
	return a.enc.CredentialAccount(&v), nil
}

func (a *API) updateCredentials(r *request) (any, error) {
	change := a.profileChange(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	if err := a.unlessRead(r, r.me(), &change.Note); err != nil {
		return nil, err
	}
	if err := r.setPictures(r.ownPicture); err != nil {
		return nil, err
	}
	v, err := a.svc.Social.UpdateProfile(r.Context(), r.me(), change)
	if err != nil {
		return nil, err
	}
	return a.enc.CredentialAccount(&v), nil
}

// setPictures calls set with the pictures of a profile that were sent.
func (r *request) setPictures(set func(media.Shape, *uploads.File) error) error {
	for name, shape := range map[string]media.Shape{"avatar": media.Avatar, "header": media.Banner} {
		if v := r.in.get(name); v == nil || v.kind != kindFile || v.file == nil {
			continue
		}
		if err := set(shape, r.in.file(name)); err != nil {
			return err
		}
	}
	return nil
}

// ownPicture gives who asks a picture.
func (r *request) ownPicture(shape media.Shape, f *uploads.File) error {
	return r.api.svc.Social.SetPicture(r.Context(), r.me(), shape, f)
}

// removePicture makes a handler that takes a picture of a profile away.
// https://docs.joinmastodon.org/methods/profile/#delete-profile-avatar
func removePicture(shape media.Shape) handler {
	return func(a *API, r *request) (any, error) {
		if err := a.svc.Social.SetPicture(r.Context(), r.me(), shape, nil); err != nil {
			return nil, err
		}
		return a.verifyCredentials(r)
	}
}

// profileChange reads the parameters of update_credentials. What cannot be done
// here is refused rather than left out in silence.
func (a *API) profileChange(in *input) linnet.ProfileChange {
	c := linnet.ProfileChange{
		Name: in.optText("display_name"), Note: in.optText("note"), Fields: profileFields(in),
		Bot: in.optFlag("bot"), Discoverable: in.optFlag("discoverable"), Indexable: in.optFlag("indexable"),
		HideNetwork: in.optFlag("hide_collections"), Locked: in.optFlag("locked"),
		AvatarAlt: in.optText("avatar_description"), BannerAlt: in.optText("header_description"),
	}
	if in.has("attribution_domains") {
		domains := in.texts("attribution_domains")
		c.Attribution = &domains
	}
	source := in.object("source")
	c.Sensitive = source.optFlag("sensitive")
	c.Language = source.optText("language")
	c.Visibility = visibility(source, "privacy")
	c.QuotePolicy = quotePolicy(source, "quote_policy")
	for _, name := range [...]string{"avatar", "header"} {
		v := in.get(name)
		if v == nil || v.kind == kindText && (v.text == "" || strings.HasPrefix(v.text, a.base+"/")) {
			continue // nothing, or the address of the picture that there is
		}
		if v.kind != kindFile || v.file == nil {
			in.fault(name, "must be a file or a data: URI")
		}
	}
	return c
}

// unlessRead takes a note out of a change if it is just what is shown of the account:
// accounts are read as HTML and written as text, and an app may send back what it
// has read.
func (a *API) unlessRead(r *request, id linnet.ID, note **string) error {
	if *note == nil || !strings.HasPrefix(**note, "<") {
		return nil
	}
	v, err := a.svc.View.User(r.Context(), r.me(), id)
	if err == nil && a.enc.Account(&v).Note == **note {
		*note = nil
	}
	return err
}

// profileFields reads fields_attributes, an object with numbers as keys or a
// list. Rows without a name and value are rows that a form left empty.
func profileFields(in *input) *[]linnet.ProfileField {
	if !in.has("fields_attributes") {
		return nil
	}
	fields := []linnet.ProfileField{}
	for _, v := range in.items("fields_attributes") {
		row := in.within("fields_attributes", v)
		f := linnet.ProfileField{Name: row.text("name"), Value: row.text("value")}
		if f != (linnet.ProfileField{}) {
			fields = append(fields, f)
		}
	}
	return &fields
}

// visibility reads Mastodon's word for a visibility, nil if there is none.
func visibility(in *input, name string) *linnet.Visibility {
	word := in.text(name)
	if word == "" {
		return nil
	}
	v, ok := linnet.ParseVisibility(word)
	if !ok {
		in.fault(name, "must be public, unlisted, private or direct")
		return nil
	}
	return &v
}

func (a *API) createAccount(r *request) (any, error) {
	in := linnet.SignUp{
		Login: r.in.text("username"), Password: r.in.text("password"), Email: r.in.text("email"),
		Agreed: r.in.flag("agreement"), Language: core.Language(r.in.text("locale")), Reason: r.in.text("reason"), Invite: r.in.text("invite_code"),
		From: a.opts.ClientAddr(r.Request),
	}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	u, err := a.svc.Identity.Register(r.Context(), in)
	if err != nil {
		return nil, err
	}
	t, err := a.svc.Identity.UserToken(a.visiting(r), u.ID, r.who.App, r.who.Scopes)
	if err != nil {
		return nil, err
	}
	return wire.TokenOf(t), nil
}

func (a *API) searchAccounts(r *request) (any, error) {
	q := searchQuery(r.in, linnet.MaxPage)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	vs, err := a.svc.Discovery.SearchUsers(r.Context(), r.me(), q)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, a.enc.Account), nil
}

func (a *API) accountStatuses(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	f := linnet.ProfileFilter{
		ExcludeReplies: r.in.flag("exclude_replies"), ExcludeReposts: r.in.flag("exclude_reblogs"), ExcludeDirect: r.in.flag("exclude_direct"),
		OnlyMedia: r.in.flag("only_media"), Tag: strings.TrimPrefix(r.in.text("tagged"), "#"),
	}
	pinned := r.in.flag("pinned")
	p := r.in.page(linnet.DefaultPage, linnet.MaxPage)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	read := a.svc.Reading.Profile
	if pinned {
		read = a.svc.Posting.PinnedPage
	}
	s, err := read(r.Context(), r.me(), id, f, p)
	if err != nil {
		return nil, err
	}
	setLink(r, s.First, s.Next())
	return wire.StatusList{Viewer: r.me(), Views: s.Items}, nil
}

// accountPage reads the page parameters of lists of accounts.
func accountPage(in *input) linnet.Page { return in.page(40, linnet.MaxUsersPage) }

func (a *API) accountLists(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	ls, err := a.svc.Lists.ListsWith(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	return wire.Each(ls, wire.ListOf), nil
}

func (a *API) getPreferences(r *request) (any, error) {
	v, err := a.svc.View.User(r.Context(), r.me(), r.me())
	if err != nil {
		return nil, err
	}
	return wire.Preferences{
		Visibility: v.Posting.Visibility.String(), Sensitive: v.Posting.Sensitive,
		Language: wire.Nullable(v.Posting.Language), Quotes: v.Posting.QuotePolicy.String(), Media: "default",
	}, nil
}
