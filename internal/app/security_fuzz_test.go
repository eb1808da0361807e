package app_test

import (
	"testing"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// FuzzCursor reads every kind of list from any cursor, which must return a page or an error.
func FuzzCursor(f *testing.F) {
	svc, err := app.New(store.New(memkv.New(memkv.Options{}), store.Options{}), app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Exclusive: true})
	if err != nil {
		f.Fatal(err)
	}
	ctx := f.Context()
	ann, err := svc.Identity.SignUp(ctx, linnet.SignUp{Login: "ann", Password: apptest.Password, Agreed: true})
	if err != nil {
		f.Fatal(err)
	}
	v, err := svc.Posting.Post(ctx, ann.ID, linnet.Draft{Text: "x #x"})
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"", "0", "1", "-1", v.ID.String(), "9223372036854775807", "18446744073709551616", "00012", "1e5", "\x00", "1:2", "{1}"} {
		f.Add(s, s, s, 20)
	}
	f.Fuzz(func(t *testing.T, top, bottom, since string, limit int) {
		p := linnet.Page{Max: linnet.Cursor(top), Min: linnet.Cursor(bottom), Since: linnet.Cursor(since), Limit: 1 + (limit&0xff)%linnet.MaxPage}
		for what, read := range map[string]func() error{
			"home":    func() error { _, err := svc.Reading.Home(ctx, ann.ID, p); return err },
			"profile": func() error { _, err := svc.Reading.Profile(ctx, 0, ann.ID, linnet.ProfileFilter{}, p); return err },
			"tag":     func() error { _, err := svc.Reading.Tag(ctx, 0, linnet.TagQuery{Tag: "x"}, p); return err },
			"notifications": func() error {
				_, err := svc.Notify.Notifications(ctx, ann.ID, linnet.NotificationFilter{}, p)
				return err
			},
			"followers":  func() error { _, err := svc.View.Followers(ctx, 0, ann.ID, p); return err },
			"favourites": func() error { _, err := svc.Posting.Marks.Favourites(ctx, ann.ID, p); return err },
		} {
			if err := read(); err != nil && linnet.KindOf(err) != linnet.Invalid {
				t.Fatalf("%s from %+v: %v", what, p, err)
			}
		}
	})
}
