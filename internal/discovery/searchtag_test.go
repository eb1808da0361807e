package discovery_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/discovery"
)

func tagNames(vs []discovery.TagView) (names []string) {
	for _, v := range vs {
		names = append(names, v.Name)
	}
	return names
}

// TestTagsByPrefixAmongMany checks that a popular tag is found by its first letter among many
// others, and an unused tag by a longer prefix.
func TestTagsByPrefixAmongMany(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.User("ann")
	w.Post(ann, "#zoological")
	for i := range 70 { // 700 tags
		var tags []string
		for j := range 10 {
			tags = append(tags, fmt.Sprintf("#zoo%c%c%d", 'a'+i/26, 'a'+i%26, j))
		}
		w.Post(ann, "%s", strings.Join(tags, " "))
		if i%23 == 0 {
			w.Post(w.User(fmt.Sprint("p", i)), "#zoom")
		}
	}
	w.Drain()
	find := func(q string) []string {
		return tagNames(apptest.Must(w.Discovery.SearchTags(w.Ctx, apptest.SearchFor(q)))(w))
	}
	if got := find("z"); got[0] != "zoom" || len(got) != 20 {
		t.Errorf("z finds %v", got)
	}
	if got := find("zoolo"); !slices.Equal(got, []string{"zoological"}) {
		t.Errorf("zoolo finds %v", got)
	}
}

// TestTagsByPrefixRanked checks that each author counts once, and that earlier uses count less.
func TestTagsByPrefixRanked(t *testing.T) {
	w, clock := apptest.WithClock(t)
	ann := w.User("ann")
	for _, who := range []string{"bob", "cat", "dan"} {
		w.Post(w.User(who), "#teapot")
	}
	clock.Advance(28 * 24 * time.Hour)
	for range 10 {
		w.Post(ann, "#teacup")
	}
	w.Post(w.User("eve"), "#teabag")
	w.Post(w.User("fay"), "#teabag")
	w.Drain()
	if got := tagNames(apptest.Must(w.Discovery.SearchTags(w.Ctx, apptest.SearchFor("tea")))(w)); !slices.Equal(got, []string{"teabag", "teacup", "teapot"}) {
		t.Errorf("tea finds %v", got)
	}
}

// TestTagsByPrefixCost checks that a tag search takes three round trips for any number of tags.
func TestTagsByPrefixCost(t *testing.T) {
	c := apptest.NewCosts(t)
	ann := c.User("ann")
	for i := range 40 {
		c.Post(ann, "#tag%c%c #tagged%d", 'a'+i/26, 'a'+i%26, i)
	}
	c.Rest()
	apptest.Must(c.Discovery.SearchTags(c.Ctx, apptest.SearchFor("ta")))(t) // caches the trends
	if s := c.Of("search for a tag", func() { apptest.Must(c.Discovery.SearchTags(c.Ctx, apptest.SearchFor("ta")))(t) }); s.Reads > 3 || s.Queries > 200 {
		t.Errorf("%+v", s)
	}
}
