package social

import (
	"context"
	"strconv"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/task"
)

// What administrators do to the installation, and moderators to people who cannot
// help themselves. Every act is entered into the log of acts before it is done, so
// that none is missing there.

// Words of the log of acts beside those of moderation. They stay readable for ever.
const (
	actSettings  linnet.Moderation = "settings"
	actCreate    linnet.Moderation = "create"
	actInvite    linnet.Moderation = "invite"
	actRevoke    linnet.Moderation = "revoke_invite"
	actRetry     linnet.Moderation = "retry_task"
	actDrop      linnet.Moderation = "drop_task"
	actPassword  linnet.Moderation = "password"
	actTwoFactor linnet.Moderation = "two_factor_off"

	actResetLink     linnet.Moderation = "reset_link"
	actTwoFactorLink linnet.Moderation = "two_factor_link"

	IssueTokens linnet.Moderation = "issue_tokens" // see LogCommand
	ImportWorld linnet.Moderation = "import"
)

// CheckAdmin is Forbidden for who is no administrator.
func (s *Service) CheckAdmin(ctx context.Context, me linnet.ID) error {
	return s.mayRead(ctx, me, linnet.Admin)
}

// logAct enters an act into the log, before it is done; by is 0, or the Operator, for
// commands. It refuses a reason that the log does not take.
func (s *Service) logAct(ctx context.Context, by linnet.ID, act linnet.Moderation, on linnet.ID, detail, reason string) error {
	reason, err := reasonLine(reason)
	if err != nil {
		return err
	}
	if by == Operator {
		by = 0
	}
	return kvError(s.st.LogAct(ctx, linnet.Act{ID: s.st.NewAct(), By: by, Act: act, On: on, Detail: detail, Reason: reason}))
}

// ChangeInstance is SetInstance by an administrator.
func (s *Service) ChangeInstance(ctx context.Context, by linnet.ID, c linnet.InstanceChange) (linnet.Instance, error) {
	if err := s.CheckAdmin(ctx, by); err != nil {
		return linnet.Instance{}, err
	}
	return s.changeInstance(ctx, by, c)
}

// changeInstance changes the description and enters that into the log; by is 0
// for commands.
func (s *Service) changeInstance(ctx context.Context, by linnet.ID, c linnet.InstanceChange) (linnet.Instance, error) {
	if err := checkInstance(cleanInstance(c)); err != nil {
		return linnet.Instance{}, err
	}
	if err := s.logAct(ctx, by, actSettings, 0, changedParts(c), ""); err != nil {
		return linnet.Instance{}, err
	}
	return s.setInstance(ctx, c)
}

// changedParts names what a change is about.
func changedParts(c linnet.InstanceChange) string {
	var parts []string
	for _, p := range []struct {
		name string
		set  bool
	}{{"name", c.Title != nil}, {"description", c.Description != nil}, {"contact", c.Contact != nil || c.ContactUser != nil}, {"rules", c.Rules != nil},
		{"private", c.Private != nil}, {"registrations", c.Registrations != nil}, {"new_days", c.NewDays != nil}, {"trends", c.Trends != nil}, {"invites", c.Invites != nil}, {"privacy_policy", c.Privacy != nil}} {
		if p.set {
			parts = append(parts, p.name)
		}
	}
	return strings.Join(parts, " ")
}

// above finds the account on, if by may act on it. Groups cannot log in, so there
// is nothing to help them with.
func (s *Service) above(ctx context.Context, by, on linnet.ID) (*linnet.User, error) {
	who, err := s.actor(ctx, by, on)
	if err != nil {
		return nil, err
	}
	u, err := s.user(ctx, on)
	switch {
	case err != nil:
		return nil, err
	case u == nil:
		return nil, errNoUser
	case who != nil && !who.Role.Over(u.Role), u.Group != linnet.NoGroup:
		return nil, errNotAllowed
	}
	return u, nil
}

// Queued is how many tasks of a kind wait in the store, and since when the first
// of them is due.
type Queued struct {
	Kind   string
	Tasks  int
	Oldest task.Listed
}

// tasksMost is how many tasks of each sort an administrator is shown.
const tasksMost = 500

// Tasks tells of the tasks of the whole installation: those that wait, by kind,
// and those that were set aside; of each at most 500 are looked at. It asks every
// shard, so it is for administrators.
func (s *Service) Tasks(ctx context.Context, by linnet.ID) (waiting []Queued, dead []task.Listed, err error) {
	if err := s.mayRead(ctx, by, linnet.Admin); err != nil {
		return nil, nil, err
	}
	due, err := task.List(ctx, s.st.Engine(), false, tasksMost)
	if err != nil {
		return nil, nil, kvError(err)
	}
	at := map[string]int{}
	for _, t := range due {
		i, ok := at[t.Kind]
		if !ok {
			i = len(waiting)
			at[t.Kind], waiting = i, append(waiting, Queued{Kind: t.Kind, Oldest: t})
		}
		q := &waiting[i]
		q.Tasks++
		if t.At.Before(q.Oldest.At) {
			q.Oldest = t
		}
	}
	dead, err = task.List(ctx, s.st.Engine(), true, tasksMost)
	return waiting, dead, kvError(err)
}

// RetryTask puts a task that was set aside back among the due ones, DropTask
// forgets it: by an administrator. NotFound if there is none.
func (s *Service) RetryTask(ctx context.Context, by linnet.ID, shard uint16, id string) error {
	return s.judgeTask(ctx, by, actRetry, shard, id)
}

// DropTask: see RetryTask.
func (s *Service) DropTask(ctx context.Context, by linnet.ID, shard uint16, id string) error {
	return s.judgeTask(ctx, by, actDrop, shard, id)
}

func (s *Service) judgeTask(ctx context.Context, by linnet.ID, act linnet.Moderation, shard uint16, id string) error {
	if err := s.CheckAdmin(ctx, by); err != nil {
		return err
	}
	if shard >= kv.Shards || len(id) > 100 || strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != "" {
		return errNoTask
	}
	n, err := s.judgeTasks(ctx, by, act, []task.Listed{{Shard: shard, ID: id}})
	if err == nil && n == 0 {
		err = errNoTask
	}
	return err
}

// RetryTasks and DropTasks do that to several tasks by one act, and say how many of
// them were still set aside.
func (s *Service) RetryTasks(ctx context.Context, by linnet.ID, tasks []task.Listed) (int, error) {
	return s.judgeTasks(ctx, by, actRetry, tasks)
}

// DropTasks: see RetryTasks.
func (s *Service) DropTasks(ctx context.Context, by linnet.ID, tasks []task.Listed) (int, error) {
	return s.judgeTasks(ctx, by, actDrop, tasks)
}

func (s *Service) judgeTasks(ctx context.Context, by linnet.ID, act linnet.Moderation, tasks []task.Listed) (n int, err error) {
	if err := s.CheckAdmin(ctx, by); err != nil {
		return 0, err
	}
	if tasks, err = task.StillDead(ctx, s.st.Engine(), tasks); err != nil || len(tasks) == 0 {
		return 0, kvError(err)
	}
	detail := tasks[0].ID
	if len(tasks) > 1 {
		detail = strconv.Itoa(len(tasks)) + " tasks"
	}
	if err := s.logAct(ctx, by, act, 0, detail, ""); err != nil {
		return 0, err
	}
	for _, t := range tasks {
		var done bool
		if act == actRetry {
			done, err = task.Retry(ctx, s.st.Engine(), t.Shard, t.ID, s.st.Now())
		} else {
			done, err = task.Drop(ctx, s.st.Engine(), t.Shard, t.ID)
		}
		if err != nil {
			return n, kvError(err)
		}
		if done {
			n++
		}
	}
	return n, nil
}

var errNoTask = linnet.Errorf(linnet.NotFound, "There is no such task.")

// StoreInfo describes the store to administrators.
type StoreInfo struct {
	Engine, Place, Durability string
	Bytes                     int64 // that it takes, on disk or in memory; 0: not known
	People, Groups, Statuses  int64
}

// StoreInfo describes the store.
func (s *Service) StoreInfo(ctx context.Context, by linnet.ID) (StoreInfo, error) {
	if err := s.mayRead(ctx, by, linnet.Admin); err != nil {
		return StoreInfo{}, err
	}
	if err := s.Ready(ctx); err != nil {
		return StoreInfo{}, err
	}
	t, err := s.countTotals(ctx)
	i := s.st.Engine().Info()
	return StoreInfo{i.Engine, i.Place, i.Durability, i.Bytes, t.People, t.Groups, t.Statuses}, err
}
