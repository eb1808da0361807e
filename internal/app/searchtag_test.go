package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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
	w := memWorld(t)
	ann := w.user("ann")
	w.post(ann, "#zoological")
	for i := range 70 { // 700 tags
		var tags []string
		for j := range 10 {
			tags = append(tags, fmt.Sprintf("#zoo%c%c%d", 'a'+i/26, 'a'+i%26, j))
		}
		w.post(ann, "%s", strings.Join(tags, " "))
		if i%23 == 0 {
			w.post(w.user(fmt.Sprint("p", i)), "#zoom")
		}
	}
	w.drain()
	find := func(q string) []string { return tagNames(must(w.Discovery.SearchTags(w.ctx, searchFor(q)))(w)) }
	if got := find("z"); got[0] != "zoom" || len(got) != 20 {
		t.Errorf("z finds %v", got)
	}
	if got := find("zoolo"); !slices.Equal(got, []string{"zoological"}) {
		t.Errorf("zoolo finds %v", got)
	}
}

// TestTagsByPrefixRanked checks that each author counts once, and that earlier uses count less.
func TestTagsByPrefixRanked(t *testing.T) {
	w, clock := clockWorld(t)
	ann := w.user("ann")
	for _, who := range []string{"bob", "cat", "dan"} {
		w.post(w.user(who), "#teapot")
	}
	clock.turn(28 * 24 * time.Hour)
	for range 10 {
		w.post(ann, "#teacup")
	}
	w.post(w.user("eve"), "#teabag")
	w.post(w.user("fay"), "#teabag")
	w.drain()
	if got := tagNames(must(w.Discovery.SearchTags(w.ctx, searchFor("tea")))(w)); !slices.Equal(got, []string{"teabag", "teacup", "teapot"}) {
		t.Errorf("tea finds %v", got)
	}
}

// TestTagsByPrefixCost checks that a tag search takes three round trips for any number of tags.
func TestTagsByPrefixCost(t *testing.T) {
	c := newCosts(t)
	ann := c.user("ann")
	for i := range 40 {
		c.post(ann, "#tag%c%c #tagged%d", 'a'+i/26, 'a'+i%26, i)
	}
	c.rest()
	must(c.Discovery.SearchTags(c.ctx, searchFor("ta")))(t) // caches the trends
	if s := c.of("search for a tag", func() { must(c.Discovery.SearchTags(c.ctx, searchFor("ta")))(t) }); s.Reads > 3 || s.Queries > 200 {
		t.Errorf("%+v", s)
	}
}
