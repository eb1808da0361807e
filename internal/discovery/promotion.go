package discovery

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/notify"
	"linnet/internal/reading"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// A status is promoted when its score passes a level. It then enters the list "Top" of users who
// follow its author or a recent voter, or moves up there. A promotion is stored like a boost by
// @top and has its own id. So the list is in the order of promotions and works like other lists.
// docs/ranking.md has the reasons.

// TaskPromotion is the kind of task that delivers or removes a promotion.
const TaskPromotion = "promotion"

// Promotions promotes statuses. It is safe for concurrent use.
type Promotions struct {
	st    *store.Store
	tasks *task.Queue

	core     *core.Service
	timeline *timeline.Service
	reading  *reading.Service
	settings *identity.Settings

	firstLevel atomic.Pointer[firstLevel]
}

// NewPromotions returns the Promotions of a store.
func NewPromotions(b core.Base, c *core.Service, t *timeline.Service, r *reading.Service, i *identity.Settings) *Promotions {
	return &Promotions{st: b.Store, tasks: b.Tasks, core: c, timeline: t, reading: r, settings: i}
}

// Handlers returns the handlers of tasks.
func (s *Promotions) Handlers() map[string]task.Handler {
	return map[string]task.Handler{TaskPromotion: core.TaskHandler(s.carryPromotion)}
}

// Deleted deletes the promotions of a deleted status.
func (s *Promotions) Deleted(ctx context.Context, f event.Deleted) error {
	ids, err := s.st.Statuses.PromotionsOf(ctx, f.Status.ID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		p, err := s.statusRecord(ctx, id)
		if err != nil {
			return err
		}
		if p == nil {
			continue
		}
		t, err := s.tasks.New(id.Shard(), TaskPromotion, promotionOf(p, true))
		if err != nil {
			return err
		}
		if done, err := s.st.Statuses.Unpromote(ctx, p, t); err != nil {
			return err
		} else if done {
			s.tasks.Start(t)
		}
	}
	return nil
}

// VotesChanged promotes a status once for the highest level that its score has reached, unless its
// author is silenced. Below the next level it reads and writes nothing. It can run repeatedly and
// concurrently, because a transaction records each level only once.
func (s *Promotions) VotesChanged(ctx context.Context, f event.VotesChanged) error {
	if !f.Status.Rises(f.Votes, s.st.Now()) {
		return nil
	}
	st, err := s.st.Statuses.PromotionData(ctx, f.Status.ID, f.Status.Author, f.Status.Group)
	if err != nil || st.Status == nil || !st.Status.Promotable() {
		return err
	}
	total, err := s.settings.CountTotals(ctx)
	if err != nil {
		return err
	}
	if total.People >= linnet.SupportFrom {
		vouched, err := s.st.Statuses.Supported(ctx, st.AllVoters(), f.Status.Author, f.Status.Group)
		if err != nil {
			return err
		}
		st.Count(func(id linnet.ID) bool { return vouched[id] })
	}
	level, bar, first := st.Status.Level, st.Status.Bar, st.Status.Bar == 0
	if first {
		if bar, err = s.firstBar(ctx, total.People); err != nil {
			return err
		}
	}
	why := linnet.UsualWeights().Rank(st.Votes, s.st.Now().Sub(f.Status.ID.Time()))
	for why.Reaches(bar) {
		level, bar = level+1, 2*bar
	}
	if level == st.Status.Level && !first {
		return nil
	}
	if level == st.Status.Level || st.Author.Hidden() || st.Author.Silenced {
		// The level stays that of the existing promotion, see topRule.
		_, _, err := s.st.Statuses.Promote(ctx, st.Status, statuses.Promoting{Level: st.Status.Level, Bar: bar})
		return err
	}
	return s.announce(ctx, st, level, bar)
}

// firstLevelTTL is the time for which the first level of the server is cached.
const firstLevelTTL = 10 * time.Minute

// firstLevel is the first level of the server, and the time when it was computed.
type firstLevel struct {
	at  time.Time
	bar int64
}

// firstBar returns the first level of the server, which can be up to firstLevelTTL old.
func (s *Promotions) firstBar(ctx context.Context, people int64) (int64, error) {
	now := s.st.Now()
	if last := s.firstLevel.Load(); last != nil && now.Sub(last.at).Abs() <= firstLevelTTL {
		return last.bar, nil
	}
	votes, err := s.st.Statuses.SampleVotes(ctx, now.Add(-linnet.SampleAge))
	if err != nil {
		return 0, err
	}
	scores := make([]float64, len(votes))
	for i, v := range votes {
		if people >= linnet.SupportFrom {
			v.Replies = 0 // like the votes of the status, whose replies don't count
		}
		scores[i] = linnet.UsualWeights().Rank(v, 0).Score
	}
	last := &firstLevel{now, linnet.FirstBar(people, scores)}
	s.firstLevel.Store(last)
	return last.bar, nil
}

// announce creates a promotion, which replaces the previous one, and starts its delivery.
func (s *Promotions) announce(ctx context.Context, st statuses.PromotionData, level int, bar int64) error {
	if err := s.makeTop(ctx); err != nil {
		return err
	}
	b := s.st.Batch()
	refs := make([]*db.StatusRef, len(st.Earlier))
	for i, id := range st.Earlier {
		refs[i] = b.Status(id)
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	var earlier []*linnet.Status
	for _, ref := range refs {
		if ref.Status != nil {
			earlier = append(earlier, ref.Status)
		}
	}
	by, err := s.promoters(ctx, st, earlier)
	if err != nil {
		return err
	}
	p := &linnet.Status{Author: linnet.TopAccount, Visibility: st.Status.Visibility, RepostOf: st.Status.ID,
		RepostAuthor: st.Status.Author, Level: level, Promoters: by, Version: 1}
	ts, done, err := s.st.Statuses.Promote(ctx, st.Status, statuses.Promoting{Level: level, Bar: bar, By: p, Instead: earlier,
		Carry: func(id linnet.ID) ([]task.Task, error) {
			var ts []task.Task
			changes := []promotionArgs{promotionOf(p, false)}
			for _, e := range earlier {
				changes = append(changes, promotionOf(e, true))
			}
			for _, a := range changes {
				t, err := s.tasks.New(id.Shard(), TaskPromotion, a)
				if err != nil {
					return nil, err
				}
				ts = append(ts, t)
			}
			return ts, nil
		}})
	if err != nil || !done {
		return err
	}
	for _, t := range ts {
		s.tasks.Run(ctx, t)
	}
	return nil
}

// promoters returns the users whose followers get a promotion: recent voters who are visible to
// strangers, then the promoters of earlier promotions, so that it moves in feeds that contain it. A
// promotion names its promoters, so users who voted only with a followers-only boost are left out.
// It returns none if the author is not discoverable.
func (s *Promotions) promoters(ctx context.Context, st statuses.PromotionData, earlier []*linnet.Status) ([]linnet.ID, error) {
	if !st.Author.Discoverable {
		return nil, nil
	}
	voters := slices.Clone(st.Voters)
	for _, p := range slices.Backward(earlier) {
		for _, id := range p.Promoters {
			if len(voters) < linnet.StoredPromoters && !slices.Contains(voters, id) {
				voters = append(voters, id)
			}
		}
	}
	b := s.st.Batch()
	refs := make([]*db.UserRef, len(voters))
	for i, id := range voters {
		refs[i] = b.User(id)
	}
	reposts, err := s.st.Statuses.RepostIDs(ctx, st.Status.ID, voters...)
	if err != nil {
		return nil, err
	}
	records := make(map[linnet.ID]*db.RecordRef, len(reposts))
	for user, id := range reposts {
		records[user] = b.StatusRecord(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	return notify.Chosen(voters, func(i int) bool {
		u, repost := refs[i].User, records[voters[i]]
		closed := repost != nil && repost.Status != nil && !repost.Status.Visibility.Open()
		return u != nil && !u.Hidden() && !u.Silenced && !(closed && !st.Favourited(voters[i]))
	}), nil
}

// makeTop creates the account that promotes, if it doesn't exist.
func (s *Promotions) makeTop(ctx context.Context) error {
	u, err := s.core.LookupUser(ctx, linnet.TopAccount)
	if err != nil || u != nil {
		return err
	}
	return s.st.Accounts.MakeTop(ctx, linnet.User{Name: "Top", Bot: true,
		Note: "Shows in the list Top what many people like, each time their number has doubled. Kept by this server; nobody writes here."})
}

// promotionArgs are the progress of delivering or removing a promotion.
type promotionArgs struct {
	Promotion linnet.ID   `json:"promotion"`
	Of        linnet.ID   `json:"status"`
	People    []linnet.ID `json:"people"` // the author and the promoters, whose followers get the promotion
	At        int         `json:"at,omitempty"`
	Back      bool        `json:"back,omitempty"`
	timeline.Cursor
}

// stageFollowers is the stage in which a promotion is delivered to the followers of one user. The
// first stage adds it to that user's source.
const stageFollowers timeline.Stage = "followers"

func promotionOf(p *linnet.Status, back bool) promotionArgs {
	return promotionArgs{Promotion: p.ID, Of: p.RepostOf, People: append([]linnet.ID{p.RepostAuthor}, p.Promoters...), Back: back}
}

// carryPromotion delivers a promotion to the followers of its users, or removes it, one batch at a
// time.
func (s *Promotions) carryPromotion(ctx context.Context, a promotionArgs) (*promotionArgs, error) {
	before := s.st.WatchOf(append(slices.Clip(a.People), a.Promotion)...)
	p, err := s.statusRecord(ctx, a.Promotion)
	if err != nil || (p == nil) != a.Back {
		return nil, err
	}
	// Releases up to 2026 stored the position of a stage in this list.
	a.Stage = a.Stage.Named([]timeline.Stage{timeline.StageFirst, stageFollowers})
	if a.At == 0 && a.Stage == timeline.StageFirst {
		ev := core.Event{Type: linnet.EventUpdate, Status: a.Promotion}
		if a.Back {
			ev = core.Event{Type: linnet.EventDelete, Status: a.Promotion, Author: linnet.TopAccount, Of: a.People[0], Promoters: a.People[1:]}
		}
		s.core.Emit(ctx, a.Of, ev)
	}
	for budget := timeline.BatchSize; budget > 0 && a.At < len(a.People); {
		n, next, deleted, err := s.carryTo(ctx, a, before)
		if err != nil || deleted {
			return nil, err
		}
		if a.Cursor = next; next.Stage == timeline.StageDone {
			a.At, a.Cursor = a.At+1, timeline.Cursor{Stage: timeline.StageFirst}
		}
		budget -= n + timeline.BatchSize/100 // each user has a fixed cost too
	}
	if a.At == len(a.People) {
		return nil, nil
	}
	return &a, nil
}

// carryTo runs one batch for one user. gone reports that the status was deleted in the meantime.
func (s *Promotions) carryTo(ctx context.Context, a promotionArgs, before *db.Watch) (n int, next timeline.Cursor, deleted bool, err error) {
	who := a.People[a.At]
	switch {
	case a.Stage == timeline.StageFirst && a.Back:
		return 0, timeline.Cursor{Stage: stageFollowers}, false, s.st.Statuses.RemovePromotion(ctx, a.Promotion, who)
	case a.Stage == timeline.StageFirst:
		if err := s.st.Statuses.AddPromotion(ctx, a.Promotion, who); err != nil {
			return 0, a.Cursor, false, err
		}
		added := timeline.Delivery{Undo: func(ctx context.Context, _ []linnet.ID) error {
			return s.st.Statuses.RemovePromotion(ctx, a.Promotion, who)
		}}
		now, err := s.timeline.Overtaken(ctx, linnet.Entry{ID: a.Promotion, Author: who}, false, before, []timeline.Delivery{added})
		return 0, timeline.Cursor{Stage: stageFollowers}, now.Deleted, err
	case s.timeline.IsPulled(who, a.Promotion): // their followers read it from the source
		return 0, timeline.Cursor{Stage: timeline.StageDone}, false, nil
	case a.Back:
		n, next, err = s.timeline.EachBatch(ctx, record.Follows().CopyKey(who), a.Cursor, timeline.StageDone, func(ids []linnet.ID) error {
			return s.st.Feeds.Pull(ctx, a.Promotion, record.TopKeys(ids, nil))
		})
		return n, next, false, err
	}
	var ds timeline.Deliveries
	entry := linnet.Entry{ID: a.Promotion, Author: who} // like a status of that user
	if n, next, err = s.timeline.Push(ctx, entry, record.Follows(), record.TopKeys, a.Cursor, timeline.StageDone, &ds); err != nil {
		return 0, next, false, err
	}
	now, err := s.timeline.Overtaken(ctx, entry, false, before, ds.Done)
	return n, next, now.Deleted, err
}

// statusRecord reads a status's record. It returns nil if there is none.
func (s *Promotions) statusRecord(ctx context.Context, id linnet.ID) (*linnet.Status, error) {
	b := s.st.Batch()
	ref := b.Status(id)
	err := b.Run(ctx)
	return ref.Status, err
}

func (s *Promotions) topTimeline(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	return s.reading.FeedPage(ctx, me, s.timeline.TopFeed(me), p, topRule)
}

// topRule is the rule of "Top". A status is shown if the reader follows its author or wants boosts
// of a promoter, and if strangers can see the author. Statuses of the reader, and of blocked and
// muted users, are not shown. Only the last promotion of a status is shown, since earlier releases
// stored one per level.
func topRule(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
	o := v.Repost
	if o == nil || o.Author == l.Viewer || v.Level < o.Level || l.Unwanted(v) {
		return false
	}
	return l.Followed(o.Author) || !o.By.Silenced && slices.ContainsFunc(v.Promoters, func(id linnet.ID) bool {
		m := l.Relation(id)
		return m.Follows() && !m.Mutes() && !m.HidesReposts()
	})
}
