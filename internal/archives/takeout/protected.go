package takeout

import (
	"io"
	"path"
	"regexp"
	"strings"
	"time"
)

// protectedFile matches the document with the times when an account on X was protected.
var protectedFile = regexp.MustCompile(`^protected-history(-part[0-9]{1,4})?\.js$`)

// Protected reports whether only followers could read the posts of the account when the archive was
// made. It returns true if the document is damaged.
func (a *Archive) Protected() bool {
	var latest time.Time
	protected := false
	err := a.documents(protectedFile, func(r io.Reader) error {
		return eachItem(r, func(item *struct {
			History *struct {
				At     string `json:"protectedAt"`
				Action string `json:"action"`
			} `json:"protectedHistory"`
		}, bad bool) error {
			h := item.History
			if bad || h == nil {
				return refuse("The posts are in an unknown format")
			}
			at, err := time.Parse(time.RFC3339, h.At)
			if err != nil {
				return err
			}
			if !at.Before(latest) {
				latest, protected = at, !strings.HasPrefix(strings.ToLower(h.Action), "un")
			}
			return nil
		})
	})
	return protected || err != nil
}

// documents calls f for each document next to the tweets whose name matches.
func (a *Archive) documents(name *regexp.Regexp, f func(io.Reader) error) error {
	if a.Kind != Twitter {
		return nil
	}
	dir := path.Dir(a.docs[0])
	for _, n := range a.src.names() {
		if path.Dir(n) != dir || !name.MatchString(path.Base(n)) {
			continue
		}
		err := a.src.each(map[string]bool{n: true}, func(_ string, _ int64, r io.Reader) error {
			return f(&capped{r: r, left: MaxDocuments, read: &a.read})
		})
		if err != nil {
			return plain(n, err)
		}
	}
	return nil
}
