package app_test

import (
	"fmt"
	"strings"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// quoteActs are actions on quotes, for the fault tests.
func quoteActs() map[string]faultyAct {
	quote := func(s *stage) (linnet.StatusView, error) {
		return s.Posting.Post(s.Ctx, s.dan, linnet.Draft{Text: "see", QuoteOf: s.byAnn, IdempotencyKey: "k"})
	}
	left := func(s *stage) string {
		n := apptest.Must(s.View.Status(s.Ctx, s.ann, s.byAnn))(s).Quotes
		return fmt.Sprint(n, len(s.QuoteTexts(s.ann, s.byAnn)), strings.Count(s.notices(s.ann), "quote"))
	}
	return map[string]faultyAct{
		"quote": {
			do:   func(s *stage) error { return apptest.Err(quote(s)) },
			want: func(s *stage) string { return differs(left(s), "1 1 1") },
		},
		"revoke a quote": {
			do: func(s *stage) error {
				v, err := quote(s)
				if err == nil {
					_, err = s.Posting.RevokeQuote(s.Ctx, s.ann, s.byAnn, v.ID)
				}
				return err
			},
			// A quote that is deleted first causes no notification.
			want: func(s *stage) string { return differs(left(s)[:len("0 0")], "0 0") },
		},
	}
}
