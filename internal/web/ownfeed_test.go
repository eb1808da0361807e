package web

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// A feed is made, read, changed and deleted without a script; what is wrong with it
// is said beside it, with what was typed.
func TestOwnFeeds(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob, eve := w.user("ann"), w.user("bob"), w.user("eve")
	title := "Top 10"
	l, err := w.svc.Lists.CreateList(t.Context(), ann.ID, linnet.ListChange{Title: &title})
	if err == nil {
		err = w.svc.Lists.AddToList(t.Context(), ann.ID, l.ID, []linnet.ID{eve.ID})
	}
	if err != nil {
		t.Fatal(err)
	}
	w.post(bob.ID, linnet.Draft{Text: "by bob #birds"})
	w.post(eve.ID, linnet.Draft{Text: "by eve"})
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("ann")
	want(t, b.get("/feeds"), http.StatusOK, "No feeds yet")
	want(t, b.get("/feeds/new"), http.StatusOK, ">\nhome\n</textarea>", `value="86400" selected>a day`)
	send := func(sources, favourites string) answer {
		return b.post("/feeds/new", "title", "Mine", "sources", sources, "favourites", favourites, "reblogs", "2", "replies", "1", "half_life", "0", "window", "3600")
	}
	for _, x := range [][3]string{{"home", "many", "give a number from 0 to 100"}, {"home", "101", "It is 101: give a number from 0 to 100."}, {"", "1", "The sources are 0"},
		{"nonsense", "1", "which is none of home"}, {"@nobody", "1", "and nobody has that name"}, {"list None", "1", "you have made no list of that name"},
		{"home 20", "1", "give a number from 0.1 to 10"}, {"home\nlocal\n#a\n#b\n#c\n#d", "1", "are more than 5"}} {
		a := send(x[0], x[1])
		want(t, a, http.StatusUnprocessableEntity, x[2], `value="Mine"`)
	}
	a := send("#birds 3\r\nlist top 10 1\r\n@bob", "1")
	want(t, a, http.StatusSeeOther)
	path := a.Header.Get("Location")
	a = b.get(path)
	want(t, a, http.StatusOK, "by bob", "by eve", "Score 3 = 1 × 3 for where it came from")
	if strings.Index(a.body, "by bob") > strings.Index(a.body, "by eve") {
		t.Error("the weight of a source does not count")
	}
	want(t, b.get(path+"/edit"), http.StatusOK, "#birds 3\nlist Top 10 1\n@bob\n</textarea>", `value="0" selected>Age does not matter`)
	want(t, b.post(path+"/edit", "title", "Other", "sources", "@bob", "favourites", "1", "reblogs", "2", "replies", "1,5", "half_life", "86400", "window", "3600"), http.StatusSeeOther)
	want(t, b.get("/feeds"), http.StatusOK, "Other")
	want(t, b.get(path+"?cursor=x"), http.StatusSeeOther)
	want(t, b.get(path+"/edit"), http.StatusOK, `value="1.5"`)
	eves := w.browser().logIn("eve")
	eves.get("/feeds/new")
	want(t, eves.get(path), http.StatusNotFound)
	eves.get("/feeds/new")
	want(t, eves.post(path+"/delete"), http.StatusNotFound)
	b.get(path + "/edit")
	want(t, b.post(path+"/delete"), http.StatusSeeOther)
	want(t, b.get(path), http.StatusNotFound)
	want(t, b.get("/feeds"), http.StatusOK, "No feeds yet")
}
