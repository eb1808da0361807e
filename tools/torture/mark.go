package torture

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// mark is an act that a member can undo: a bookmark, repost, block, mute, list member or group
// membership.
type mark struct {
	kind string // key of markKinds
	id   string // of the status, account or group
}

// markKind describes the requests that set, remove and read a kind of mark.
type markKind struct {
	on, off string // paths; {id} is replaced with the id, {list} with the member's list
	ids     bool   // send the id as account_ids[]
	method  string // of off, "" for POST
	shown   string // path with a query for some ids, or path of the whole list
	field   string // boolean field of the result, or "" if each listed id is marked
}

func markKinds() map[string]markKind {
	const status, account = "/api/v1/statuses/{id}/", "/api/v1/accounts/{id}/"
	return map[string]markKind{
		"bookmark": {on: status + "bookmark", off: status + "unbookmark", shown: "/api/v1/statuses?", field: "bookmarked"},
		"repost":   {on: status + "reblog", off: status + "unreblog", shown: "/api/v1/statuses?", field: "reblogged"},
		"block":    {on: account + "block", off: account + "unblock", shown: "/api/v1/accounts/relationships?", field: "blocking"},
		"mute":     {on: account + "mute", off: account + "unmute", shown: "/api/v1/accounts/relationships?", field: "muting"},
		"list": {on: "/api/v1/lists/{list}/accounts", off: "/api/v1/lists/{list}/accounts", ids: true, method: http.MethodDelete,
			shown: "/api/v1/lists/{list}/accounts?limit=0&"},
		"group": {on: "/api/v1/groups/{id}/join", off: "/api/v1/groups/{id}/leave", shown: "/api/v1/groups/relationships?", field: "member"},
	}
}

// put sets or removes a mark.
func (m *member) put(ctx context.Context, r *Round, k mark, on bool) error {
	kind, after := markKinds()[k.kind], made
	path, method, form := kind.on, http.MethodPost, url.Values{}
	if !on {
		path, after = kind.off, absent
		if kind.method != "" {
			method = kind.method
		}
	}
	path = m.place(path, k.id)
	if kind.ids {
		form.Set("account_ids[]", k.id)
	}
	if method == http.MethodDelete {
		path, form = path+"?"+form.Encode(), nil
	}
	_, err := r.c.do(ctx, m.token, method, path, form, "", nil)
	m.marks[k] = judge(err, m.marks[k], after)
	if gone(err) {
		return nil // its author has deleted the status
	}
	return r.count(err)
}

func (m *member) place(path, id string) string {
	return strings.NewReplacer("{id}", id, "{list}", m.list).Replace(path)
}

// idlers is the number of followers who never act and can be blocked, muted and listed.
const idlers = 20

// anyMark sets or removes a random mark on a status or on a user who never acts, so that other
// checks are not affected.
func (m *member) anyMark(ctx context.Context, r *Round, p *post) error {
	on := m.rng.IntN(3) > 0
	idle := func(from int) string { return r.run.crowd[len(r.run.crowd)-1-from-m.rng.IntN(idlers/2)].id }
	switch kinds := []string{"bookmark", "repost", "block", "mute", "list", "group"}; kinds[m.rng.IntN(len(kinds))] {
	case "bookmark":
		return m.put(ctx, r, mark{"bookmark", p.id}, on)
	case "repost":
		return m.put(ctx, r, mark{"repost", p.id}, on)
	case "block":
		return m.put(ctx, r, mark{"block", idle(0)}, on)
	case "mute":
		return m.put(ctx, r, mark{"mute", idle(0)}, on)
	case "list":
		return m.put(ctx, r, mark{"list", idle(idlers / 2)}, on) // blocked users cannot be in lists
	}
	return m.put(ctx, r, mark{"group", r.run.group}, on)
}

// whisper marks statuses that the ledger does not expect in timelines.
const whisper = "whisper"

// say posts a direct message to a neighbour, a status for followers, or a group post.
func (m *member) say(ctx context.Context, r *Round) error {
	p := &post{text: fmt.Sprintf("%s %d %d %s %d", whisper, r.seed, r.Number, m.login, len(m.said)), visibility: "private",
		to: r.cast[(m.n+len(r.cast)-1)%len(r.cast)]} // follows m throughout
	switch m.rng.IntN(3) {
	case 0:
		p.visibility, p.text = "direct", "@"+p.to.login+" "+p.text
	case 1:
		p.visibility, p.text = "public", "@"+groupName+" "+p.text
	}
	m.said = append(m.said, p)
	return m.send(ctx, r, p)
}

// aside reports whether the ledger does not expect a status in timelines.
func (s status) aside() bool { return s.Reblog != nil || strings.Contains(s.Content, whisper+" ") }

// plain removes the statuses that the ledger does not expect in timelines.
func plain(list []status) []status {
	return slices.DeleteFunc(list, status.aside)
}

// mayMark is the number of ids per request.
const mayMark = 20

// marked checks that each mark has its acknowledged state.
func (r *Round) marked(ctx context.Context, m *member) error {
	byKind := map[string][]string{}
	for k, is := range m.marks {
		if is != unsure {
			byKind[k.kind] = append(byKind[k.kind], k.id)
		}
	}
	for name, ids := range byKind {
		for some := range slices.Chunk(ids, mayMark) {
			found, known, err := r.shown(ctx, m, name, some)
			if err != nil {
				return r.verdict(ctx, err)
			}
			for _, id := range some {
				if is := m.marks[mark{name, id}] == made; known(id) && found[id] != is {
					r.lost("%s of %s on %s: found %v, acknowledged %v", name, m.login, id, found[id], is)
				}
			}
		}
	}
	return nil
}

// shown returns the ids that bear a mark. known reports whether the state of an id is known, which
// it is not for deleted statuses.
func (r *Round) shown(ctx context.Context, m *member, name string, ids []string) (found map[string]bool, known func(string) bool, err error) {
	kind := markKinds()[name]
	query := url.Values{"id[]": ids}
	var list []map[string]any
	if _, err := r.c.do(ctx, m.token, http.MethodGet, m.place(kind.shown, "")+query.Encode(), nil, "", &list); err != nil {
		return nil, nil, err
	}
	found = map[string]bool{}
	for _, e := range list {
		id, _ := e["id"].(string)
		found[id] = kind.field == "" || e[kind.field] == true
	}
	return found, func(id string) bool {
		_, ok := found[id]
		return ok || kind.field == ""
	}, nil
}

// heard checks that each acknowledged whisper is shown to its receiver and to no one else.
func (r *Round) heard(ctx context.Context, m *member) error {
	for _, p := range m.said {
		if p.is != made {
			continue
		}
		for _, who := range []*member{m, p.to} {
			_, err := r.c.do(ctx, who.token, http.MethodGet, "/api/v1/statuses/"+p.id, nil, "", nil)
			if gone(err) {
				r.lost("%s status %s %q of %s, for %s", p.visibility, p.id, p.text, m.login, who.login)
			} else if err != nil {
				return r.verdict(ctx, err)
			}
		}
		if p.visibility == "public" {
			continue
		}
		stranger := r.run.crowd[len(r.run.crowd)-1]
		if _, err := r.c.do(ctx, stranger.token, http.MethodGet, "/api/v1/statuses/"+p.id, nil, "", nil); !gone(err) {
			r.problem("%s status %s of %s is shown to %s: %v", p.visibility, p.id, m.login, stranger.login, err)
		}
	}
	return nil
}
