package discovery

import (
	"context"
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/reading"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/text"
	"linnet/internal/timeline"
)

// SearchQuery asks for people, tags or statuses.
type SearchQuery struct {
	Text      string
	Limit     int // 1 to 40; 0: 20
	Offset    int
	Following bool      // only people whom the viewer follows
	People    bool      // of accounts only people
	Groups    bool      // of accounts only groups
	Account   linnet.ID // only statuses of this author
}

const (
	SearchMost   = 200 // people looked at for one search
	searchOffset = 1000
)

func (q *SearchQuery) limits() {
	if q.Limit == 0 {
		q.Limit = linnet.DefaultPage
	}
	q.Limit = min(max(q.Limit, 1), linnet.MaxPage)
	q.Offset = min(max(q.Offset, 0), searchOffset)
}

// window is the part of a result that a query asks for.
func window[T any](all []T, q SearchQuery) []T {
	all = all[min(q.Offset, len(all)):]
	return all[:min(q.Limit, len(all))]
}

// SearchUsers finds people by the beginning of their login or of a word of
// their name; who has just that login comes first, then those with the most
// followers.
// https://docs.joinmastodon.org/methods/accounts/#search
func (s *Service) SearchUsers(ctx context.Context, viewer linnet.ID, q SearchQuery) ([]linnet.UserView, error) {
	q.limits()
	login, ok := s.core.LocalLogin(strings.TrimPrefix(q.Text, s.opt.PublicURL+"/"))
	if !ok {
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
	ids, err := s.findable(ctx, login, prefix)
	if err != nil {
		return nil, err
	}
	if q.Following {
		b := s.st.Batch()
		m := b.EdgeHas(record.Follows(), viewer, ids)
		if err := b.Run(ctx); err != nil {
			return nil, core.StoreError(err)
		}
		ids = m.Found()
	}
	users, err := s.view.Users(ctx, viewer, ids)
	if err != nil {
		return nil, err
	}
	if users, err = s.withoutSilenced(ctx, viewer, users, login); err != nil {
		return nil, err
	}
	users = slices.DeleteFunc(users, func(u linnet.UserView) bool {
		return q.Groups && u.Person() || q.People && !u.Person() || !matches(&u, q.Text, login)
	})
	slices.SortStableFunc(users, func(a, b linnet.UserView) int {
		exactA, exactB := strings.EqualFold(a.Login, login), strings.EqualFold(b.Login, login)
		if exactA != exactB {
			if exactA {
				return -1
			}
			return 1
		}
		return int(b.Followers - a.Followers)
	})
	return window(users, q), nil
}

// findable returns the owner of a login, unless it is "", and those with a login or word
// of the name that begins with prefix, as far as they are looked at. However many share
// the prefix, the owner is among them.
func (s *Service) findable(ctx context.Context, login, prefix string) ([]linnet.ID, error) {
	ids, err := s.st.Accounts.UsersByPrefix(ctx, prefix, SearchMost)
	if err != nil || login == "" {
		return ids, core.StoreError(err)
	}
	owner, err := s.st.Accounts.UserByLogin(ctx, login)
	if err != nil {
		return nil, core.StoreError(err)
	}
	if owner != 0 && !owner.System() && !slices.Contains(ids, owner) {
		ids = append(ids, owner)
	}
	return ids, nil
}

// withoutSilenced leaves out who is silenced, but for themselves, those who
// follow them and those who know the very login.
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

// matches says whether every word of a search begins the login or a word of the
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

// searchFrom takes out of a search whose statuses it asks for: "from:me", or
// "from:" and a login.
func (s *Service) searchFrom(query string) (rest string, from []string) {
	words := strings.Fields(query)
	words = slices.DeleteFunc(words, func(w string) bool {
		who, is := cutPrefixFold(w, "from:")
		if is = is && who != ""; is {
			from = append(from, who)
		}
		return is
	})
	return strings.Join(words, " "), from
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// isMe says whether everybody whom a search names is the one who searches.
func (s *Service) isMe(ctx context.Context, me linnet.ID, names []string) (bool, error) {
	for _, name := range names {
		if strings.EqualFold(name, "me") {
			continue
		}
		login, ok := s.core.LocalLogin(name)
		if !ok {
			return false, nil
		}
		if id, err := s.st.Accounts.UserByLogin(ctx, login); err != nil || id != me {
			return false, core.StoreError(err)
		}
	}
	return true, nil
}

// SearchStatuses finds me's own statuses in which every word of the search
// stands, among the newest 4,000, with "from:me" and no word all of them; the address
// of a status finds that status, whoever wrote it, if me may see it.
func (s *Service) SearchStatuses(ctx context.Context, me linnet.ID, q SearchQuery) ([]linnet.StatusView, error) {
	q.limits()
	if v, ok, err := s.resolveURL(ctx, me, q.Text); ok || err != nil {
		return v, err
	}
	rest, from := s.searchFrom(q.Text)
	words := text.Words(rest)
	mine, err := s.isMe(ctx, me, from)
	if err != nil || me == 0 || !mine || len(words) == 0 && len(from) == 0 || q.Account != 0 && q.Account != me {
		return nil, err
	}
	position := func(id *linnet.ID) linnet.ID { return *id }
	found, err := timeline.Fill(db.Span{Limit: q.Offset + q.Limit}, position, func(sp db.Span, _ int) (r timeline.Round[linnet.ID], err error) {
		sp.Limit = reading.ProfileScan
		b := s.st.Batch()
		ref := b.Posts(me, sp)
		if err := b.Run(ctx); err != nil {
			return r, core.StoreError(err)
		}
		posts := ref.Posts()
		if r.End = len(posts) < sp.Limit; len(posts) > 0 {
			r.Reached = posts[len(posts)-1].ID
		}
		r.Items, err = s.withWords(ctx, posts, words)
		return r, err
	})
	if err != nil {
		return nil, err
	}
	return s.view.Statuses(ctx, me, window(found.Items, q))
}

// withWords are those of posts, but for reposts, in which all words stand; without words
// all that are there.
func (s *Service) withWords(ctx context.Context, posts []record.Post, words []string) ([]linnet.ID, error) {
	posts = slices.DeleteFunc(posts, func(p record.Post) bool { return p.Repost })
	texts := make([]*record.StatusText, len(posts))
	b := s.st.Batch()
	for i, p := range posts {
		texts[i] = b.StatusText(p.ID)
	}
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	var out []linnet.ID
	for i, t := range texts {
		if t.Author != 0 && text.HasWords(t.Text+"\n"+t.Warning, words) {
			out = append(out, posts[i].ID)
		}
	}
	return out, nil
}

// resolveURL finds the status that an address of this installation names.
func (s *Service) resolveURL(ctx context.Context, viewer linnet.ID, q string) ([]linnet.StatusView, bool, error) {
	path, ok := strings.CutPrefix(strings.TrimSpace(q), s.opt.PublicURL+"/")
	if !ok {
		return nil, false, nil
	}
	id, ok := linnet.ParseID(path[strings.LastIndexByte(path, '/')+1:])
	if !ok {
		return nil, false, nil
	}
	v, err := s.view.Status(ctx, viewer, id)
	if linnet.KindOf(err) == linnet.NotFound {
		return nil, true, nil
	}
	return []linnet.StatusView{v}, true, err
}
