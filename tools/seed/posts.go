package seed

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/text"
)

// postFile is a file of texts, one per line. Without a path the texts are made up.
type postFile struct {
	path  string
	lines int
	sum   []byte
}

// readPosts reads the file once to count its lines.
func readPosts(path string) (*postFile, error) {
	t, err := openText(path)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	for {
		text, ok, err := t.next()
		if err == nil && ok {
			err = t.checkText(text)
		}
		if err != nil {
			return nil, err
		}
		if !ok {
			return &postFile{path, t.line, t.sum.Sum(nil)}, nil
		}
	}
}

// each calls f with n texts: the lines in order, starting again after the last.
func (p *postFile) each(n int, f func(k int, text []byte) error) error {
	if p.path == "" {
		return eachMade(n, f)
	}
	for k := 0; k < n; {
		t, err := openText(p.path)
		if err != nil {
			return err
		}
		for ; k < n; k++ {
			text, ok, err := t.next()
			if err == nil && ok {
				err = f(k, text)
			}
			if err != nil {
				t.Close()
				return err
			}
			if !ok {
				break
			}
		}
		if err := t.Close(); err != nil {
			return fmt.Errorf("close the file of posts: %w", err)
		}
		if p.lines == 0 {
			return nil
		}
	}
	return nil
}

// statusesAtOnce is the number of statuses written by one call.
const statusesAtOnce = 16_384

// window has statuses that are written together.
type window struct {
	list []*linnet.Status
	at   []int // their numbers
}

// imported returns a status with the text of an import, checked like a post. It does not
// look up mentions, because imported statuses send no notifications.
func imported(author linnet.ID, words string) (*linnet.Status, error) {
	doc := text.Parse(words)
	if err := posting.CheckDraft(linnet.Draft{Text: words}, doc, linnet.StatusChars); err != nil {
		return nil, err
	}
	return &linnet.Status{Author: author, Text: strings.TrimSpace(doc.Text()), Tags: doc.Tags(), Version: 1}, nil
}

func (im *importer) statuses(ctx context.Context) error {
	n := im.posts.lines
	if im.opt.PerUser > 0 && n > 0 {
		n = im.graph.users * im.opt.PerUser
	}
	if n == 0 {
		return nil
	}
	im.start("posts", n)
	var w window
	err := im.posts.each(n, func(k int, text []byte) error {
		author := im.lots.author(k, im.graph.users)
		if im.opt.PerUser > 0 {
			author = k % im.graph.users
		}
		st, err := imported(im.ids[author], string(bytes.TrimSpace(text)))
		if err != nil { // empty or too long
			im.did.Left++
			im.add(1)
			return nil
		}
		st.Nonce = fmt.Sprintf("import.%s.%d", im.opt.Prefix, k)
		w.list, w.at = append(w.list, st), append(w.at, k)
		if len(w.list) < statusesAtOnce {
			return nil
		}
		return im.write(ctx, &w, n)
	})
	if err != nil {
		return fmt.Errorf("create posts: %w", err)
	}
	if len(w.list) == 0 {
		return nil
	}
	return im.write(ctx, &w, n)
}

// write writes a window of n statuses and empties it.
func (im *importer) write(ctx context.Context, w *window, n int) error {
	err := im.bulk.statuses(ctx, w.list, func(i, attempt int) linnet.ID {
		return im.lots.status(w.at[i], n, w.list[i].Author, attempt)
	})
	if err != nil {
		return fmt.Errorf("create posts: %w", err)
	}
	im.did.Posts += len(w.list)
	im.add(len(w.list))
	*w = window{}
	return nil
}
