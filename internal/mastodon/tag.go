package mastodon

import (
	"hash/fnv"
	"strconv"
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/text"
)

// tag is the entity Tag.
// https://docs.joinmastodon.org/entities/Tag/
type tag struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	URL       string   `json:"url"`
	History   []tagUse `json:"history"`
	Following *bool    `json:"following,omitempty"`
}

// tagUse is how often a tag was used on one day; Mastodon sends texts.
type tagUse struct {
	Day      string `json:"day"` // Unix seconds of its midnight
	Accounts string `json:"accounts"`
	Uses     string `json:"uses"`
}

func (a *API) tag(v *discovery.TagView, viewer linnet.ID) tag {
	name := text.FoldTag(v.Name)
	out := tag{ID: tagID(name), Name: name, URL: a.tagURL(name), History: historyOf(v.Days)}
	if viewer != 0 {
		out.Following = new(bool) // tags cannot be followed here
	}
	return out
}

// tagID is a number that stands for a tag: tags have no records of their own,
// and clients want an id of digits.
func tagID(name string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return strconv.FormatUint(h.Sum64()>>1|1, 10)
}

func (a *API) tagFor(viewer linnet.ID) func(*discovery.TagView) tag {
	return func(v *discovery.TagView) tag { return a.tag(v, viewer) }
}

// getTag answers for every name that can be a tag, also one not used yet.
func (a *API) getTag(r *request) (any, error) {
	v, err := a.svc.Discovery.TagInfo(r.Context(), strings.TrimPrefix(r.PathValue("name"), "#"))
	if err != nil {
		return nil, err
	}
	return a.tag(&v, r.me()), nil
}
