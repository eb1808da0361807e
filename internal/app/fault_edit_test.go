package app_test

import (
	"fmt"
	"strings"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// editActs are edits for the fault tests.
func editActs() map[string]faultyAct {
	return map[string]faultyAct{"edit": {
		do: func(s *stage) error {
			return apptest.Err(s.Posting.Edit(s.Ctx, s.ann, s.byAnn, linnet.Edit{Text: "anew #New @bob"}))
		},
		want: func(s *stage) string {
			var versions []string
			_, all, err := s.View.History(s.Ctx, 0, s.byAnn)
			for _, v := range all {
				versions = append(versions, v.Text)
			}
			tags := func(tag string) int {
				return len(apptest.Must(s.Reading.Tag(s.Ctx, 0, linnet.TagQuery{Tag: tag}, linnet.Page{}))(s).Items)
			}
			return differs(fmt.Sprint(versions, err, tags("new"), tags("old"))+s.homes("anew #New @bob")+strings.TrimSpace(s.notices(s.dan))+" "+fmt.Sprint(strings.Count(s.notices(s.cat), "update")),
				"[by ann #Old @dan anew #New @bob] <nil> 1 0"+"1110"+"reblog favourite 1")
		},
	}}
}
