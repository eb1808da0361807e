package discovery

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/timeline"
)

// SearchQuery is a search for accounts, tags or statuses.
type SearchQuery struct {
	Text      string
	Limit     int // 1 to 40; 0 for 20
	Offset    int
	Following bool      // only users that the viewer follows
	People    bool      // people and external feeds only, no groups
	Groups    bool      // groups only
	Account   linnet.ID // only statuses by this author; 0 for any
	Above     linnet.ID // only later statuses; 0 for no bound
	Below     linnet.ID // only earlier statuses; 0 for no bound
}

// maxTyped is the maximum length of a typed search in bytes.
const maxTyped = 800

// TypedQuery returns the query for the text of a search field.
func TypedQuery(typed string) SearchQuery {
	return SearchQuery{Text: strings.ToValidUTF8(typed[:min(len(typed), maxTyped)], ""), Limit: linnet.DefaultPage}
}

const (
	SearchMost   = 200 // accounts checked for one search
	searchPart   = 10  // minimum number of them that are checked together
	searchOffset = 1000
)

func (q *SearchQuery) limits() {
	if q.Limit == 0 {
		q.Limit = linnet.DefaultPage
	}
	q.Limit = min(max(q.Limit, 1), linnet.MaxPage)
	q.Offset = min(max(q.Offset, 0), searchOffset)
}

// window returns the part of a result that a query selects.
func window[T any](all []T, q SearchQuery) []T {
	all = all[min(q.Offset, len(all)):]
	return all[:min(q.Limit, len(all))]
}

// SearchUsers finds users by the beginning of their login or of a word of their name. An exact
// login is first, then users with the most followers.
// https://docs.joinmastodon.org/methods/accounts/#search
func (s *Service) SearchUsers(ctx context.Context, viewer linnet.ID, q SearchQuery) ([]linnet.UserView, error) {
	q.limits()
	login, status, ok := s.core.LocalAddress(q.Text)
	address := ok && status == 0
	if address {
		q.Text = login
	} else if login, ok = s.core.LocalLogin(q.Text); !ok {
		login = ""
	}
	prefix := login
	if prefix == "" {
		words := strings.Fields(q.Text)
		if len(words) == 0 {
			return nil, nil
		}
		prefix = words[0]
	}
	owner, ids, err := s.findable(ctx, login, prefix)
	if err != nil {
		return nil, err
	}
	if address { // the query is the address of an account
		ids = slices.DeleteFunc(ids, func(id linnet.ID) bool { return id != owner })
	}
	if q.Following {
		b := s.st.Batch()
		m := b.Related(record.Follows(), viewer, ids)
		if err := b.Run(ctx); err != nil {
			return nil, core.StoreError(err)
		}
		ids = m.Found()
	}
	if len(ids) > q.Offset+q.Limit { // otherwise all of them are loaded anyway
		b := s.st.Batch()
		followers := make(map[linnet.ID]*int64, len(ids))
		for _, id := range ids {
			followers[id] = b.Followers(id)
		}
		if err := b.Run(ctx); err != nil {
			return nil, core.StoreError(err)
		}
		slices.SortStableFunc(ids, byRank(owner, func(id linnet.ID) (linnet.ID, int64) { return id, *followers[id] }))
	}
	users, _, err := timeline.ShowParts(ids, false, q.Offset+q.Limit, searchPart, func(ids []linnet.ID) ([]linnet.UserView, error) {
		users, err := s.view.Users(ctx, viewer, ids)
		if err == nil {
			users, err = s.withoutSilenced(ctx, viewer, users, login)
		}
		return slices.DeleteFunc(users, func(u linnet.UserView) bool {
			return q.Groups && u.Group == linnet.NoGroup || q.People && u.Group != linnet.NoGroup || !matches(&u, q.Text, login)
		}), err
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(users, byRank(owner, func(u linnet.UserView) (linnet.ID, int64) { return u.ID, u.Followers }))
	return window(users, q), nil
}

// byRank compares results: the owner of the exact login comes first, then the users with more
// followers.
func byRank[T any](owner linnet.ID, of func(T) (linnet.ID, int64)) func(a, b T) int {
	rank := func(x T) int64 {
		id, followers := of(x)
		if id == owner {
			return math.MaxInt64
		}
		return followers
	}
	return func(a, b T) int { return cmp.Compare(rank(b), rank(a)) }
}

// findable returns the owner of a login, unless it is "", and the checked users with a login or
// word of the name that begins with prefix. The owner is included even if very many users match the
// prefix.
func (s *Service) findable(ctx context.Context, login, prefix string) (owner linnet.ID, ids []linnet.ID, err error) {
	ids, err = s.st.Accounts.UsersByPrefix(ctx, prefix, SearchMost)
	if err != nil || login == "" {
		return 0, ids, core.StoreError(err)
	}
	owner, err = s.st.Accounts.UserByLogin(ctx, login)
	if err != nil {
		return 0, nil, core.StoreError(err)
	}
	if owner != 0 && !owner.System() && !slices.Contains(ids, owner) {
		ids = append(ids, owner)
	}
	return owner, ids, nil
}

// withoutSilenced removes silenced users, except for themselves, their followers and viewers who
// searched for the exact login.
func (s *Service) withoutSilenced(ctx context.Context, viewer linnet.ID, users []linnet.UserView, login string) ([]linnet.UserView, error) {
	b := s.st.Batch()
	reader := b.Reader(viewer)
	for _, u := range users {
		if u.Silenced {
			reader.AskPerson(u.ID)
		}
	}
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	return slices.DeleteFunc(users, func(u linnet.UserView) bool {
		return u.Silenced && u.ID != viewer && !reader.Person(u.ID).Follows() && !strings.EqualFold(u.Login, login)
	}), nil
}

// matches reports whether each word of a search is the beginning of the login or of a word of the
// name.
func matches(u *linnet.UserView, query, login string) bool {
	if login != "" && strings.HasPrefix(strings.ToLower(u.Login), strings.ToLower(login)) {
		return true
	}
	have := append(strings.Fields(strings.ToLower(u.Name)), strings.ToLower(u.Login))
	for _, w := range strings.Fields(strings.ToLower(query)) {
		if !slices.ContainsFunc(have, func(h string) bool { return strings.HasPrefix(h, w) }) {
			return false
		}
	}
	return true
}

// MaintainIndex indexes posts of other servers and runs one batch of maintenance of the shared
// search index, if there is work and no other server does it. more reports whether it did. Run
// calls it at intervals.
func (s *Service) MaintainIndex(ctx context.Context) (more bool, err error) {
	return s.search.maintain(ctx, 0)
}

// RebuildIndex indexes all statuses again. The current index stays in use meanwhile.
func (s *Service) RebuildIndex(ctx context.Context) error {
	return core.StoreError(s.search.rebuild(ctx))
}

// IndexReport returns the state of the search index.
func (s *Service) IndexReport(ctx context.Context) (IndexReport, error) { return s.search.report(ctx) }
