package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// rankPage reads which part of a ranking is asked for.
func rankPage(in *request.Input) linnet.RankPage {
	return linnet.RankPage{After: linnet.RankCursor(in.String("cursor")), Limit: in.Page(linnet.DefaultPage, linnet.MaxPage).Limit}
}

// rankingPage answers with a page of a ranking, and names the next in the Link header.
func rankingPage(r *request.Request, page linnet.Ranking, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	if page.Next != "" {
		r.SetNextLink(string(page.Next))
	}
	return wire.Ranking{Viewer: r.Viewer(), Page: page}, nil
}
