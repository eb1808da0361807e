package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Span asks for ids between two exclusive bounds (0: none), the newest below
// Below, or with Asc the oldest above Above.
type Span struct {
	Above, Below linnet.ID
	Asc          bool
	Limit        int
}

// query makes a range over a set whose members begin with an id.
func (sp Span) query(key kv.Key) *kv.Range {
	r := &kv.Range{Key: key, Desc: !sp.Asc, Limit: min(sp.Limit, kv.MaxRange)}
	if sp.Below != 0 {
		r.Below = &kv.Member{Score: sp.Below.Millis(), Member: sp.Below.String()}
	}
	if sp.Above != 0 {
		// '~' sorts behind every suffix that may follow the id
		r.Above = &kv.Member{Score: sp.Above.Millis(), Member: sp.Above.String() + "~"}
	}
	return r
}

// PostsRef is where a part of a profile timeline stands after Run: newest
// first, or with Asc oldest first.
type PostsRef struct {
	author linnet.ID
	r      *kv.Range
}

// Posts decodes the entries.
func (p PostsRef) Posts() []record.Post {
	out := make([]record.Post, len(p.r.Members))
	for i, m := range p.r.Members {
		out[i] = record.ParsePost(p.author, m.Member)
	}
	return out
}

// Shelf names the set in which lies what feeds are made of, by user.
type Shelf func(user linnet.ID) kv.Key

// ProfileShelf holds the statuses that a user has posted.
func ProfileShelf(user linnet.ID) kv.Key { return record.PostsKey(user) }

// Posts asks for a part of the profile timeline of a user.
func (b *Batch) Posts(user linnet.ID, sp Span) PostsRef { return b.Shelved(ProfileShelf, user, sp) }

// Newest asks for a user's newest status, whatever its kind: what is written next
// has to come after it. It is 0 if there is none, and may be one deleted since.
func (b *Batch) Newest(user linnet.ID) *linnet.ID {
	if c := b.s.cache; !b.s.opt.Shared && c.alive.Load() {
		if u, ok := c.users.GetIfPresent(user); ok && u.newest != 0 {
			newest := u.newest
			return &newest
		}
	}
	newest := new(linnet.ID)
	posts := Span{Limit: 1}.query(record.PostsKey(user))
	b.ask(posts, func() error {
		for _, p := range (PostsRef{user, posts}).Posts() {
			*newest = p.ID
		}
		return nil
	})
	return newest
}

// Shelved asks for a part of what a shelf holds of a user.
func (b *Batch) Shelved(shelf Shelf, user linnet.ID, sp Span) PostsRef {
	r := sp.query(shelf(user))
	b.ask(r, nil)
	return PostsRef{user, r}
}

// Merged is what MergePosts found.
type Merged struct {
	Posts []record.Post // newest first, each once
	// Floor: what lies at or below it was not looked at, for some author; 0 if
	// everything was.
	Floor linnet.ID
	// Ceiling is the same for rising reads: what lies at or above it was not
	// looked at; 0 if everything was.
	Ceiling linnet.ID
}

// MergePosts reads a span of what a shelf holds of each author in one round trip
// and merges it. What keep refuses is left out. The result is complete above
// the floor (or below the ceiling) and is cut there.
func (s *Store) MergePosts(ctx context.Context, shelf Shelf, authors []linnet.ID, sp Span, keep func(record.Post) bool) (Merged, error) {
	var m Merged
	qs := make([]kv.Query, len(authors))
	for i, a := range authors {
		qs[i] = sp.query(shelf(a))
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return m, fmt.Errorf("read profile timelines: %w", err)
	}
	for i, q := range qs {
		r := q.(*kv.Range)
		if len(r.Members) == r.Limit { // there may be more of this author
			last, _ := record.SplitEntry(r.Members[len(r.Members)-1].Member)
			if sp.Asc {
				if m.Ceiling == 0 || last+1 < m.Ceiling {
					m.Ceiling = last + 1
				}
			} else {
				m.Floor = max(m.Floor, last-1)
			}
		}
		for _, x := range r.Members {
			if p := record.ParsePost(authors[i], x.Member); keep(p) {
				m.Posts = append(m.Posts, p)
			}
		}
	}
	m.Posts = slices.DeleteFunc(m.Posts, func(p record.Post) bool {
		return p.ID <= m.Floor || m.Ceiling != 0 && p.ID >= m.Ceiling
	})
	slices.SortFunc(m.Posts, func(a, b record.Post) int { return cmp.Compare(b.ID, a.ID) })
	return m, nil
}

// FeedPage is where a page of a feed stands after Run.
type FeedPage struct {
	Cold    bool // the feed has to be rebuilt
	Filling bool // somebody rebuilds it at this moment
	Floor   linnet.ID

	feed kv.Feed
}

// IDs are what stands on the page, newest first; nothing of a feed that is cold or
// being filled.
func (p *FeedPage) IDs() []linnet.ID {
	ids := make([]linnet.ID, p.Len())
	for i := range ids {
		ids[i] = p.ID(i)
	}
	return ids
}

// Len is how many IDs there are.
func (p *FeedPage) Len() int { return len(p.feed.IDs) }

// ID is one of IDs.
func (p *FeedPage) ID(i int) linnet.ID { return linnet.ID(p.feed.IDs[i]) }

// Feed asks for a page of a feed.
func (b *Batch) Feed(key kv.Key, sp Span) *FeedPage {
	page := &FeedPage{feed: kv.Feed{Key: key, Above: uint64(sp.Above), Below: uint64(sp.Below), Asc: sp.Asc, Limit: sp.Limit}}
	b.ask(&page.feed, func() error {
		f := &page.feed
		page.Cold, page.Filling, page.Floor = f.State == kv.Cold, f.State == kv.Filling, linnet.ID(f.Floor)
		return nil
	})
	return page
}

// fillTTL is how long a filling may take before others may begin anew.
const fillTTL = 30 * time.Second

// BeginFill marks a cold feed as being filled by the holder of token: what is
// pushed from now on is kept.
func (s *Store) BeginFill(ctx context.Context, key kv.Key, token string) error {
	return s.kv.Apply(ctx, kv.Fill{Key: key, Token: token, TTL: fillTTL})
}

// EndFill hands over what was read since BeginFill, complete above floor.
func (s *Store) EndFill(ctx context.Context, key kv.Key, token string, ids []linnet.ID, floor linnet.ID) error {
	return s.kv.Apply(ctx, kv.Filled{Key: key, Token: token, IDs: rawIDs(ids), Floor: uint64(floor)})
}

func rawIDs(ids []linnet.ID) []uint64 {
	out := make([]uint64, len(ids))
	for i, id := range ids {
		out[i] = uint64(id)
	}
	return out
}

// Push puts a status into many feeds in one go; cold ones ignore it.
func (s *Store) Push(ctx context.Context, id linnet.ID, feeds []kv.Key) error {
	ops, pushes := make([]kv.Op, len(feeds)), make([]kv.Push, len(feeds))
	for i, k := range feeds {
		pushes[i] = kv.Push{Key: k, ID: uint64(id)}
		ops[i] = &pushes[i]
	}
	return s.kv.Apply(ctx, ops...)
}

// Pull takes a status out of many feeds.
func (s *Store) Pull(ctx context.Context, id linnet.ID, feeds []kv.Key) error {
	ops := make([]kv.Op, len(feeds))
	for i, k := range feeds {
		ops[i] = kv.Pull{Key: k, ID: uint64(id)}
	}
	return s.kv.Apply(ctx, ops...)
}

// MergeFeed puts many statuses into one feed: after a follow, the newest of who
// is followed (listing 8.4). Other feeds that depend on the follow are forgotten.
func (s *Store) MergeFeed(ctx context.Context, feed kv.Key, ids []linnet.ID, forget ...kv.Key) error {
	ops := make([]kv.Op, 0, 1+len(forget))
	if len(ids) > 0 {
		ops = append(ops, kv.Merge{Key: feed, IDs: rawIDs(ids)})
	}
	for _, k := range forget {
		ops = append(ops, kv.Delete{Key: k})
	}
	if len(ops) == 0 {
		return nil
	}
	return s.kv.Apply(ctx, ops...)
}

// ForgetFeeds makes feeds cold: the next read rebuilds them.
func (s *Store) ForgetFeeds(ctx context.Context, feeds ...kv.Key) error {
	ops := make([]kv.Op, len(feeds))
	for i, k := range feeds {
		ops[i] = kv.Delete{Key: k}
	}
	return s.kv.Apply(ctx, ops...)
}

// How much of a slice of the global timeline and of a tag is kept, and one of how many
// additions trims: of those by one server to a slice, and of all to a tag. An
// embedded store walks past all that is kept and what was deleted below it, which is
// why so few do.
const (
	GlobalKeep = 2500
	globalTrim = 256
	tagKeep    = 40_000
	tagTrim    = 4096
)

// trimsTags says whether a status is the one of so many. The bits of its id are mixed,
// since most are alike in all statuses of an author, or of a moment.
func trimsTags(id linnet.ID) bool { return mixed(id)%tagTrim == 0 }

func mixed(id linnet.ID) uint64 { return uint64(id) * 0x9e3779b97f4a7c15 >> 32 }

// publishOps enter a public status into the global timeline and its tags.
func (s *Store) publishOps(st *linnet.Status) []kv.Op {
	slice := record.GlobalSlice(st.Author)
	global := record.GlobalKey(slice)
	ops := []kv.Op{kv.Add{Key: global, Member: st.ID.String(), Score: st.ID.Millis()}}
	if s.added[slice].Add(1)%globalTrim == 0 {
		ops = append(ops, kv.Trim{Key: global, Keep: GlobalKeep})
	}
	return append(ops, TagOps(st, trimsTags(st.ID))...)
}

func TagOps(st *linnet.Status, trim bool) []kv.Op {
	var ops []kv.Op
	for _, t := range st.Tags {
		ops = append(ops, kv.Add{Key: record.TagKey(t), Member: record.TagMember(st), Score: st.ID.Millis()})
		if trim {
			ops = append(ops, kv.Trim{Key: record.TagKey(t), Keep: tagKeep})
		}
	}
	return ops
}

// Publish enters a public status into the global timeline and the timelines of
// its tags, which must be folded.
func (s *Store) Publish(ctx context.Context, st *linnet.Status, foldedTags []string) error {
	folded := *st
	folded.Tags = foldedTags
	return s.publish(ctx, &folded, s.publishOps(&folded))
}

// publish makes the changes that enter a status, and only then enters its tags into
// what is searched, see forgetTags.
func (s *Store) publish(ctx context.Context, st *linnet.Status, ops []kv.Op) error {
	if err := s.kv.Apply(ctx, ops...); err != nil || len(st.Tags) == 0 {
		return err
	}
	return s.kv.Apply(ctx, TagNamesOf(st)...)
}

// Unpublish takes a status out of them.
func (s *Store) Unpublish(ctx context.Context, st *linnet.Status, foldedTags []string) error {
	ops := []kv.Op{kv.Remove{Key: record.GlobalKey(record.GlobalSlice(st.Author)), Member: st.ID.String()}}
	for _, t := range foldedTags {
		ops = append(ops, kv.Remove{Key: record.TagKey(t), Member: record.TagMember(st)})
	}
	if err := s.kv.Apply(ctx, ops...); err != nil || len(foldedTags) == 0 {
		return err
	}
	return s.forgetTags(ctx, foldedTags)
}

// Global reads a span of the global timeline: its slices, merged, newest first.
func (s *Store) Global(ctx context.Context, sp Span) ([]linnet.ID, error) {
	keys := make([]kv.Key, record.GlobalSlices)
	for i := range keys {
		keys[i] = record.GlobalKey(i)
	}
	return s.mergeSets(ctx, keys, sp)
}

// Tagged reads a span of the timelines of folded tags, merged, newest first.
func (s *Store) Tagged(ctx context.Context, tags []string, sp Span) ([]linnet.ID, error) {
	keys := make([]kv.Key, len(tags))
	for i, t := range tags {
		keys[i] = record.TagKey(t)
	}
	return s.mergeSets(ctx, keys, sp)
}

func (s *Store) mergeSets(ctx context.Context, keys []kv.Key, sp Span) ([]linnet.ID, error) {
	qs := make([]kv.Query, len(keys))
	for i, k := range keys {
		qs[i] = sp.query(k)
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read timelines: %w", err)
	}
	var ids []linnet.ID
	for _, q := range qs {
		for _, m := range q.(*kv.Range).Members {
			head, _, _ := strings.Cut(m.Member, ".")
			if id, ok := linnet.ParseID(head); ok {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if sp.Asc {
		ids = ids[:min(len(ids), sp.Limit)]
		slices.Reverse(ids)
		return ids, nil
	}
	slices.Reverse(ids)
	return ids[:min(len(ids), sp.Limit)], nil
}

// PublishTags enters a public status into its tags' timelines only.
func (s *Store) PublishTags(ctx context.Context, st *linnet.Status, foldedTags []string) error {
	folded := *st
	folded.Tags = foldedTags
	return s.publish(ctx, &folded, TagOps(&folded, trimsTags(st.ID)))
}
