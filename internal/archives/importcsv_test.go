package archives_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// brings reads an import file of a user without confirming it.
func brings(w *apptest.World, me linnet.ID, kind linnet.CSVKind, overwrite bool, rows ...string) *linnet.Import {
	w.Helper()
	return apptest.Must(w.Archives.AddImport(w.Ctx, me, kind, overwrite, `C:\lists\my.csv`, strings.NewReader(strings.Join(rows, "\n"))))(w)
}

// imports imports a file and waits until it is done.
func imports(w *apptest.World, me linnet.ID, kind linnet.CSVKind, overwrite bool, rows ...string) *linnet.Import {
	w.Helper()
	i := brings(w, me, kind, overwrite, rows...)
	w.OK(w.Archives.ConfirmImport(w.Ctx, me, i.ID, nil))
	w.Drain()
	return apptest.Must(w.Archives.Import(w.Ctx, me, i.ID))(w)
}

func undoes(w *apptest.World, me linnet.ID, i *linnet.Import) {
	w.Helper()
	w.OK(w.Archives.UndoImport(w.Ctx, me, i.ID))
	w.Drain()
	if now := apptest.Must(w.Archives.Import(w.Ctx, me, i.ID))(w); now.State != linnet.ImportUndone {
		w.Errorf("after undoing: %+v", now)
	}
}

// said describes the result of an import.
func said(i *linnet.Import) string {
	return fmt.Sprintf("%s %d of %d, %d here, %d failed, %d removed", i.State, i.Imported, i.Rows, i.Here, i.Failed, i.Removed)
}

// TestImportsOfLists checks that exported lists can be imported in the order of their dependencies,
// more than once. Undoing an import keeps earlier entries.
func TestImportsOfLists(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, eve := w.Person("ann"), w.Person("eve")
		bob, cat, dan := w.Person("bob"), w.Person("cat"), w.Person("dan")
		no := false
		for _, id := range []linnet.ID{bob, cat} {
			apptest.Must(w.Social.Follow(w.Ctx, ann, id, linnet.FollowOptions{Reposts: &no, Languages: &[]string{"de"}}))(w)
			apptest.Must(w.Social.Mute(w.Ctx, ann, id, linnet.MuteOptions{}))(w)
		}
		title := "Friends, and \"others\""
		l := apptest.Must(w.Lists.CreateList(w.Ctx, ann, linnet.ListChange{Title: &title}))(w)
		w.OK(w.Lists.AddToList(w.Ctx, ann, l.ID, []linnet.ID{bob, cat}))
		apptest.Must(w.Posting.Marks.Bookmark(w.Ctx, ann, w.Post(bob, "kept").ID))(w)
		apptest.Must(w.Social.Block(w.Ctx, ann, dan))(w)
		w.Drain()
		w.Follow(eve, bob)
		before := map[linnet.CSVKind]string{}
		for _, kind := range linnet.CSVKinds() {
			before[kind] = csvOf(w, eve, kind)
			file := csvOf(w, ann, kind)
			for n := range 2 { // the second import changes nothing
				i := brings(w, eve, kind, false, file)
				if i.File != "my.csv" || i.State != linnet.ImportUnconfirmed || i.Here != i.Rows || n == 0 && csvOf(w, eve, kind) != before[kind] {
					w.Errorf("%s at first: %+v", kind, i)
				}
				w.OK(w.Archives.ConfirmImport(w.Ctx, eve, i.ID, nil))
				w.Drain()
				apptest.Equal(w, string(kind), lines(csvOf(w, eve, kind)), lines(file))
			}
		}
		w.Check()
		all := apptest.Must(w.Archives.Imports(w.Ctx, eve))(w)
		for n := len(all) - 1; n >= 0; n-- { // oldest first, because only the first import added entries
			if all[n].State == linnet.ImportFinished {
				undoes(w, eve, &all[n])
			}
		}
		for kind, was := range before {
			apptest.Equal(w, "undone "+string(kind), lines(csvOf(w, eve, kind)), lines(was))
		}
		if lists := apptest.Must(w.Lists.Lists(w.Ctx, eve))(w); len(lists) != 0 {
			w.Errorf("lists left: %+v", lists)
		}
		w.Check()
	})
}

// lines returns the lines of a file, in order.
func lines(s string) []string {
	all := strings.Split(s, "\n")
	for i := range all {
		for j := range i {
			if all[j] > all[i] {
				all[i], all[j] = all[j], all[i]
			}
		}
	}
	return all
}

// TestImportOverwrites checks that overwriting removes entries that are missing from the file, and
// that undoing restores them.
func TestImportOverwrites(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
		w.Person("dan")
		no := false
		w.Follow(ann, bob)
		apptest.Must(w.Social.Follow(w.Ctx, ann, cat, linnet.FollowOptions{Reposts: &no}))(w)
		for _, title := range []string{"One", "Two", "Three"} {
			l := apptest.Must(w.Lists.CreateList(w.Ctx, ann, linnet.ListChange{Title: &title}))(w)
			w.OK(w.Lists.AddToList(w.Ctx, ann, l.ID, []linnet.ID{bob, cat}))
		}
		follows, lists := csvOf(w, ann, linnet.FollowingCSV), csvOf(w, ann, linnet.ListsCSV)
		i := imports(w, ann, linnet.FollowingCSV, true, "bob", "dan@linnet.test")
		apptest.Equal(w, "follows", lines(csvOf(w, ann, linnet.FollowingCSV)), lines("Account address,Show boosts,Notify on new posts,Languages\nbob@linnet.test,true,false,\ndan@linnet.test,true,false,\n"))
		apptest.Equal(w, "report", []string{said(i)}, []string{"finished 2 of 2, 2 here, 0 failed, 1 removed"})
		undoes(w, ann, i)
		apptest.Equal(w, "follows again", lines(csvOf(w, ann, linnet.FollowingCSV)), lines(follows))
		i = imports(w, ann, linnet.ListsCSV, true, "Two,dan", "Two,bob", "Four,cat")
		apptest.Equal(w, "lists", lines(csvOf(w, ann, linnet.ListsCSV)), lines("Two,dan@linnet.test\nTwo,bob@linnet.test\nFour,cat@linnet.test\n"))
		if all := apptest.Must(w.Lists.Lists(w.Ctx, ann))(w); len(all) != 2 {
			w.Errorf("lists: %+v", all)
		}
		undoes(w, ann, i)
		apptest.Equal(w, "lists again", lines(csvOf(w, ann, linnet.ListsCSV)), lines(lists))
		w.Check()
	})
}

// TestImportBringsBackWhatItWas checks that an import restores all details: lists with settings and
// duplicate titles, endorsements, and mutes with their ends.
func TestImportBringsBackWhatItWas(t *testing.T) {
	clock := &apptest.Clock{}
	w := apptest.NewWith(t, memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now})
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	w.Person("dan")
	w.Follow(ann, bob)
	apptest.Must(w.Social.Endorse(w.Ctx, ann, bob, true))(t)
	none, yes, title := linnet.RepliesNone, true, "Same"
	for _, who := range []linnet.ID{bob, cat} {
		l := apptest.Must(w.Lists.CreateList(w.Ctx, ann, linnet.ListChange{Title: &title, Exclusive: &yes, Replies: &none}))(t)
		w.OK(w.Lists.AddToList(w.Ctx, ann, l.ID, []linnet.ID{who}))
		apptest.Must(w.Social.Mute(w.Ctx, ann, who, linnet.MuteOptions{Notices: who == cat, For: time.Hour}))(t)
		yes, none = false, linnet.RepliesToFollowed
	}
	w.Drain()
	stands := func() (out []string) {
		for _, l := range apptest.Must(w.Lists.Lists(w.Ctx, ann))(t) {
			out = append(out, fmt.Sprint(l.Title, l.Exclusive, l.Replies))
			for _, u := range apptest.Must(w.Lists.ListMembers(w.Ctx, ann, l.ID, linnet.Page{}))(t).Items {
				out = append(out, u.Login)
			}
		}
		for _, r := range apptest.Must(w.Social.Relationships(w.Ctx, ann, []linnet.ID{bob, cat}))(t) {
			out = append(out, fmt.Sprint(r.Following, r.Endorsed, r.Muting, r.MutingNotices, r.MutedUntil.UTC()))
		}
		return out
	}
	was := stands()
	for _, c := range []struct {
		kind      linnet.CSVKind
		overwrite bool
		file      string
	}{{linnet.FollowingCSV, true, "dan"}, {linnet.ListsCSV, true, "Other,dan"}, {linnet.MutesCSV, true, "dan"}, {linnet.MutesCSV, false, "bob"}, {linnet.MutesCSV, false, "cat"}} {
		i := imports(w, ann, c.kind, c.overwrite, c.file)
		undoes(w, ann, i)
		apptest.Equal(t, string(c.kind), stands(), was)
		w.Check()
	}
	i := imports(w, ann, linnet.MutesCSV, true, "dan")
	clock.Advance(2 * time.Hour)
	undoes(w, ann, i)
	if rs := apptest.Must(w.Social.Relationships(w.Ctx, ann, []linnet.ID{bob, cat}))(t); rs[0].Muting || rs[1].Muting {
		t.Error("a mute comes back whose end has passed")
	}
	w.Check()
}

// TestImportFails checks that failed rows state a reason and can be downloaded to be imported
// elsewhere. Locked accounts receive a follow request.
func TestImportFails(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob, eve := w.Person("ann"), w.Person("bob"), w.Person("eve")
	yes := true
	apptest.Must(w.Social.Profiles.Update(w.Ctx, bob, linnet.ProfileChange{Locked: &yes}))(t)
	apptest.Must(w.Social.Block(w.Ctx, eve, ann))(t)
	i := imports(w, ann, linnet.FollowingCSV, false, "\ufeffAccount address,Languages,Colour", `@bob@LINNET.test,"en, de",red`, "nobody@linnet.test", "", `carl@far.example,,`, "ann", "eve", "bob@linnet.test", "a b c", `"quo""ted@x",fr`)
	apptest.Equal(t, "report", []string{said(i)}, []string{"finished 1 of 7, 2 here, 6 failed, 0 removed"})
	rows, of, err := w.Archives.ImportRows(w.Ctx, ann, i.ID, 0)
	if err != nil || of != 100 || len(rows) != 7 {
		t.Fatalf("%d rows of %d: %v", len(rows), of, err)
	}
	for n, says := range []string{"", "doesn't exist here", "on another server", "your own account", "not allowed", "not an account address", "on another server"} {
		if got := rows[n].Outcome; !strings.Contains(got, says) || (got == "") != (says == "") {
			t.Errorf("row %d, %s: %q, want %q", n, rows[n].Name, got, says)
		}
	}
	if r := apptest.Must(w.Social.Relationship(w.Ctx, ann, bob))(t); !r.Requested || fmt.Sprint(r.Languages) != "[de en]" {
		t.Errorf("the locked one: %+v", r)
	}
	var b bytes.Buffer
	w.OK(w.Archives.WriteFailures(w.Ctx, ann, i.ID, &b))
	if got := b.String(); !strings.HasPrefix(got, "Account address,Show boosts,Notify on new posts,Languages\nnobody@linnet.test,,,\n") || !strings.HasSuffix(got, "\"quo\"\"ted@x\",,,fr\n") {
		t.Errorf("failures: %q", got)
	}
	undoes(w, ann, i)
	if r := apptest.Must(w.Social.Relationship(w.Ctx, ann, bob))(t); r.Requested {
		t.Error("the request is there still")
	}
	apptest.WantKind(t, w.Archives.ConfirmImport(w.Ctx, bob, i.ID, nil), linnet.NotFound)
	apptest.WantKind(t, w.Archives.UndoImport(w.Ctx, bob, i.ID), linnet.NotFound)
	_, _, err = w.Archives.ImportRows(w.Ctx, bob, i.ID, 0)
	apptest.WantKind(t, err, linnet.NotFound)
	apptest.WantKind(t, w.Archives.WriteFailures(w.Ctx, bob, i.ID, &b), linnet.NotFound)
	w.Check()
	w.OK(w.Social.Deletion.DeleteUser(w.Ctx, ann))
	w.Check()
}

// TestImportRows checks that duplicate rows count separately, semicolons are accepted as
// separators, and invalid list titles are reported per row.
func TestImportRows(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob := w.Person("ann"), w.Person("bob")
	st := w.Post(bob, "kept")
	i := imports(w, ann, linnet.BookmarksCSV, false, fmt.Sprintf("https://linnet.test/users/bob/statuses/%d", st.ID), fmt.Sprintf("https://linnet.test/@bob/%d", st.ID))
	apptest.Equal(t, "bookmarks", []string{said(i)}, []string{"finished 2 of 2, 2 here, 0 failed, 0 removed"})
	undoes(w, ann, i)
	if apptest.Must(w.View.Status(w.Ctx, ann, st.ID))(t).Bookmarked {
		t.Error("the bookmark is there still")
	}
	i = imports(w, ann, linnet.FollowingCSV, false, "\ufeffAccount address;Show boosts", "bob;false")
	apptest.Equal(t, "semicolons", []string{said(i)}, []string{"finished 1 of 1, 1 here, 0 failed, 0 removed"})
	if r := apptest.Must(w.Social.Relationship(w.Ctx, ann, bob))(t); !r.Following || r.Reposts {
		t.Errorf("%+v", r)
	}
	i = imports(w, ann, linnet.ListsCSV, false, ",bob", strings.Repeat("x", 300)+",bob", "Me,ann")
	rows, _, err := w.Archives.ImportRows(w.Ctx, ann, i.ID, 0)
	if err != nil || len(rows) != 3 {
		t.Fatal(rows, err)
	}
	for n, says := range []string{"The list title can't be blank.", "The list title is too long (maximum is 255 characters).", ""} {
		if got, _, _ := strings.Cut(rows[n].Outcome, "\x1e"); got != says {
			t.Errorf("row %d: %q, want %q", n, got, says)
		}
	}
}

// TestImportOfAnotherFile checks that a file of another kind than the chosen one is detected by its
// columns or name. A file without local accounts does not empty a list.
func TestImportOfAnotherFile(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob := w.Person("ann"), w.Person("bob")
	w.Follow(ann, bob)
	for _, c := range []struct {
		kind, looks linnet.CSVKind
		name, file  string
	}{
		{linnet.FollowingCSV, linnet.MutesCSV, "muted_accounts.csv", "bob"}, {linnet.FollowingCSV, linnet.MutesCSV, "f.csv", "Account address,Hide notifications\nbob,true"},
		{linnet.BlocksCSV, linnet.FollowingCSV, "blocks.csv", "Account address,Show boosts\nbob,true"}, {linnet.FollowingCSV, "", "following_accounts.csv", "bob"},
		{linnet.MutesCSV, "", "whatever.csv", "bob"}, {linnet.ListsCSV, "", "Lists.csv", "A,bob"},
	} {
		i := apptest.Must(w.Archives.AddImport(w.Ctx, ann, c.kind, false, c.name, strings.NewReader(c.file)))(t)
		if i.Looks != c.looks {
			t.Errorf("%s as %s seems to be %q, want %q", c.name, c.kind, i.Looks, c.looks)
		}
	}
	i := brings(w, ann, linnet.FollowingCSV, true, "nobody", "ann")
	apptest.WantKind(t, w.Archives.ConfirmImport(w.Ctx, ann, i.ID, nil), linnet.Invalid)
	w.Drain()
	if !apptest.Must(w.Social.Relationship(w.Ctx, ann, bob))(t).Following {
		t.Error("overwriting with nothing has removed a follow")
	}
}

// TestImportLimits checks that invalid files are refused with the limit and a remedy.
func TestImportLimits(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	var rows []string
	for i := range linnet.MaxImportRows + 1 {
		rows = append(rows, fmt.Sprintf("u%d@far.example", i))
	}
	for _, c := range []struct {
		kind linnet.CSVKind
		file string
		says string
	}{
		{linnet.FollowingCSV, "", "is empty"}, {linnet.FollowingCSV, "Account address\n", "is empty"}, {linnet.FollowingCSV, "\n\n  \n", "is empty"},
		{linnet.ListsCSV, "Account address\nbob\n", `the column "List name" is missing`}, {linnet.BookmarksCSV, "#domain\nx\n", `the column "#uri" is missing`},
		{linnet.FollowingCSV, "a\"b,c\n", "not a valid CSV file: the quotation marks in line 1"}, {linnet.FollowingCSV, "\xff\xfe\n", "not UTF-8 text"}, {linnet.FollowingCSV, "bob\xff\n", "not UTF-8 text"},
		{linnet.FollowingCSV, "bob\n\"cat\ndan\n", "the quotation marks in line 2 don't match"},
		{linnet.FollowingCSV, strings.Repeat("x", 501), "a cell longer than 500 bytes in line 1"}, {linnet.FollowingCSV, strings.Join(rows, "\n"), "more than 20000 rows"},
		{linnet.FollowingCSV, strings.Repeat("x\n", 11<<20), "larger than 20 MB"}, {"secrets", "x", "not an import type"},
	} {
		_, err := w.Archives.AddImport(w.Ctx, ann, c.kind, false, "x.csv", strings.NewReader(c.file))
		apptest.WantKind(t, err, linnet.Invalid)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.20q: %v, want %q", c.file, err, c.says)
		}
	}
	for range linnet.MaxImports + 3 {
		brings(w, ann, linnet.FollowingCSV, false, "x")
	}
	if all := apptest.Must(w.Archives.Imports(w.Ctx, ann))(t); len(all) != linnet.MaxImports {
		t.Errorf("%d imports are kept", len(all))
	}
	w.Check()
}

// TestImportIsResumed checks that an import continues after restarts, and that repeated batches do
// not take their own entries for earlier ones.
func TestImportIsResumed(t *testing.T) {
	clock := &apptest.Clock{}
	opt := store.Options{Now: clock.Now}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w := apptest.Idle(t, e, opt)
	ann := w.Person("ann")
	var rows []string
	for i := range 230 {
		w.Person(fmt.Sprintf("u%03d", i))
		rows = append(rows, fmt.Sprintf("u%03d", i))
	}
	i := brings(w, ann, linnet.FollowingCSV, false, rows...)
	w.OK(w.Archives.ConfirmImport(w.Ctx, ann, i.ID, nil))
	for range 3 {
		w.RepeatTask("import-csv", map[string]any{"user": ann, "id": i.ID})
	}
	w = apptest.Serve(t, e, opt)
	if got := apptest.Must(w.Archives.Import(w.Ctx, ann, i.ID))(t); said(got) != "finished 230 of 230, 230 here, 0 failed, 0 removed" {
		t.Errorf("after: %s", said(got))
	}
	if n := strings.Count(csvOf(w, ann, linnet.FollowingCSV), "\n"); n != 231 {
		t.Errorf("%d lines", n)
	}
	w.OK(w.Archives.UndoImport(w.Ctx, ann, i.ID))
	w.RepeatTask("import-csv", map[string]any{"user": ann, "id": i.ID})
	w = apptest.Serve(t, e, opt)
	if n := strings.Count(csvOf(w, ann, linnet.FollowingCSV), "\n"); n != 1 {
		t.Errorf("%d lines after undoing", n)
	}
	w.Check()
}
