package linnet_test

import (
	"slices"
	"testing"

	"linnet/internal/linnet"
)

func TestCutPage(t *testing.T) {
	for _, c := range []struct {
		all  []int
		page linnet.Page
		want []int
	}{
		{nil, linnet.Page{Limit: 2}, nil},
		{[]int{3, 2}, linnet.Page{Limit: 2, Min: "1"}, []int{3, 2}},
		{[]int{3, 2, 1}, linnet.Page{Limit: 2}, []int{3, 2}},
		{[]int{3, 2, 1}, linnet.Page{Limit: 2, Since: "0"}, []int{3, 2}},
		{[]int{3, 2, 1}, linnet.Page{Limit: 2, Min: "0"}, []int{2, 1}},
	} {
		if got := linnet.CutPage(c.all, c.page); !slices.Equal(got, c.want) {
			t.Errorf("%v on %+v: %v, want %v", c.all, c.page, got, c.want)
		}
	}
}
