package app_test

import (
	"fmt"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// mediaActs are actions on media, for the fault tests.
func mediaActs() map[string]faultyAct {
	return map[string]faultyAct{"attach": {
		do: func(s *stage) error {
			a, err := s.Upload(s.ann)
			if err != nil {
				return err
			}
			return apptest.Err(s.Posting.Post(s.Ctx, s.ann, linnet.Draft{Text: "look", Media: []linnet.ID{a.ID}, IdempotencyKey: "look"}))
		},
		want: func(s *stage) string {
			found := 0
			for _, v := range s.Home(s.ann, 9) {
				if v.Text != "look" {
					continue
				}
				if found++; len(v.Media) != 1 {
					return fmt.Sprintf("%d pictures", len(v.Media))
				}
				for _, name := range v.Media[0].Files() {
					f, err := s.Uploads.Open(s.Ctx, name)
					if err != nil {
						return err.Error()
					}
					f.Close()
				}
			}
			return differs(fmt.Sprint(found), "1")
		},
	}}
}
