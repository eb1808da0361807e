package mastodon_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
)

// number matches ids, and cursors that contain ids.
var number = regexp.MustCompile(`[0-9]{15,}`)

// nextLink and prevLink are the neighbouring pages that a Link header names.
var (
	nextLink = regexp.MustCompile(`<https://linnet\.test([^>]*)>; rel="next"`)
	prevLink = regexp.MustCompile(`<https://linnet\.test([^>]*)>; rel="prev"`)
)

// hiding is a world in which ann has met accounts and statuses that are hidden from her now.
type hiding struct {
	*world
	hidden map[string]string // what each hidden id belongs to
}

// hide records that an id is hidden from ann.
func (h *hiding) hide(id, what string) { h.hidden[id] = what }

// posts writes n statuses that are hidden from ann, and one that ann can see before and after them.
func (h *hiding) posts(by string, n int, body string) {
	h.t.Helper()
	h.run([]step{{as: by, do: "POST /api/v1/statuses", body: "status=before+%23tag"}})
	for i := range n {
		h.run([]step{{as: by, do: "POST /api/v1/statuses", body: fmt.Sprintf("%s&status=%%23tag+%d", body, i), save: "last=id"}})
		h.hide(h.vars["last"], by+" "+body)
	}
	h.run([]step{{as: by, do: "POST /api/v1/statuses", body: "status=after+%23tag"}})
}

// newHiding has hidden entries in every kind of list that ann can read.
func newHiding(t *testing.T) *hiding {
	h := &hiding{newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, "ann", "bob", "cat", "gone", "foe", "shy", "dan"), map[string]string{}}
	h.run([]step{
		{before: giveRole("ann", linnet.Admin), as: "ann", do: "POST /api/v1/statuses", body: "status=mine+%23tag", save: "s=id"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=mine+too+%23tag", save: "s2=id"},
		{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}, {as: "bob", do: "POST /api/v1/accounts/{ann}/follow"},
		{as: "ann", do: "POST /api/v1/accounts/{bob}/endorse"}, {as: "ann", do: "POST /api/v1/lists", body: "title=L", save: "list=id"},
		{as: "ann", do: "POST /api/v1/lists/{list}/accounts", body: "account_ids[]={bob}"},
		{as: "ann", do: "POST /api/v1/tags/tag/follow"},
		{as: "ann", do: "POST /api/v1/groups", body: "username=owls&kind=private", save: "g=id"}, {as: "bob", do: "POST /api/v1/groups/{g}/join"},
		{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "locked=false"},
		{as: "shy", do: "PATCH /api/v1/accounts/update_credentials", body: "hide_collections=true"},
		{as: "shy", do: "POST /api/v1/accounts/{bob}/follow"}, {as: "bob", do: "POST /api/v1/accounts/{shy}/follow"},
		{as: "dan", do: "POST /api/v1/statuses/{s}/reblog", body: "visibility=private", save: "closed=id"},
		{as: "bob", do: "POST /api/v1/statuses/{s}/reblog"}, {as: "bob", do: "POST /api/v1/statuses/{s}/favourite"},
		{as: "cat", do: "POST /api/v1/statuses/{s}/reblog"},
	})
	h.hide(h.vars["closed"], "a repost for followers")
	for _, who := range []string{"gone", "foe"} { // each meets ann in every way, and is hidden then
		h.run([]step{
			{as: "ann", do: "POST /api/v1/accounts/{" + who + "}/follow"}, {as: who, do: "POST /api/v1/accounts/{ann}/follow"},
			{as: who, do: "POST /api/v1/accounts/{bob}/follow"}, {as: "bob", do: "POST /api/v1/accounts/{" + who + "}/follow"},
			{as: "bob", do: "POST /api/v1/accounts/{" + who + "}/endorse"},
			{as: "ann", do: "POST /api/v1/lists/{list}/accounts", body: "account_ids[]={" + who + "}"},
			{as: who, do: "POST /api/v1/groups/{g}/join"},
			{as: who, do: "POST /api/v1/statuses", body: "status=@ann+%23tag+hello", save: who + "1=id"},
			{as: who, do: "POST /api/v1/statuses", body: "status=@ann+psst&visibility=direct", save: who + "2=id"},
			{as: who, do: "POST /api/v1/statuses", body: "status=quote&quoted_status_id={s}", save: who + "3=id"},
			{as: who, do: "POST /api/v1/statuses", body: "status=answer&in_reply_to_id={s}", save: who + "4=id"},
			{as: who, do: "POST /api/v1/statuses/{s}/reblog", save: who + "5=id"},
			{as: who, do: "POST /api/v1/statuses/{s}/favourite"}, {as: who, do: "POST /api/v1/statuses/{s2}/favourite"},
			{as: "ann", do: "POST /api/v1/statuses/{" + who + "1}/favourite"}, {as: "ann", do: "POST /api/v1/statuses/{" + who + "1}/bookmark"},
		})
		for i := range 5 {
			h.hide(h.vars[fmt.Sprint(who, i+1)], "a post by "+who)
		}
	}
	h.run([]step{
		{as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+seen+%23tag", save: "m=id"}, {as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+psst&visibility=direct"},
		{as: "cat", do: "POST /api/v1/statuses", body: "status=@ann+psst&visibility=direct"},
		{as: "ann", do: "POST /api/v1/statuses/{m}/favourite"}, {as: "ann", do: "POST /api/v1/statuses/{m}/bookmark"},
		{as: "bob", do: "POST /api/v1/statuses", body: "status=quote&quoted_status_id={s}"}, {as: "cat", do: "POST /api/v1/statuses/{s}/favourite"},
	})
	h.posts("cat", 30, "visibility=private")
	h.posts("cat", 30, "visibility=direct")
	h.posts("bob", 30, "visibility=direct")
	h.posts("gone", 30, "visibility=public")
	h.posts("foe", 30, "visibility=public")
	h.settle()
	h.run([]step{{as: "ann/admin:write write", do: "POST /api/v1/admin/accounts/{gone}/action", body: "type=suspend"}, {as: "foe", do: "POST /api/v1/accounts/{ann}/block"}})
	h.settle()
	return h
}

// seesNothing fails if a text contains an id that is hidden from its reader, be it as a part of a
// cursor. Only ann is blocked by foe.
func (h *hiding) seesNothing(as, where, text string) {
	h.t.Helper()
	for _, n := range number.FindAllString(text, -1) {
		for id, what := range h.hidden {
			if as == "" && strings.Contains(what, "foe") {
				continue
			}
			if n == id || len(n) <= 35 && strings.HasSuffix(n, id) {
				h.t.Errorf("%s: %s is in %q", where, what, n)
			}
		}
	}
}

// No response names an entry that its reader cannot see: neither in its body nor in its links to
// other pages. Pages with hidden entries are not empty before the end.
func TestPagesNameNothingHidden(t *testing.T) {
	h := newHiding(t)
	ways := pagedWays()
	paths := []string{"/api/v1/accounts/{cat}/statuses", "/api/v1/accounts/{cat}/statuses?tagged=nosuchtag", "/api/v1/accounts/{cat}/statuses?only_media=true",
		"/api/v1/accounts/{bob}/statuses", "/api/v1/accounts/{bob}/followers", "/api/v1/accounts/{bob}/following", "/api/v1/accounts/{bob}/endorsements",
		"/api/v1/accounts/{gone}/statuses", "/api/v1/accounts/{foe}/statuses", "/api/v1/statuses/{s2}/favourited_by",
		"/api/v1/timelines/tag/nosuchtag?any[]=tag", "/api/v1/notifications?types[]=favourite", "/api/v1/timelines/list/0"}
	for p, path := range ways {
		if !strings.Contains(p, "admin") {
			paths = append(paths, strings.NewReplacer("{ann}", "{bob}", "{key}", "favourite-{s}").Replace(path))
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		for _, as := range []string{"ann", ""} {
			h.walk(as, path)
		}
	}
}

// walk reads all pages of a list, with one entry each, in both directions.
func (h *hiding) walk(as, path string) {
	h.t.Helper()
	sign := "?"
	if strings.Contains(path, "?") {
		sign = "&"
	}
	first := path + sign + "limit=1"
	for _, rel := range []*regexp.Regexp{nextLink, prevLink} {
		at, pages := first, 0
		if rel == prevLink {
			at = first + "&min_id=1"
		}
		for ; at != ""; pages++ {
			h.call(as, "GET "+at, "", "")
			if h.last.Code != http.StatusOK {
				break // not for this reader, or no such list
			}
			link, body := h.last.Header().Get("Link"), h.last.Body.String()
			where := fmt.Sprintf("%q reads %s", as, at)
			h.seesNothing(as, where+", Link", link)
			h.seesNothing(as, where+", body", body)
			m := rel.FindStringSubmatch(link)
			if m == nil {
				break
			}
			if strings.TrimSpace(body) == "[]" {
				h.t.Errorf("%s: an empty page before the end", where)
			}
			if at = m[1]; pages > 300 {
				h.t.Fatalf("%s: paging does not end: %.300s", where, body)
			}
		}
	}
}

// Rankings name no hidden entry either: not as the newest one, and not in cursors, also if an
// entry was hidden after the ranking was made.
func TestRankingsNameNothingHidden(t *testing.T) {
	h := newHiding(t)
	h.run([]step{
		{as: "ann", do: "POST /api/v1/linnet/feeds", body: `{"title":"all","order":"newest","sources":[{"type":"local"},{"type":"home"},{"type":"account","id":"{cat}"},{"type":"account","id":"{dan}"}]}`, save: "f=id"},
		{as: "dan", do: "POST /api/v1/statuses", body: "status=one"}, {as: "dan", do: "POST /api/v1/statuses", body: "status=two", save: "two=id"},
	})
	h.settle()
	look := func(when string) {
		h.t.Helper()
		for _, path := range []string{"/api/v1/linnet/timelines/catch_up", "/api/v1/linnet/timelines/feed/{f}"} {
			for cursor := ""; ; {
				h.call("ann", "GET "+path+"?limit=1&cursor="+cursor, "", "")
				body := h.last.Body.String()
				h.seesNothing("ann", when+" "+path, body)
				m := regexp.MustCompile(`"cursor":"([^"]*)"`).FindStringSubmatch(body)
				if h.last.Code != http.StatusOK {
					h.t.Fatalf("%s: %d %s", path, h.last.Code, body)
				}
				if m == nil {
					break
				}
				cursor = m[1]
				at, _ := base64.RawURLEncoding.DecodeString(cursor)
				h.seesNothing("ann", when+" the cursor of "+path, string(at))
			}
		}
	}
	look("at first")
	h.run([]step{{as: "dan", do: "POST /api/v1/accounts/{ann}/block"}})
	h.settle()
	h.hide(h.vars["two"], "a post by dan")
	look("after a block")
}
