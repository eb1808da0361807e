package outsidefeed

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"linnet/internal/core"
	"linnet/internal/posting"
	"linnet/internal/text"
	"linnet/internal/uploads"
)

// compose returns the post of an item: its title, the beginning of its text, and its link, within
// the limit of posts.
func (s *Service) compose(i *item) posting.FeedItem {
	left := s.core.StatusChars()
	title, said := i.title, i.text
	if core.CheckMarks("text", title) != nil {
		title = ""
	}
	if core.CheckMarks("text", said) != nil {
		said = ""
	}
	if i.link != "" {
		left -= text.Count(i.link) + 2
	}
	title = fit(title, left)
	left -= text.Count(title) + 2
	if line := strings.Join(strings.Fields(said), " "); strings.HasPrefix(line, title) && len(line)-len(title) < 4 {
		said = "" // it only repeats the title
	}
	if left < 20 {
		said = ""
	}
	var parts []string
	for _, p := range []string{title, fit(said, left), i.link} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return posting.FeedItem{Key: i.key, Text: strings.Join(parts, "\n\n")}
}

// fit shortens a text to a number of characters, at the end of a word if possible.
func fit(s string, chars int) string {
	if chars <= 0 {
		return ""
	}
	const widest = 64 // bytes of a character, approximately
	cut := len(s) > widest*chars
	if cut {
		s = strings.ToValidUTF8(s[:widest*chars], "")
	}
	if !cut && text.Count(s) <= chars {
		return s
	}
	low, high := 0, len(s) // the longest beginning that fits with the ellipsis
	for low < high {
		mid := (low + high + 1) / 2
		for mid < len(s) && !utf8.RuneStart(s[mid]) {
			mid++
		}
		if mid > high || text.Count(s[:mid]+"…") > chars {
			high = (low+high+1)/2 - 1
		} else {
			low = mid
		}
	}
	s = s[:low]
	if i := strings.LastIndexAny(s, " \n"); i > len(s)*2/3 {
		s = s[:i]
	}
	return strings.TrimRight(s, " \n,;:–-") + "…"
}

// picture fetches a picture. It returns nil if there is none, or too little time is left.
func (s *Service) picture(ctx context.Context, address string) *uploads.File {
	end, limited := ctx.Deadline()
	if address == "" || s.opt.Files == nil || limited && time.Until(end) < pictureEnd {
		return nil
	}
	file, err := s.fetchPicture(ctx, address)
	if err != nil {
		s.opt.Log.Debug("cannot fetch the picture of an external feed", "host", hostOf(address), "err", err)
		return nil
	}
	return file
}

func (s *Service) fetchPicture(ctx context.Context, address string) (*uploads.File, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", "Linnet (feed reader; +"+s.opt.PublicURL+"/)")
	r.Header.Set("Accept", "image/png,image/jpeg,image/gif,image/webp")
	resp, err := s.images.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, errors.New(resp.Status)
	}
	return s.uploads.Receive(resp.Body)
}
