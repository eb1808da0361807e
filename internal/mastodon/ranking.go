package mastodon

import (
	"net/url"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// rankPage reads which part of a ranking is asked for.
func rankPage(in *input) linnet.RankPage {
	return linnet.RankPage{After: linnet.RankCursor(in.text("cursor")), Limit: in.page(linnet.DefaultPage, linnet.MaxPage).Limit}
}

// rankingPage answers with a page of a ranking, and names the next in the Link header.
func rankingPage(r *request, page linnet.Ranking, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	if page.Next != "" {
		q := r.URL.Query()
		q.Set("cursor", string(page.Next))
		q.Del(tokenParam)
		next := url.URL{Path: r.URL.Path, RawQuery: q.Encode()}
		r.setHeader("Link", "<"+r.api.base+next.String()+`>; rel="next"`)
	}
	return wire.Ranking{Viewer: r.me(), Page: page}, nil
}
