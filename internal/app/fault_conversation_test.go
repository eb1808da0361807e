package app_test

import (
	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// spoken returns the conversations of ann, bob and cat.
func (s *stage) spoken() string {
	return s.ConversationTexts(s.ann) + " | " + s.ConversationTexts(s.bob) + " | " + s.ConversationTexts(s.cat)
}

func faultyConversationActs() map[string]faultyAct {
	bobs := func(s *stage) linnet.ID { return record.ConversationID(s.bob, []linnet.ID{s.ann}) }
	return map[string]faultyAct{
		"direct": {
			do: func(s *stage) error {
				return apptest.Err(s.Posting.Post(s.Ctx, s.ann, linnet.Draft{Text: "@bob @cat psst", Visibility: new(linnet.Direct), IdempotencyKey: "k"}))
			},
			want: func(s *stage) string {
				return differs(s.spoken()+s.homes("@bob @cat psst"),
					"bob+cat: @bob @cat psst; bob: @bob two | ann+cat: @bob @cat psst (unread); ann: @bob two (unread) | ann+bob: @bob @cat psst (unread)1000")
			},
		},
		"delete direct": {
			do: func(s *stage) error {
				_, err := s.Posting.Delete(s.Ctx, s.ann, s.toBob)
				if linnet.KindOf(err) == linnet.NotFound {
					return nil // a retry
				}
				return err
			},
			want: func(s *stage) string {
				return differs(s.spoken()+s.homes("@bob two")+s.notices(s.bob), "bob: @bob one | ann: @bob one (unread) | 0000mention favourite reblog follow ")
			},
		},
		"delete conversation": {
			do: func(s *stage) error {
				err := s.Posting.Conversations.Delete(s.Ctx, s.bob, bobs(s))
				if linnet.KindOf(err) == linnet.NotFound {
					return nil // a retry
				}
				return err
			},
			want: func(s *stage) string { return differs(s.spoken(), "bob: @bob two |  | ") },
		},
		"read conversation": {
			do:   func(s *stage) error { return apptest.Err(s.Posting.Conversations.Mark(s.Ctx, s.bob, bobs(s), false)) },
			want: func(s *stage) string { return differs(s.spoken(), "bob: @bob two | ann: @bob two | ") },
		},
	}
}
