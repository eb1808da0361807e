package moderation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/task"
	"linnet/internal/text"
	"linnet/internal/view"
)

// moderatePosts applies an action of staff to posts of one account. It creates a strike with a task
// that carries the action out, so that no post is deleted without its owner being notified. It
// returns NotFound for posts that the moderator can't see, unless they are in the report.
func (s *Service) moderatePosts(ctx context.Context, by linnet.Actor, m linnet.Measure) error {
	acting, err := s.core.AuthorizeOn(ctx, by, linnet.ManageReports, m.On)
	if err = cmp.Or(err, core.NotSystem(m.On)); err != nil {
		return err
	}
	u, err := s.core.LookupUser(ctx, m.On)
	switch {
	case err != nil:
		return err
	case u == nil:
		return core.ErrNoUser
	case !acting.Role.Over(u.Role):
		return core.ErrNotAllowed
	case len(m.Posts) > linnet.MaxModerate:
		return linnet.FieldError("status_ids", "ERR_TOO_LONG", "can have at most %[2]d entries (%[1]d given)", len(m.Posts), linnet.MaxModerate)
	}
	posts, err := s.struck(ctx, m)
	if err == nil && len(posts) == 0 {
		err = view.ErrNoStatus
	}
	if err != nil {
		return err
	}
	for _, p := range posts {
		if _, err := s.PostFor(ctx, by, p.ID, m.Report); err != nil {
			return err
		}
	}
	posts, err = changing(m, posts)
	if err != nil || len(posts) == 0 {
		return err
	}
	act := s.core.NewAct(by, m.Act, m.On)
	act.Report = m.Report
	if act.Reason, err = core.ReasonLine(m.Reason); err != nil {
		return err
	}
	st, err := s.newStrike(ctx, act, m, posts)
	if err != nil {
		return err
	}
	t, err := s.st.Staff.CreateStrike(ctx, &st, func(id linnet.ID) (task.Task, error) {
		return s.tasks.New(id.Shard(), taskStruck, struckArgs{Strike: id, Act: act, Picture: m.Picture, Email: m.Email})
	})
	if errors.Is(err, db.ErrDeleted) {
		return core.ErrNoUser
	}
	if err != nil {
		return core.StoreError(err)
	}
	s.tasks.Run(ctx, t)
	return nil
}

// changing returns the posts that an action changes, or an error if it makes no sense for them.
func changing(m linnet.Measure, posts []*linnet.Status) ([]*linnet.Status, error) {
	switch m.Act {
	case linnet.MarkSensitive:
		return slices.DeleteFunc(posts, func(p *linnet.Status) bool { return p.Sensitive || p.RepostOf != 0 }), nil
	case linnet.RemovePicture:
		if len(posts) != 1 {
			return nil, linnet.FieldError("status_ids", "ERR_INVALID", "must contain exactly one post: the one with the picture")
		}
		p, is := posts[0], func(a linnet.Attachment) bool { return a.ID == m.Picture }
		switch {
		case !slices.ContainsFunc(p.Media, is) && !slices.ContainsFunc(p.Former, is):
			return nil, linnet.FieldError("media_id", "ERR_INVALID", "is not a picture of this post")
		case len(p.Media) == 1 && is(p.Media[0]) && text.Blank(p.Text) && p.Poll == nil:
			return nil, linnet.FieldError("media_id", "ERR_INVALID", "is the only content of this post. Delete the post instead")
		}
	}
	return posts, nil
}

// PostFor returns a post that a moderator can act on: one that they can see, or one in a report.
func (s *Service) PostFor(ctx context.Context, by linnet.Actor, id, report linnet.ID) (linnet.StatusView, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageReports); err != nil {
		return linnet.StatusView{}, err
	}
	reported := by.IsOperator()
	if report != 0 && !reported {
		found, err := s.st.Staff.Reports(ctx, []linnet.ID{report})
		if err != nil {
			return linnet.StatusView{}, core.StoreError(err)
		}
		reported = len(found) > 0 && slices.Contains(found[0].Statuses, id)
	}
	l := s.view.Loader(by.ID())
	l.Staff = reported
	l.Want(id, 0)
	if err := l.Run(ctx); err != nil {
		return linnet.StatusView{}, err
	}
	v, ok := l.View(id)
	if !ok {
		return v, view.ErrNoStatus
	}
	return v, nil
}

// struck returns the existing posts of an action. It ignores posts of other accounts.
func (s *Service) struck(ctx context.Context, m linnet.Measure) (posts []*linnet.Status, err error) {
	for _, id := range m.Posts {
		st, err := s.st.Statuses.Status(ctx, id)
		if err != nil {
			return nil, core.StoreError(err)
		}
		if st != nil && st.Author == m.On {
			posts = append(posts, st)
		}
	}
	return posts, nil
}

// newStrike returns the strike of an action about some posts, without an id.
func (s *Service) newStrike(ctx context.Context, act core.ActArgs, m linnet.Measure, posts []*linnet.Status) (st linnet.Strike, err error) {
	st = linnet.Strike{On: act.On, By: act.By, Act: act.Act, Text: act.Reason, Report: act.Report}
	rules, err := s.checkRules(ctx, m.Rules)
	if err != nil {
		return st, err
	}
	in, _, err := s.st.Instance.Get(ctx)
	if err != nil {
		return st, core.StoreError(err)
	}
	for _, n := range rules {
		st.Rules = append(st.Rules, linnet.BrokenRule{Number: n, Text: in.Rules[n-1]})
	}
	for _, p := range posts {
		excerpt := []rune(cmp.Or(p.Text, p.Warning))
		st.Posts = append(st.Posts, linnet.StruckPost{ID: p.ID, Excerpt: string(excerpt[:min(len(excerpt), linnet.MaxExcerpt)])})
	}
	return st, nil
}

// struckArgs have a strike whose action on posts is to be carried out.
type struckArgs struct {
	Strike  linnet.ID    `json:"strike"`
	Act     core.ActArgs `json:"act"`
	Picture linnet.ID    `json:"picture,omitempty"`
	Email   bool         `json:"email,omitempty"`
}

// carryOut applies the action of a strike to its posts, adds it to the audit log and notifies the
// owner.
func (s *Service) carryOut(ctx context.Context, a struckArgs) (*struckArgs, error) {
	found, err := s.st.Staff.Strikes(ctx, []linnet.ID{a.Strike})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	for _, p := range found[0].Posts {
		switch found[0].Act {
		case linnet.DeletePosts:
			var st *linnet.Status
			if st, err = s.st.Statuses.Status(ctx, p.ID); err == nil && st != nil {
				err = s.posting.Remove(ctx, st)
			}
		case linnet.MarkSensitive:
			err = s.posting.Mark(ctx, p.ID, true)
		case linnet.RemovePicture:
			err = s.posting.RemovePicture(ctx, p.ID, a.Picture)
		}
		if err != nil {
			return nil, fmt.Errorf("moderate status %v: %w", p.ID, err)
		}
	}
	if err := s.st.Staff.LogAct(ctx, a.Act.Record()); err != nil {
		return nil, err
	}
	return nil, s.Strikes.notifyOwner(ctx, a.Strike, a.Email)
}
