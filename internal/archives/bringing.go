package archives

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"linnet/internal/blob"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/archives"
	"linnet/internal/store/db"
	"linnet/internal/task"
	"linnet/internal/text"
	"linnet/internal/wording"
)

const (
	// postsAPass is how many posts a pass writes, mediaAPass how many pictures it works on, and
	// mediaTime for how long about: a lease lasts 30 seconds.
	postsAPass = 200
	mediaAPass = 8
	mediaTime  = 8 * time.Second
	// busyWait is for how long an import waits while the server has too many pictures to work on.
	busyWait = 15 * time.Second
	// undoneAPass is how many posts a pass of undoing removes.
	undoneAPass = 100
)

// bringing is a pass over an archive of posts.
type bringing struct {
	*importing
	author  *linnet.User
	lines   []*broughtLineAt
	sts     []*linnet.Status // to be written
	ours    []*linnet.Status // of this import, also those that a former try of this pass has written
	rows    []record.ImportRow
	begun   time.Time
	pieces  io.ReadSeekCloser // the file of media, once it is needed
	n       int               // media so far
	already int64
	refused int64
	lost    int64
}

// broughtLineAt is a line, and where the next one begins.
type broughtLineAt struct {
	broughtPost
	end int64
	doc text.Doc
}

// bring does the next posts of an archive. When all are done its files go.
func (p *importing) bring(ctx context.Context) (more bool, err error) {
	switch p.i.State {
	case linnet.ImportInProgress:
		return true, p.bringSome(ctx)
	case linnet.ImportUndoing:
		return true, p.takeBack(ctx)
	}
	if names := p.i.Files(); len(names) > 0 && p.i.State != linnet.ImportUnconfirmed {
		// The end of the import was read durably, so that nobody will ask for these again.
		p.uploads.Discard(ctx, names...)
		return false, p.change(ctx, func(i *record.CSVImport) []kv.Op {
			i.Posts.Posts, i.Posts.Media = "", ""
			return task.Recall(p.me.Shard(), record.ImportEnd(p.id))
		})
	}
	return false, nil
}

func (p *importing) bringSome(ctx context.Context) error {
	b := &bringing{importing: p, begun: time.Now()}
	defer b.close()
	err := b.read(ctx)
	if errors.Is(err, blob.ErrAbsent) {
		return b.finish(ctx, wording.Keep("The uploaded file has been deleted. Upload it again."))
	}
	if err != nil {
		return err
	}
	if len(b.lines) == 0 {
		return b.finish(ctx, "")
	}
	if b.author, err = p.core.LookupUser(ctx, p.me); err != nil || b.author == nil {
		p.i = nil // the account is gone
		return err
	}
	if err := b.compose(ctx); err != nil {
		return err
	}
	err = p.st.Statuses.Bring(ctx, p.me, b.sts)
	switch {
	case errors.Is(err, db.ErrRace): // it is done again, from what is there now
		return nil
	case errors.Is(err, db.ErrGone):
		p.i = nil
		return nil
	case err != nil:
		return err
	}
	if err := p.st.Statuses.Brought(ctx, b.ours, p.st.Now()); err != nil {
		return err
	}
	return b.note(ctx)
}

func (b *bringing) close() {
	if b.pieces != nil {
		b.pieces.Close()
	}
}

// read reads the lines of this pass.
func (b *bringing) read(ctx context.Context) error {
	f, err := b.opt.Files.Open(ctx, b.i.Posts.Posts)
	if err != nil {
		return fmt.Errorf("open an archive: %w", err)
	}
	defer f.Close()
	at := b.i.Posts.At
	if _, err := f.Seek(at, io.SeekStart); err != nil {
		return fmt.Errorf("read an archive: %w", err)
	}
	in := bufio.NewReaderSize(f, 128<<10)
	for len(b.lines) < postsAPass {
		line, err := in.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("read an archive: %w", err)
		}
		at += int64(len(line))
		l := &broughtLineAt{end: at}
		if err := json.Unmarshal(line, &l.broughtPost); err != nil {
			return fmt.Errorf("read an archive: %w", err)
		}
		l.doc = text.Parse(l.Text)
		b.lines = append(b.lines, l)
	}
	return nil
}

// compose makes the statuses of the lines, as many as this pass has the time for.
func (b *bringing) compose(ctx context.Context) error {
	at, err := b.places(ctx)
	if err != nil {
		return err
	}
	people, err := b.people(ctx)
	if err != nil {
		return err
	}
	for n, l := range b.lines {
		if n > 0 && len(l.Media) > 0 && (b.n+len(l.Media) > mediaAPass || time.Since(b.begun) > mediaTime) {
			b.lines = b.lines[:n]
			return nil
		}
		here := at[l.Source]
		if here.st != nil {
			b.isHere(here.st)
			continue
		}
		st := b.status(l, here.id, people)
		if parent := at[l.Parent]; parent.st != nil {
			st.InReplyTo, st.InReplyAuthor, st.Conversation = parent.st.ID, b.me, parent.st.Conversation
		}
		if err := b.attach(ctx, l, st); err != nil {
			return err
		}
		if text.Blank(st.Text) && len(st.Media) == 0 {
			b.refused++
			b.rows = append(b.rows, broughtRow(&l.broughtPost, wording.Keep("The post has no text, and its media can't be stored.")))
			continue
		}
		at[l.Source] = broughtPlace{st: st}
		b.sts, b.ours = append(b.sts, st), append(b.ours, st)
	}
	return nil
}

// isHere counts a post that is here, from a former try of this pass or from elsewhere.
func (b *bringing) isHere(st *linnet.Status) {
	if madeBy(st) == b.id {
		b.ours = append(b.ours, st)
		return
	}
	b.already++
}

// status makes the record of a post.
func (b *bringing) status(l *broughtLineAt, id linnet.ID, people map[string]linnet.Mention) *linnet.Status {
	st := &linnet.Status{ID: id, Author: b.me, Conversation: id, Text: l.Text, Warning: l.Warning, Sensitive: l.Sensitive || l.Warning != "" || b.author.Sensitized,
		Language: l.Language, Visibility: l.Visibility, QuotePolicy: b.author.Posting.QuotePolicy, Imported: true, Nonce: broughtNonce(b.id, l.Source), Version: 1}
	if v := b.i.Posts.Visibility; v != nil {
		st.Visibility = max(st.Visibility, *v)
	}
	for _, name := range b.names(l) {
		login, _ := b.core.LocalLogin(name)
		m, ok := people[strings.ToLower(login)]
		if ok && len(st.Mentions) < linnet.MaxMentions && !slices.Contains(st.Mentions, m) {
			st.Mentions = append(st.Mentions, m)
		}
	}
	st.Tags = l.doc.Tags()
	st.Tags = st.Tags[:min(len(st.Tags), linnet.MaxTags)]
	return st
}

// names are the names in a post that may be of users here. In posts from X there are none: a
// user here with the same name as one on X is another person.
func (b *bringing) names(l *broughtLineAt) []string {
	if b.i.Kind == linnet.TwitterArchive {
		return nil
	}
	return l.doc.Mentions()
}

// people are those here whom the lines mention and who may be, by their logins in lower case.
func (b *bringing) people(ctx context.Context) (map[string]linnet.Mention, error) {
	var names []string
	for _, l := range b.lines {
		names = append(names, b.names(l)...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	out := map[string]linnet.Mention{}
	if len(names) == 0 {
		return out, nil
	}
	found, groups, err := b.view.FindMentions(ctx, b.me, names)
	for _, m := range found {
		if m.ID != b.me && !slices.ContainsFunc(groups, func(g *linnet.User) bool { return g.ID == m.ID }) {
			out[strings.ToLower(m.Login)] = m
		}
	}
	return out, err
}

// attach keeps the media of a post, which belong to nobody until the post is written. What
// cannot be kept is left out.
func (b *bringing) attach(ctx context.Context, l *broughtLineAt, st *linnet.Status) (err error) {
	for _, m := range l.Media {
		if b.pieces == nil {
			if b.pieces, err = b.opt.Files.Open(ctx, b.i.Posts.Media); err != nil {
				return fmt.Errorf("open the media of an archive: %w", err)
			}
		}
		b.n++
		a, err := b.upload(ctx, &m)
		var why string
		if err == nil && len(st.Media) > 0 && (a.Clip != nil || st.Media[0].Clip != nil) {
			why = wording.Keep("A video or audio file must be the only attachment. The others were left out.")
			err = b.uploads.RemoveDetached(ctx, b.me, []linnet.Attachment{*a})
		} else if err != nil {
			why, err = refused(err)
		}
		if err != nil {
			return err
		}
		if why != "" {
			b.lost++
			b.rows = append(b.rows, broughtRow(&l.broughtPost, wording.Keep("An attachment was left out: %s", wording.Message(why))))
			continue
		}
		st.Media = append(st.Media, *a)
	}
	return nil
}

func (b *bringing) upload(ctx context.Context, m *broughtMedia) (*linnet.Attachment, error) {
	if _, err := b.pieces.Seek(m.From, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read the media of an archive: %w", err)
	}
	f, err := b.uploads.Receive(io.LimitReader(b.pieces, m.Bytes))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	alt := record.CutRunes(m.Alt, linnet.MaxAltText)
	if core.CheckMarks("description", alt) != nil || text.Count(alt) > linnet.MaxAltText {
		alt = ""
	}
	c := linnet.AttachmentChange{Description: &alt}
	if focus := (linnet.Focus{X: m.Focus[0], Y: m.Focus[1]}); focus.X >= -1 && focus.X <= 1 && focus.Y >= -1 && focus.Y <= 1 {
		c.Focus = &focus
	}
	return b.uploads.Upload(ctx, b.me, f, nil, c)
}

// note writes down how far the import is.
func (b *bringing) note(ctx context.Context) error {
	end := b.lines[len(b.lines)-1].end
	var put kv.Op
	chunks := b.i.Chunks
	if len(b.rows) > 0 && chunks*archives.ChunkRows < linnet.MaxBroughtRows {
		chunk := chunks
		var rows []record.ImportRow
		var version uint64
		if chunks > 0 {
			var err error
			if rows, version, err = b.st.Archives.Rows(ctx, b.me, b.id, chunks-1); err != nil {
				return err
			}
			chunk--
		}
		if len(rows)+len(b.rows) > archives.ChunkRows {
			rows, version, chunk = nil, 0, chunks
		}
		rows = append(rows, b.rows...)
		put = archives.PutRows(b.me, b.id, chunk, rows[:min(len(rows), archives.ChunkRows)], version)
		chunks = chunk + 1
	}
	return b.change(ctx, func(i *record.CSVImport) []kv.Op {
		i.Posts.At, i.Next, i.Imported = end, i.Next+len(b.lines), i.Imported+int64(len(b.ours))
		i.Posts.Already, i.Posts.Lost, i.Failed = i.Posts.Already+b.already, i.Posts.Lost+b.lost, i.Failed+b.refused
		if i.Chunks = chunks; put == nil {
			return nil
		}
		return []kv.Op{put}
	})
}

// finish ends an import. The home of its owner is made anew when it is read, since what was
// imported stands there too.
func (p *importing) finish(ctx context.Context, failed string) error {
	if err := p.st.Feeds.ForgetFeeds(ctx, record.HomeKey(p.me)); err != nil {
		return err
	}
	return p.change(ctx, func(i *record.CSVImport) []kv.Op {
		i.State, i.Finished, i.Posts.Failed = linnet.ImportFinished, p.st.Now().UnixMilli(), failed
		return nil
	})
}

// takeBack removes what the import has made, by who has made it: the next ones from the latest
// on, so that answers go before what they answer.
func (p *importing) takeBack(ctx context.Context) error {
	below := linnet.ID(p.i.Posts.Below)
	if below == 0 {
		below = linnet.MakeID(time.UnixMilli(p.i.Posts.Last+2000), 0, 0)
	}
	first := linnet.MakeID(time.UnixMilli(p.i.Posts.First-1), 0, 0)
	q := p.st.Batch()
	ref := q.Posts(p.me, db.Span{Below: below, Above: first, Limit: undoneAPass})
	if err := q.Run(ctx); err != nil {
		return core.StoreError(err)
	}
	posts := ref.Posts()
	var ids []linnet.ID
	for _, e := range posts {
		if below = e.ID; e.Imported {
			ids = append(ids, e.ID)
		}
	}
	gone, err := p.eraseOwn(ctx, ids)
	if err != nil {
		return err
	}
	return p.change(ctx, func(i *record.CSVImport) []kv.Op {
		i.Posts.Below, i.Removed = record.JID(below), i.Removed+gone
		if len(posts) < undoneAPass {
			i.State, i.Finished = linnet.ImportUndone, p.st.Now().UnixMilli()
		}
		return nil
	})
}

// eraseOwn deletes those of some statuses that this import has made.
func (p *importing) eraseOwn(ctx context.Context, ids []linnet.ID) (gone int64, err error) {
	q := p.st.Batch()
	refs := make([]*db.StatusRef, len(ids))
	for i, id := range ids {
		refs[i] = q.Status(id)
	}
	if err := q.Run(ctx); err != nil {
		return 0, core.StoreError(err)
	}
	for _, ref := range refs {
		if ref.Status == nil || madeBy(ref.Status) != p.id {
			continue
		}
		st := *ref.Status
		did, err := p.posting.Erase(ctx, &st, func(t task.Task) { p.tasks.Run(ctx, t) })
		if err == nil && did {
			gone++
			err = p.uploads.RemoveDetached(ctx, p.me, st.Media)
		}
		if err != nil {
			return gone, err
		}
	}
	return gone, nil
}

// endImport removes an import of posts that nobody has confirmed.
func (s *Service) endImport(ctx context.Context, a archives.ImportOf) (*archives.ImportOf, error) {
	i, err := s.st.Archives.DropImport(ctx, a.User, a.ID, func(i *record.CSVImport) bool {
		return i.Posts != nil && (i.State == linnet.ImportUnconfirmed || i.State == "")
	})
	if err == nil && i != nil {
		s.uploads.Discard(ctx, i.Files()...)
	}
	return nil, err
}
