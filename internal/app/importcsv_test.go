package app_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// brings reads an import file of a user without confirming it.
func (w *world) brings(me linnet.ID, kind linnet.CSVKind, overwrite bool, rows ...string) *linnet.Import {
	w.Helper()
	return must(w.Archives.AddImport(w.ctx, me, kind, overwrite, `C:\lists\my.csv`, strings.NewReader(strings.Join(rows, "\n"))))(w)
}

// imports imports a file and waits until it is done.
func (w *world) imports(me linnet.ID, kind linnet.CSVKind, overwrite bool, rows ...string) *linnet.Import {
	w.Helper()
	i := w.brings(me, kind, overwrite, rows...)
	w.did(w.Archives.ConfirmImport(w.ctx, me, i.ID, nil))
	w.drain()
	return must(w.Archives.Import(w.ctx, me, i.ID))(w)
}

func (w *world) undoes(me linnet.ID, i *linnet.Import) {
	w.Helper()
	w.did(w.Archives.UndoImport(w.ctx, me, i.ID))
	w.drain()
	if now := must(w.Archives.Import(w.ctx, me, i.ID))(w); now.State != linnet.ImportUndone {
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
	onEngines(t, func(w *world) {
		ann, eve := w.person("ann"), w.person("eve")
		bob, cat, dan := w.person("bob"), w.person("cat"), w.person("dan")
		no := false
		for _, id := range []linnet.ID{bob, cat} {
			must(w.Social.Follow(w.ctx, ann, id, linnet.FollowOptions{Reposts: &no, Languages: &[]string{"de"}}))(w)
			must(w.Social.Mute(w.ctx, ann, id, linnet.MuteOptions{}))(w)
		}
		title := "Friends, and \"others\""
		l := must(w.Lists.CreateList(w.ctx, ann, linnet.ListChange{Title: &title}))(w)
		w.did(w.Lists.AddToList(w.ctx, ann, l.ID, []linnet.ID{bob, cat}))
		must(w.Posting.Marks.Bookmark(w.ctx, ann, w.post(bob, "kept").ID))(w)
		must(w.Social.Block(w.ctx, ann, dan))(w)
		w.drain()
		w.follow(eve, bob)
		before := map[linnet.CSVKind]string{}
		for _, kind := range linnet.CSVKinds() {
			before[kind] = w.csvOf(eve, kind)
			file := w.csvOf(ann, kind)
			for n := range 2 { // the second import changes nothing
				i := w.brings(eve, kind, false, file)
				if i.File != "my.csv" || i.State != linnet.ImportUnconfirmed || i.Here != i.Rows || n == 0 && w.csvOf(eve, kind) != before[kind] {
					w.Errorf("%s at first: %+v", kind, i)
				}
				w.did(w.Archives.ConfirmImport(w.ctx, eve, i.ID, nil))
				w.drain()
				equal(w, string(kind), lines(w.csvOf(eve, kind)), lines(file))
			}
		}
		w.check()
		all := must(w.Archives.Imports(w.ctx, eve))(w)
		for n := len(all) - 1; n >= 0; n-- { // oldest first, because only the first import added entries
			if all[n].State == linnet.ImportFinished {
				w.undoes(eve, &all[n])
			}
		}
		for kind, was := range before {
			equal(w, "undone "+string(kind), lines(w.csvOf(eve, kind)), lines(was))
		}
		if lists := must(w.Lists.Lists(w.ctx, eve))(w); len(lists) != 0 {
			w.Errorf("lists left: %+v", lists)
		}
		w.check()
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
	onEngines(t, func(w *world) {
		ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
		w.person("dan")
		no := false
		w.follow(ann, bob)
		must(w.Social.Follow(w.ctx, ann, cat, linnet.FollowOptions{Reposts: &no}))(w)
		for _, title := range []string{"One", "Two", "Three"} {
			l := must(w.Lists.CreateList(w.ctx, ann, linnet.ListChange{Title: &title}))(w)
			w.did(w.Lists.AddToList(w.ctx, ann, l.ID, []linnet.ID{bob, cat}))
		}
		follows, lists := w.csvOf(ann, linnet.FollowingCSV), w.csvOf(ann, linnet.ListsCSV)
		i := w.imports(ann, linnet.FollowingCSV, true, "bob", "dan@linnet.test")
		equal(w, "follows", lines(w.csvOf(ann, linnet.FollowingCSV)), lines("Account address,Show boosts,Notify on new posts,Languages\nbob@linnet.test,true,false,\ndan@linnet.test,true,false,\n"))
		equal(w, "report", []string{said(i)}, []string{"finished 2 of 2, 2 here, 0 failed, 1 removed"})
		w.undoes(ann, i)
		equal(w, "follows again", lines(w.csvOf(ann, linnet.FollowingCSV)), lines(follows))
		i = w.imports(ann, linnet.ListsCSV, true, "Two,dan", "Two,bob", "Four,cat")
		equal(w, "lists", lines(w.csvOf(ann, linnet.ListsCSV)), lines("Two,dan@linnet.test\nTwo,bob@linnet.test\nFour,cat@linnet.test\n"))
		if all := must(w.Lists.Lists(w.ctx, ann))(w); len(all) != 2 {
			w.Errorf("lists: %+v", all)
		}
		w.undoes(ann, i)
		equal(w, "lists again", lines(w.csvOf(ann, linnet.ListsCSV)), lines(lists))
		w.check()
	})
}

// TestImportBringsBackWhatItWas checks that an import restores all details: lists with settings and
// duplicate titles, endorsements, and mutes with their ends.
func TestImportBringsBackWhatItWas(t *testing.T) {
	clock := &clocked{}
	w := worldOf(t, memkv.New(memkv.Options{Now: clock.now}), store.Options{Now: clock.now})
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	w.person("dan")
	w.follow(ann, bob)
	must(w.Social.Endorse(w.ctx, ann, bob, true))(t)
	none, yes, title := linnet.RepliesNone, true, "Same"
	for _, who := range []linnet.ID{bob, cat} {
		l := must(w.Lists.CreateList(w.ctx, ann, linnet.ListChange{Title: &title, Exclusive: &yes, Replies: &none}))(t)
		w.did(w.Lists.AddToList(w.ctx, ann, l.ID, []linnet.ID{who}))
		must(w.Social.Mute(w.ctx, ann, who, linnet.MuteOptions{Notices: who == cat, For: time.Hour}))(t)
		yes, none = false, linnet.RepliesToFollowed
	}
	w.drain()
	stands := func() (out []string) {
		for _, l := range must(w.Lists.Lists(w.ctx, ann))(t) {
			out = append(out, fmt.Sprint(l.Title, l.Exclusive, l.Replies))
			for _, u := range must(w.Lists.ListMembers(w.ctx, ann, l.ID, linnet.Page{}))(t).Items {
				out = append(out, u.Login)
			}
		}
		for _, r := range must(w.Social.Relationships(w.ctx, ann, []linnet.ID{bob, cat}))(t) {
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
		i := w.imports(ann, c.kind, c.overwrite, c.file)
		w.undoes(ann, i)
		equal(t, string(c.kind), stands(), was)
		w.check()
	}
	i := w.imports(ann, linnet.MutesCSV, true, "dan")
	clock.turn(2 * time.Hour)
	w.undoes(ann, i)
	if rs := must(w.Social.Relationships(w.ctx, ann, []linnet.ID{bob, cat}))(t); rs[0].Muting || rs[1].Muting {
		t.Error("a mute comes back whose end has passed")
	}
	w.check()
}

// TestImportFails checks that failed rows state a reason and can be downloaded to be imported
// elsewhere. Locked accounts receive a follow request.
func TestImportFails(t *testing.T) {
	w := memWorld(t)
	ann, bob, eve := w.person("ann"), w.person("bob"), w.person("eve")
	yes := true
	must(w.Social.Profiles.Update(w.ctx, bob, linnet.ProfileChange{Locked: &yes}))(t)
	must(w.Social.Block(w.ctx, eve, ann))(t)
	i := w.imports(ann, linnet.FollowingCSV, false, "\ufeffAccount address,Languages,Colour", `@bob@LINNET.test,"en, de",red`, "nobody@linnet.test", "", `carl@far.example,,`, "ann", "eve", "bob@linnet.test", "a b c", `"quo""ted@x",fr`)
	equal(t, "report", []string{said(i)}, []string{"finished 1 of 7, 2 here, 6 failed, 0 removed"})
	rows, of, err := w.Archives.ImportRows(w.ctx, ann, i.ID, 0)
	if err != nil || of != 100 || len(rows) != 7 {
		t.Fatalf("%d rows of %d: %v", len(rows), of, err)
	}
	for n, says := range []string{"", "doesn't exist here", "on another server", "your own account", "not allowed", "not an account address", "on another server"} {
		if got := rows[n].Outcome; !strings.Contains(got, says) || (got == "") != (says == "") {
			t.Errorf("row %d, %s: %q, want %q", n, rows[n].Name, got, says)
		}
	}
	if r := must(w.Social.Relationship(w.ctx, ann, bob))(t); !r.Requested || fmt.Sprint(r.Languages) != "[de en]" {
		t.Errorf("the locked one: %+v", r)
	}
	var b bytes.Buffer
	w.did(w.Archives.WriteFailures(w.ctx, ann, i.ID, &b))
	if got := b.String(); !strings.HasPrefix(got, "Account address,Show boosts,Notify on new posts,Languages\nnobody@linnet.test,,,\n") || !strings.HasSuffix(got, "\"quo\"\"ted@x\",,,fr\n") {
		t.Errorf("failures: %q", got)
	}
	w.undoes(ann, i)
	if r := must(w.Social.Relationship(w.ctx, ann, bob))(t); r.Requested {
		t.Error("the request is there still")
	}
	kindIs(t, w.Archives.ConfirmImport(w.ctx, bob, i.ID, nil), linnet.NotFound)
	kindIs(t, w.Archives.UndoImport(w.ctx, bob, i.ID), linnet.NotFound)
	_, _, err = w.Archives.ImportRows(w.ctx, bob, i.ID, 0)
	kindIs(t, err, linnet.NotFound)
	kindIs(t, w.Archives.WriteFailures(w.ctx, bob, i.ID, &b), linnet.NotFound)
	w.check()
	w.did(w.Social.Deletion.DeleteUser(w.ctx, ann))
	w.check()
}

// TestImportRows checks that duplicate rows count separately, semicolons are accepted as
// separators, and invalid list titles are reported per row.
func TestImportRows(t *testing.T) {
	w := memWorld(t)
	ann, bob := w.person("ann"), w.person("bob")
	st := w.post(bob, "kept")
	i := w.imports(ann, linnet.BookmarksCSV, false, fmt.Sprintf("https://linnet.test/users/bob/statuses/%d", st.ID), fmt.Sprintf("https://linnet.test/@bob/%d", st.ID))
	equal(t, "bookmarks", []string{said(i)}, []string{"finished 2 of 2, 2 here, 0 failed, 0 removed"})
	w.undoes(ann, i)
	if must(w.View.Status(w.ctx, ann, st.ID))(t).Bookmarked {
		t.Error("the bookmark is there still")
	}
	i = w.imports(ann, linnet.FollowingCSV, false, "\ufeffAccount address;Show boosts", "bob;false")
	equal(t, "semicolons", []string{said(i)}, []string{"finished 1 of 1, 1 here, 0 failed, 0 removed"})
	if r := must(w.Social.Relationship(w.ctx, ann, bob))(t); !r.Following || r.Reposts {
		t.Errorf("%+v", r)
	}
	i = w.imports(ann, linnet.ListsCSV, false, ",bob", strings.Repeat("x", 300)+",bob", "Me,ann")
	rows, _, err := w.Archives.ImportRows(w.ctx, ann, i.ID, 0)
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
	w := memWorld(t)
	ann, bob := w.person("ann"), w.person("bob")
	w.follow(ann, bob)
	for _, c := range []struct {
		kind, looks linnet.CSVKind
		name, file  string
	}{
		{linnet.FollowingCSV, linnet.MutesCSV, "muted_accounts.csv", "bob"}, {linnet.FollowingCSV, linnet.MutesCSV, "f.csv", "Account address,Hide notifications\nbob,true"},
		{linnet.BlocksCSV, linnet.FollowingCSV, "blocks.csv", "Account address,Show boosts\nbob,true"}, {linnet.FollowingCSV, "", "following_accounts.csv", "bob"},
		{linnet.MutesCSV, "", "whatever.csv", "bob"}, {linnet.ListsCSV, "", "Lists.csv", "A,bob"},
	} {
		i := must(w.Archives.AddImport(w.ctx, ann, c.kind, false, c.name, strings.NewReader(c.file)))(t)
		if i.Looks != c.looks {
			t.Errorf("%s as %s seems to be %q, want %q", c.name, c.kind, i.Looks, c.looks)
		}
	}
	i := w.brings(ann, linnet.FollowingCSV, true, "nobody", "ann")
	kindIs(t, w.Archives.ConfirmImport(w.ctx, ann, i.ID, nil), linnet.Invalid)
	w.drain()
	if !must(w.Social.Relationship(w.ctx, ann, bob))(t).Following {
		t.Error("overwriting with nothing has removed a follow")
	}
}

// TestImportLimits checks that invalid files are refused with the limit and a remedy.
func TestImportLimits(t *testing.T) {
	w := memWorld(t)
	ann := w.person("ann")
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
		_, err := w.Archives.AddImport(w.ctx, ann, c.kind, false, "x.csv", strings.NewReader(c.file))
		kindIs(t, err, linnet.Invalid)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.20q: %v, want %q", c.file, err, c.says)
		}
	}
	for range linnet.MaxImports + 3 {
		w.brings(ann, linnet.FollowingCSV, false, "x")
	}
	if all := must(w.Archives.Imports(w.ctx, ann))(t); len(all) != linnet.MaxImports {
		t.Errorf("%d imports are kept", len(all))
	}
	w.check()
}

// TestImportIsResumed checks that an import continues after restarts, and that repeated batches do
// not take their own entries for earlier ones.
func TestImportIsResumed(t *testing.T) {
	clock := &clocked{}
	opt := store.Options{Now: clock.now}
	e := memkv.New(memkv.Options{Now: clock.now})
	w := idleWorld(t, e, opt)
	ann := w.person("ann")
	var rows []string
	for i := range 230 {
		w.person(fmt.Sprintf("u%03d", i))
		rows = append(rows, fmt.Sprintf("u%03d", i))
	}
	i := w.brings(ann, linnet.FollowingCSV, false, rows...)
	w.did(w.Archives.ConfirmImport(w.ctx, ann, i.ID, nil))
	for range 3 {
		w.again("import-csv", map[string]any{"user": ann, "id": i.ID})
	}
	w = serve(t, e, opt)
	if got := must(w.Archives.Import(w.ctx, ann, i.ID))(t); said(got) != "finished 230 of 230, 230 here, 0 failed, 0 removed" {
		t.Errorf("after: %s", said(got))
	}
	if n := strings.Count(w.csvOf(ann, linnet.FollowingCSV), "\n"); n != 231 {
		t.Errorf("%d lines", n)
	}
	w.did(w.Archives.UndoImport(w.ctx, ann, i.ID))
	w.again("import-csv", map[string]any{"user": ann, "id": i.ID})
	w = serve(t, e, opt)
	if n := strings.Count(w.csvOf(ann, linnet.FollowingCSV), "\n"); n != 1 {
		t.Errorf("%d lines after undoing", n)
	}
	w.check()
}
