package store_test

import (
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
)

// publicSteps checks that a status enters public timelines once and leaves them.
func publicSteps(s *stage) []step {
	tags := []string{"birds"}
	st := &linnet.Status{Author: s.ann, Text: "#birds", Visibility: linnet.Public, Tags: tags, Nonce: "n"}
	must(s.Statuses.CreateStatus(s.ctx, statuses.NewStatus{Status: st, Tags: tags, Task: s.task}))(s.T)
	global := func() (any, error) { ids, err := s.Statuses.Global(s.ctx, db.Span{Limit: 9}); return len(ids), err }
	tagged := func() (any, error) {
		ids, err := s.Statuses.Tagged(s.ctx, tags, db.Span{Limit: 9})
		return len(ids), err
	}
	publish := does(func() error { return s.Statuses.Publish(s.ctx, st, tags) })
	unpublish := does(func() error { return s.Statuses.List(s.ctx, []statuses.Public{{Status: st, Tags: tags}}, false) })
	return []step{
		{"publish", publish, "", nil, false}, {"again", publish, "", nil, true}, {"global", global, 1, nil, true}, {"tagged", tagged, 1, nil, true},
		{"tags by their beginning", answers(func() ([]string, error) { return s.Statuses.Tags.ByPrefix(s.ctx, "bir") }), []string{"bir", "birds"}, nil, true},
		{"uses", answers(func() (int, error) { us, err := s.Statuses.Tags.Uses(s.ctx, tags, 9); return len(us[0]), err }), 1, nil, true},
		{"shelf", answers(func() (int, error) {
			m, err := s.MergePosts(s.ctx, db.ProfileSource, []linnet.ID{s.ann, s.bob}, db.Span{Limit: 9}, 9, func(record.Post) bool { return true })
			return len(m.Posts), err
		}), 1, nil, true},
		{"newest", func() (any, error) {
			b := s.Batch()
			posts := b.Posts(s.ann, db.Span{Limit: 1})
			err := b.Run(s.ctx)
			return len(posts.Posts()) == 1 && posts.Posts()[0].ID == st.ID, err
		}, true, nil, true},
		{"unpublish", unpublish, "", nil, false}, {"unpublish again", unpublish, "", nil, true}, {"gone", global, 0, nil, true}, {"gone from the tag", tagged, 0, nil, true},
	}
}

// partingSteps checks that a deleted user is not found from the first write on, and leaves nothing
// behind in the end.
func partingSteps(s *stage) []step {
	for _, err := range []error{s.Relations.SetNote(s.ctx, s.bob, s.ann, "x"), s.Relations.SetMember(s.ctx, record.Bookmarks, s.bob, s.ann, true), s.Accounts.MarkActive(s.ctx, s.bob),
		s.Relations.Mute(s.ctx, s.bob, s.ann, time.Time{}, false, 9), s.Relations.SetLanguages(s.ctx, s.bob, s.ann, []string{"en"})} {
		if err != nil {
			s.Fatal(err)
		}
	}
	bob := *must(s.UserNow(s.ctx, s.bob))(s.T)
	remove := answers(func() (bool, error) {
		t := s.taskOf(s.bob)
		return s.Accounts.DeleteUser(s.ctx, s.bob, &t, func(record.Secret) (task.Task, []kv.Op) { return t, nil }, func(*linnet.User) error { return nil })
	})
	notes := answers(func() (int, error) { return s.Relations.ForgetNotes(s.ctx, s.bob, 9) })
	name := does(func() error { return s.Accounts.ForgetName(s.ctx, bob, record.Login{Seen: true}) })
	forget := does(func() error { return s.Accounts.ForgetUser(s.ctx, s.bob) })
	return []step{
		{"delete", remove, true, nil, false}, {"again", remove, false, nil, true},
		{"notes", notes, 1, nil, false}, {"no more notes", notes, 0, nil, true}, {"name", name, "", nil, false}, {"name again", name, "", nil, true},
		{"forget", forget, "", nil, false}, {"forget again", forget, "", nil, true},
		{"login is gone", answers(func() (bool, error) { return s.Accounts.LoginDeleted(s.ctx, "bob") }), true, nil, true},
		{"the other is there", answers(func() (bool, error) { return s.Accounts.LoginDeleted(s.ctx, "ann") }), false, nil, true},
		{"left", answers(func() (int64, error) { t, err := s.Instance.Totals(s.ctx); return t.People, err }), 1, nil, true},
	}
}

// indexSteps checks that a user is listed in the directory and found by name.
func indexSteps(s *stage) []step {
	index := does(func() error { return s.Accounts.IndexDirectory(s.ctx, s.ann) })
	people := answers(func() (int, error) {
		ids, err := s.Accounts.Directory(s.ctx, linnet.DirectoryNew, 9)
		return len(ids), err
	})
	discoverable := answers(func() (bool, error) {
		_, _, ok, err := s.Accounts.UpdateUser(s.ctx, s.ann, func(u *linnet.User) error { u.Discoverable = true; return nil }, func([]string) (taskOf, error) { return s.task(s.ann) })
		return ok, err
	})
	return []step{{"nobody wants to be found", people, 0, nil, true}, {"wants to be", discoverable, true, nil, false}, {"enter", index, "", nil, false}, {"again", index, "", nil, true},
		{"stands there", people, 1, nil, true}, {"by name", answers(func() (int, error) { ids, err := s.Accounts.UsersByPrefix(s.ctx, "an", 9); return len(ids), err }), 1, nil, true}}
}
