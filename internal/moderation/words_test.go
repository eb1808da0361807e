package moderation_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
	"linnet/internal/task"
)

// typed is a text field of users. It stores a text and returns it as shown later. blank fields are
// required. Logins, codes, addresses, languages and tags are not included, because they have their
// own alphabets.
type typed struct {
	line, blank bool
	keep        func(s string) (kept string, err error)
}

func typedFields(w *apptest.World) map[string]typed {
	ann, bob := w.Person("ann"), w.Person("bob")
	group := apptest.Must(w.Groups.CreateGroup(w.Ctx, ann, linnet.NewGroup{Login: "readers", Kind: linnet.PublicGroup}))(w).ID
	profile := func(c linnet.ProfileChange) (linnet.UserView, error) { return w.Social.Profiles.Update(w.Ctx, ann, c) }
	change := func(c linnet.GroupChange) (linnet.UserView, error) { return w.Groups.UpdateGroup(w.Ctx, ann, group, c) }
	place := func(c linnet.InstanceChange) (linnet.Instance, error) {
		return w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), c)
	}
	fields := func(f linnet.ProfileField) *[]linnet.ProfileField { return &[]linnet.ProfileField{f} }
	n := 0
	all := staffReasons(w)
	maps.Copy(all, map[string]typed{
		"display name": {line: true, keep: func(s string) (string, error) { v, err := profile(linnet.ProfileChange{Name: &s}); return v.Name, err }},
		"note":         {keep: func(s string) (string, error) { v, err := profile(linnet.ProfileChange{Note: &s}); return v.Note, err }},
		"field's label": {line: true, keep: func(s string) (string, error) {
			v, err := profile(linnet.ProfileChange{Fields: fields(linnet.ProfileField{Name: s, Value: "x"})})
			if err != nil {
				return "", err
			}
			return v.Fields[0].Name, nil
		}},
		"field's value": {line: true, keep: func(s string) (string, error) {
			v, err := profile(linnet.ProfileChange{Fields: fields(linnet.ProfileField{Name: "x", Value: s})})
			if err != nil {
				return "", err
			}
			return v.Fields[0].Value, nil
		}},
		"status": {blank: true, keep: func(s string) (string, error) {
			v, err := w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: s})
			if err != nil {
				return "", err
			}
			return v.Text, nil
		}},
		"content warning": {keep: func(s string) (string, error) {
			v, err := w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "x", Warning: s})
			if err != nil {
				return "", err
			}
			return v.Warning, nil
		}},
		"name of a group": {line: true, keep: func(s string) (string, error) { v, err := change(linnet.GroupChange{Name: &s}); return v.Name, err }},
		"note of a group": {keep: func(s string) (string, error) { v, err := change(linnet.GroupChange{Note: &s}); return v.Note, err }},
		"name of a new group": {line: true, keep: func(s string) (string, error) {
			n++
			v, err := w.Groups.CreateGroup(w.Ctx, ann, linnet.NewGroup{Login: "g" + strings.Repeat("x", n), Name: s, Kind: linnet.PublicGroup})
			return v.Name, err
		}},
		"title of a list": {line: true, blank: true, keep: func(s string) (string, error) {
			v, err := w.Lists.CreateList(w.Ctx, ann, linnet.ListChange{Title: &s})
			return v.Title, err
		}},
		"title of a filter": {line: true, blank: true, keep: func(s string) (string, error) {
			v, err := w.Reading.CreateFilter(w.Ctx, ann, linnet.FilterChange{Title: &s, Context: new(linnet.FilterHome)})
			return v.Title, err
		}},
		"keyword": {blank: true, keep: func(s string) (string, error) {
			v, err := w.Reading.CreateFilter(w.Ctx, ann, linnet.FilterChange{Title: new("x"), Context: new(linnet.FilterHome), Keywords: []linnet.KeywordChange{{Keyword: &s}}})
			if err != nil {
				return "", err
			}
			return v.Keywords[0].Keyword, nil
		}},
		"title of a feed": {line: true, blank: true, keep: func(s string) (string, error) {
			v, err := w.Feeds.CreateOwnFeed(w.Ctx, ann, linnet.OwnFeedChange{Title: &s, Sources: &[]linnet.FeedSource{{Kind: linnet.FromHome, Weight: 1}}})
			return v.Title, err
		}},
		"note about somebody": {keep: func(s string) (string, error) {
			v, err := w.Social.SetNote(w.Ctx, ann, bob, s)
			return v.Note, err
		}},
		"report": {keep: func(s string) (string, error) {
			v, err := w.Moderation.Report(w.Ctx, ann, linnet.ReportDraft{On: bob, Comment: s})
			return v.Comment, err
		}},
		"name of an app": {line: true, blank: true, keep: func(s string) (string, error) {
			v, _, err := w.Apps.Register(w.Ctx, linnet.AppRequest{Name: s, RedirectURIs: []string{"https://app.test/"}})
			return v.Name, err
		}},
		"name of the place": {line: true, keep: func(s string) (string, error) {
			v, err := place(linnet.InstanceChange{Title: &s})
			return v.Title, err
		}},
		"description": {keep: func(s string) (string, error) {
			v, err := place(linnet.InstanceChange{Description: &s})
			return v.Description, err
		}},
		"privacy policy": {keep: func(s string) (string, error) {
			v, err := place(linnet.InstanceChange{Privacy: &s})
			return v.Privacy, err
		}},
		"terms of service": {blank: true, keep: func(s string) (string, error) {
			day := time.Now().UTC().AddDate(0, 0, 2).Format(time.DateOnly)
			if err := w.Settings.SetTerms(w.Ctx, linnet.Operator(), day, s); err != nil {
				return "", err
			}
			v, err := w.Settings.Terms(w.Ctx, day)
			return v.Text, err
		}},
		"rule": {line: true, keep: func(s string) (string, error) {
			v, err := place(linnet.InstanceChange{Rules: &[]string{s}})
			if err != nil {
				return "", err
			}
			return v.Rules[0], nil
		}},
	})
	return all
}

// staffReasons returns the reasons of all actions of staff that take one, as they are logged.
func staffReasons(w *apptest.World) map[string]typed {
	staff := w.User("staff")
	w.OK(w.GiveRole("staff", linnet.Admin))
	pending := linnet.RegisterApproval
	n := 0
	next := func() string { n++; return fmt.Sprint("person", n) }
	logged := func(on linnet.ID, act linnet.Moderation) (string, error) {
		w.Drain()
		for _, a := range apptest.Must(w.Moderation.Acts(w.Ctx, linnet.Operator(), linnet.Page{Limit: 1}))(w).Items {
			if a.On == on && a.Act.Act == act {
				return a.Reason, nil
			}
		}
		return "", errors.New("the act is not the last one in the log")
	}
	all := map[string]typed{}
	measure := func(act linnet.Moderation, make func() linnet.ID, m linnet.Measure) {
		all["reason: "+string(act)] = typed{line: true, keep: func(s string) (string, error) {
			m.On, m.Act, m.Reason = make(), act, s
			if err := w.Moderation.Moderate(w.Ctx, linnet.By(staff), m); err != nil {
				return "", err
			}
			return logged(m.On, act)
		}}
	}
	person := func() linnet.ID { return w.Person(next()) }
	already := func(act linnet.Moderation) func() linnet.ID {
		return func() linnet.ID {
			id := person()
			w.OK(w.Moderate(linnet.By(staff), id, act))
			return id
		}
	}
	applying := func() linnet.ID {
		w.SetRegistrations(pending)
		return apptest.Must(w.Identity.Register(w.Ctx, apptest.Applicant(next())))(w).ID
	}
	measure(linnet.Warn, person, linnet.Measure{})
	measure(linnet.Suspend, person, linnet.Measure{})
	measure(linnet.Unsuspend, already(linnet.Suspend), linnet.Measure{})
	measure(linnet.Silence, person, linnet.Measure{})
	measure(linnet.Unsilence, already(linnet.Silence), linnet.Measure{})
	measure(linnet.Sensitize, person, linnet.Measure{})
	measure(linnet.Unsensitize, already(linnet.Sensitize), linnet.Measure{})
	measure(linnet.Disable, person, linnet.Measure{})
	measure(linnet.Enable, already(linnet.Disable), linnet.Measure{})
	measure(linnet.Approve, applying, linnet.Measure{})
	measure(linnet.Reject, applying, linnet.Measure{})
	measure(linnet.GiveRole, person, linnet.Measure{Role: linnet.Moderator})
	all["reason: by a command"] = typed{line: true, keep: func(s string) (string, error) {
		login := next()
		id := w.Person(login)
		if err := w.Operate(login, linnet.Measure{Act: linnet.Silence, Reason: s}); err != nil {
			return "", err
		}
		return logged(id, linnet.Silence)
	}}
	for _, twoFactor := range []bool{false, true} {
		act := linnet.Moderation("reset_link")
		if twoFactor {
			act = "two_factor_link"
		}
		all["reason: "+string(act)] = typed{line: true, keep: func(s string) (string, error) {
			id := person()
			if _, _, err := w.Identity.OfferReset(w.Ctx, w.Confirmed(staff), id, twoFactor, s); err != nil {
				return "", err
			}
			return logged(id, act)
		}}
	}
	return all
}

// TestLengthOfReasons checks that the length of reasons is limited for each action.
func TestLengthOfReasons(t *testing.T) {
	for name, f := range staffReasons(apptest.InMemory(t)) {
		most := strings.Repeat("\u00e9", linnet.MaxReason)
		if kept, err := f.keep(most); err != nil || kept != most {
			t.Errorf("%s, as long as may be: %.20q, %v", name, kept, err)
		}
		if _, err := f.keep(most + "a"); linnet.KindOf(err) != linnet.Invalid || !strings.Contains(err.Error(), "maximum is 1000") {
			t.Errorf("%s, too long: %v", name, err)
		}
	}
}

func eachField(t *testing.T, do func(t *testing.T, f typed)) {
	fields := typedFields(apptest.InMemory(t))
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		t.Run(name, func(t *testing.T) { do(t, fields[name]) })
	}
}

// TestMarksInTexts checks that fields refuse characters with more combining marks than any script
// uses, which cover other lines. The error states the limit.
func TestMarksInTexts(t *testing.T) {
	most, over := "a"+strings.Repeat("\u0301", 8), "a"+strings.Repeat("\u0301", 9)
	eachField(t, func(t *testing.T, f typed) {
		if _, err := f.keep(most); err != nil {
			t.Errorf("8 marks: %v", err)
		}
		_, err := f.keep(over)
		var e *linnet.Error
		if !errors.As(err, &e) || e.Kind != linnet.Invalid || len(e.Fields) != 1 || !strings.Contains(e.Msg, "maximum is 8") {
			t.Errorf("9 marks: %v", err)
		}
	})
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	for _, d := range []linnet.Draft{{Text: "a" + strings.Repeat("\u0301", 8000)}, {Text: strings.Repeat("\u0489", 8000)}, {Text: "x", Warning: over}} {
		_, err := w.Posting.Post(w.Ctx, ann, d)
		apptest.WantKind(t, err, linnet.Invalid)
	}
	_, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: "cat", Password: "four words of it", Agreed: true, Reason: over})
	apptest.WantKind(t, err, linnet.Invalid)
}

// TestUnseenTexts checks that invisible text counts as empty, and that a line cannot change the
// direction of surrounding text.
func TestUnseenTexts(t *testing.T) {
	eachField(t, func(t *testing.T, f typed) {
		for _, s := range []string{"\u200b", "\u3164 \u2800", "\u202e\u202c", "\u2066\u2069", "\u00ad\u2060\ufeff", "\u0301"} {
			kept, err := f.keep(s)
			if f.blank {
				apptest.WantKind(t, err, linnet.Invalid)
			} else if err != nil || kept != "" {
				t.Errorf("%+q is kept as %+q: %v", s, kept, err)
			}
		}
		if !f.line {
			return
		}
		if kept, err := f.keep("\u202egnp.\u202c a\u2067b\u2069\n c"); err != nil || kept != "gnp. ab c" {
			t.Errorf("kept as %+q: %v", kept, err)
		}
	})
}

// TestNamesOfEarlierReleases checks that names stored by earlier releases are normalized when
// shown.
func TestNamesOfEarlierReleases(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	for old, want := range map[string]string{"\u202eAnn": "Ann", "\u3164\u3164": "", "Ann": "Ann"} {
		_, _, _, err := w.Store.Accounts.UpdateUser(w.Ctx, ann, func(u *linnet.User) error { u.Name = old; return nil }, func(gone []string) (task.Task, error) {
			return task.New(ann.Shard(), "index-user", map[string]linnet.ID{"user": ann}, w.Store.Now())
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := apptest.Must(w.View.User(w.Ctx, ann, ann))(t).Name; got != want {
			t.Errorf("%+q is shown as %+q", old, got)
		}
	}
}
