package archives

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"slices"
	"time"

	"linnet/internal/archives/takeout"
	"linnet/internal/blob"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/posting"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/text"
	"linnet/internal/uploads"
	"linnet/internal/wording"
)

// An archive of posts is read once, during the upload. The data to import is written to two files:
// the posts sorted by date, one per line, and their media one after the other. So the task needn't
// know archives and can continue at any line. Data that the user hasn't published, such as direct
// messages, is never stored.

// importedPost is a line of the file of posts.
type importedPost struct {
	Source     string            `json:"s"`
	At         int64             `json:"a"`            // Unix milliseconds
	Parent     string            `json:"p,omitempty"`  // Source of an earlier line that it replies to
	ParentAt   int64             `json:"pa,omitempty"` // At of that line
	URI        string            `json:"u,omitempty"`
	Text       string            `json:"t,omitempty"`
	Warning    string            `json:"w,omitempty"`
	Sensitive  bool              `json:"x,omitempty"`
	Language   string            `json:"l,omitempty"`
	Visibility linnet.Visibility `json:"v,omitempty"`
	Media      []mediaPart       `json:"m,omitempty"`
	Lost       int               `json:"o,omitempty"` // pictures that are not in the archive
	Cut        bool              `json:"c,omitempty"` // only the beginning of the text is in the archive
}

// mediaPart is a part of the file of media.
type mediaPart struct {
	Name  string     `json:"n,omitempty"` // name of its entry, until it is copied
	From  int64      `json:"f"`
	Bytes int64      `json:"b"`
	Alt   string     `json:"a,omitempty"`
	Focus [2]float64 `json:"c,omitzero"`
}

// AddPosts reads an archive of posts from Mastodon or X and stores the data to import until it is
// confirmed, for linnet.PostImportTTL. name is the file's name, for display. most limits the
// visibility of the posts, see importVisibility. A user can have one such import at a time.
func (s *Service) AddPosts(ctx context.Context, me linnet.ID, name string, f *uploads.File, most *linnet.Visibility) (*linnet.Import, error) {
	if err := checkVisibility(most); err != nil {
		return nil, err
	}
	if s.opt.Files == nil {
		return nil, linnet.Errorf(linnet.Unavailable, "This server stores no files, so it can't import archives. Contact the administrators.")
	}
	all, _, err := s.st.Archives.Imports(ctx, me)
	if err != nil {
		return nil, core.StoreError(err)
	}
	if slices.ContainsFunc(all.All, func(i record.CSVImport) bool { return i.Posts != nil && underWay(&i) }) {
		return nil, errPostsUnderWay()
	}
	select { // one at a time, to limit memory and disk space
	case s.looking <- struct{}{}:
		defer func() { <-s.looking }()
	case <-ctx.Done():
		return nil, linnet.Errorf(linnet.Unavailable, "The server is checking other archives. Upload your archive again in a few minutes.")
	}
	l := &looking{Service: s, now: s.st.Now()}
	defer l.close()
	i, err := l.look(ctx, f, most)
	if err != nil {
		return nil, err
	}
	i.File = fileName(name)
	if err := l.store(ctx, i.Posts); err != nil {
		s.uploads.Discard(context.WithoutCancel(ctx), i.Files()...)
		return nil, err
	}
	if err := s.addPosts(ctx, me, i, l.rows); err != nil {
		return nil, err
	}
	return shownImport(i), nil
}

// MaxImport returns the maximum size of an archive of posts in bytes.
func (s *Service) MaxImport() int64 { return s.opt.MaxImport }

func errPostsUnderWay() error {
	return linnet.FieldError("file", "ERR_TAKEN", "can't be imported while another archive of yours is being imported, or while an import is being undone. Wait until that has finished")
}

// addPosts records an import of posts. It deletes the user's unconfirmed ones.
func (s *Service) addPosts(ctx context.Context, me linnet.ID, i *record.CSVImport, rows []record.ImportRow) error {
	var dropped []string
	err := s.st.Archives.AddImport(ctx, me, i, rows, func(others []record.CSVImport) (drop []linnet.ID, err error) {
		dropped = dropped[:0]
		for _, o := range others {
			if o.Posts == nil {
				continue
			}
			if underWay(&o) {
				return nil, errPostsUnderWay()
			}
			if o.State == linnet.ImportUnconfirmed || o.State == "" {
				drop = append(drop, linnet.ID(o.ID))
				dropped = append(dropped, o.Files()...)
			}
		}
		if len(others)-len(drop) < linnet.MaxImports {
			return drop, nil
		}
		more, err := makeRoom(others)
		return append(drop, more...), err
	})
	switch {
	case err == nil:
		s.uploads.Discard(ctx, dropped...)
		return nil
	case errors.Is(err, db.ErrDeleted):
		err = core.ErrNoUser
	}
	s.uploads.Discard(context.WithoutCancel(ctx), i.Files()...)
	return core.StoreError(err)
}

// looking is one read of an archive.
type looking struct {
	*Service
	now   time.Time
	lines *os.File // posts in the order of the archive, one per line
	out   *bufio.Writer
	size  int64
	index []linePosition
	want  map[string]bool // entries with media
	media *os.File
	at    map[string]mediaPart // position of each entry in media
	posts *os.File             // sorted posts
	rows  []record.ImportRow
	i     record.CSVImport
}

// linePosition is the position of a post in lines.
type linePosition struct {
	at    int64 // Unix milliseconds
	order uint64
	from  int64
	bytes int32
}

func (l *looking) close() {
	for _, f := range []*os.File{l.lines, l.media, l.posts} {
		if f != nil {
			f.Close()
		}
	}
}

// look reads the whole archive.
func (l *looking) look(ctx context.Context, f *uploads.File, most *linnet.Visibility) (i *record.CSVImport, err error) {
	a, err := takeout.Open(f.At(), f.Bytes())
	if err != nil {
		return nil, refusedArchive(err)
	}
	for _, to := range []**os.File{&l.lines, &l.media, &l.posts} {
		if *to, err = l.uploads.Scratch(); err != nil {
			return nil, err
		}
	}
	l.out, l.want, l.at = bufio.NewWriterSize(l.lines, 256<<10), map[string]bool{}, map[string]mediaPart{}
	l.i = record.CSVImport{Kind: map[takeout.Kind]linnet.CSVKind{takeout.Mastodon: linnet.MastodonArchive, takeout.Twitter: linnet.TwitterArchive}[a.Kind],
		State: linnet.ImportUnconfirmed, Posts: &record.PostImport{Protected: a.Protected(), Counts: make([]int64, linnet.Direct)}}
	l.i.Posts.Visibility = importVisibility(l.i.Kind, l.i.Posts.Protected, most)
	has := a.Has()
	left, err := a.Posts(func(p *takeout.Post) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return l.post(p, has)
	})
	if err == nil {
		err = l.out.Flush()
	}
	if err == nil && len(l.index) == 0 {
		err = takeout.Refusal(wording.Store("The archive contains no posts that can be imported. It contains %d boosts of others' posts, %d direct messages, %d posts that this server doesn't accept and %d unreadable posts", left.Reposts, left.Messages, l.i.Failed, left.Unreadable))
	}
	if err == nil {
		err = a.Media(l.want, l.medium)
	}
	if err == nil {
		err = l.inOrder()
	}
	if err != nil {
		return nil, refusedArchive(err)
	}
	b := l.i.Posts
	b.Reposts, b.Messages, b.Unreadable, b.LongTexts = left.Reposts, left.Messages, left.Unreadable, left.LongTexts
	b.Until = l.now.Add(linnet.PostImportTTL).UnixMilli()
	return &l.i, nil
}

// refusedArchive converts an error of an archive into an error of its field.
func refusedArchive(err error) error {
	var r takeout.Refusal
	if errors.As(err, &r) {
		return linnet.FieldError("file", "ERR_INVALID", "can't be imported: %s", wording.Message(r))
	}
	return err
}

// post writes a post that can be imported, or reports why it can't.
func (l *looking) post(p *takeout.Post, has func(*takeout.Media) string) error {
	b := importedPost{Source: p.Source, URI: p.URI, Text: text.Parse(p.Text).Text(), Warning: core.Lines(p.Warning), Sensitive: p.Sensitive,
		Visibility: p.Visibility, Parent: p.Parent, At: when(p), Cut: p.Cut, Language: core.Language(p.Language)}
	for i := range p.Media {
		m := &p.Media[i]
		name := has(m)
		if name == "" || len(b.Media) == linnet.MaxAttachments {
			b.Lost++
			continue
		}
		b.Media = append(b.Media, mediaPart{Name: name, Alt: m.Alt, Focus: m.Focus})
	}
	if why := l.whyNot(&b); why != "" {
		l.i.Failed++
		l.report(&b, why)
		return nil
	}
	for _, m := range b.Media {
		l.want[m.Name] = true
	}
	line, err := json.Marshal(&b)
	if err != nil {
		return fmt.Errorf("record a post: %w", err)
	}
	l.index = append(l.index, linePosition{p.At.UnixMilli(), p.Order(), l.size, int32(len(line))})
	l.size += int64(len(line))
	_, err = l.out.Write(line)
	return err
}

// when returns the time of a post in Unix milliseconds. If only the second is known, posts of the
// same second get different milliseconds, the same ones in each import.
func when(p *takeout.Post) int64 {
	if p.Exact {
		return p.At.UnixMilli()
	}
	return p.At.Unix()*1000 + int64(hashed(p.Source)%1000)
}

func hashed(s string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, s) // cannot fail
	return h.Sum64()
}

// whyNot returns why a post can't be imported, or "".
func (l *looking) whyNot(b *importedPost) string {
	var marks *linnet.Error
	switch at := time.UnixMilli(b.At).UTC(); {
	case at.After(l.now):
		return wording.Store("The date is in the future.")
	case at.Year() < linnet.PostImportSince:
		return wording.Store("The date is not valid.")
	case text.Blank(b.Text) && len(b.Media) == 0:
		return wording.Store("The post has no text, and its media is missing from the archive.")
	case len(b.Text)+len(b.Warning) > linnet.MaxStatusBytes:
		return wording.Store("The post is longer than this server allows (maximum is %d bytes).", linnet.MaxStatusBytes)
	case errors.As(core.CheckMarks("text", b.Text, b.Warning), &marks):
		return posting.StoredMessage(marks)
	}
	return ""
}

// report records a post with missing data, up to the maximum number of rows.
func (l *looking) report(b *importedPost, why string) {
	if len(l.rows) < linnet.MaxPostImportRows {
		l.rows = append(l.rows, reportRow(b, why))
	}
}

// reportRow returns the row of a post in the report: its date and its beginning.
func reportRow(b *importedPost, why string) record.ImportRow {
	return record.ImportRow{Name: time.UnixMilli(b.At).UTC().Format("2006-01-02 15:04") + " " + record.CutRunes(text.Line(b.Text), 60), Wrong: why}
}

// medium copies a file out of the archive. It skips files that are too large.
func (l *looking) medium(name string, bytes int64, r io.Reader) error {
	from, err := l.media.Seek(0, io.SeekCurrent)
	if err != nil {
		return fmt.Errorf("copy a picture: %w", err)
	}
	if from >= l.opt.MaxImport {
		return nil
	}
	n, err := io.Copy(l.media, io.LimitReader(r, media.MaxFilmBytes+1))
	var full *os.PathError // an error of this server's disk
	switch {
	case errors.As(err, &full):
		return fmt.Errorf("copy a picture: %w", err)
	case err != nil || n > media.MaxFilmBytes:
		_, err = l.media.Seek(from, io.SeekStart)
		return err
	}
	l.at[name] = mediaPart{From: from, Bytes: n}
	return nil
}

// inOrder writes the posts sorted by date, when their parents and the positions of their media are
// known.
func (l *looking) inOrder() error {
	slices.SortFunc(l.index, func(a, b linePosition) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order)) })
	known := make(map[uint64]int64, len(l.index))
	out := bufio.NewWriterSize(l.posts, 256<<10)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	var buf []byte
	for _, x := range l.index {
		buf = slices.Grow(buf[:0], int(x.bytes))[:x.bytes]
		if _, err := l.lines.ReadAt(buf, x.from); err != nil {
			return fmt.Errorf("read a post: %w", err)
		}
		var b importedPost
		if err := json.Unmarshal(buf, &b); err != nil {
			return fmt.Errorf("read a post: %w", err)
		}
		if _, twice := known[hashed(b.Source)]; twice {
			continue
		}
		if b.ParentAt = known[hashed(b.Parent)]; b.ParentAt == 0 {
			b.Parent = ""
		}
		if l.locateMedia(&b); text.Blank(b.Text) && len(b.Media) == 0 {
			l.i.Failed++
			l.report(&b, wording.Store("The post has no text, and its media is too large or damaged."))
			continue
		}
		known[hashed(b.Source)] = b.At
		i := &l.i
		if i.Rows++; i.Posts.First == 0 {
			i.Posts.First = b.At
		}
		i.Posts.First, i.Posts.Last = min(i.Posts.First, b.At), max(i.Posts.Last, b.At)
		i.Posts.Pictures += int64(len(b.Media))
		i.Posts.Counts[b.Visibility]++
		if b.Cut {
			i.Posts.Cut++
			l.report(&b, wording.Store("The archive contains only the beginning of the text."))
		}
		if i.Posts.Lost += int64(b.Lost); b.Lost > 0 {
			l.report(&b, wording.Store("Some media can't be imported: files are missing from the archive, or the post has too many attachments."))
		}
		if err := enc.Encode(&b); err != nil {
			return fmt.Errorf("record a post: %w", err)
		}
	}
	return out.Flush()
}

// locateMedia records the positions of a post's media in the archive, and drops missing ones.
func (l *looking) locateMedia(b *importedPost) {
	b.Media = slices.DeleteFunc(b.Media, func(m mediaPart) bool {
		_, there := l.at[m.Name]
		if !there {
			b.Lost++
		}
		return !there
	})
	for i := range b.Media {
		m := &b.Media[i]
		at := l.at[m.Name]
		m.Name, m.From, m.Bytes = "", at.From, at.Bytes
	}
}

// store stores both files in the media storage, where all servers can read them.
func (l *looking) store(ctx context.Context, b *record.PostImport) (err error) {
	if b.Posts, err = l.put(ctx, l.posts); err == nil && len(l.at) > 0 {
		b.Media, err = l.put(ctx, l.media)
	}
	return err
}

// importExtension is the extension of import files. Pictures never have it, so import files are
// never served.
const importExtension = "part"

func (l *looking) put(ctx context.Context, f *os.File) (string, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", fmt.Errorf("store an archive: %w", err)
	}
	name := blob.NewName(importExtension)
	if err := l.opt.Files.Put(ctx, name, "application/octet-stream", f); err != nil {
		return "", fmt.Errorf("store an archive: %w", err)
	}
	return name, nil
}

// ImportPosts imports an archive of posts for the operator with a task, without a confirmation. It
// adds to the audit log. most limits the visibility of the posts, see importVisibility. It also
// returns the owner.
func (s *Service) ImportPosts(ctx context.Context, by linnet.Actor, login, name string, f *uploads.File, most *linnet.Visibility) (linnet.ID, *linnet.Import, error) {
	if err := core.AuthorizeOperator(by); err != nil {
		return 0, nil, err
	}
	u, err := s.core.AccountNamed(ctx, login)
	if err != nil {
		return 0, nil, err
	}
	if err := s.core.LogAct(ctx, by, core.ActImport, u.ID, postsSay(fileName(name)), ""); err != nil {
		return 0, nil, err
	}
	i, err := s.AddPosts(ctx, u.ID, name, f, most)
	if err == nil {
		err = s.ConfirmImport(ctx, u.ID, i.ID, nil)
	}
	return u.ID, i, err
}

// postsSay returns the text for the audit log about posts imported from a file.
func postsSay(file string) string {
	if file == "" {
		return wording.Store("%s", wording.Messagef("posts"))
	}
	return wording.Store("posts from %s", file)
}
