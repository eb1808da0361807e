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
	"linnet/internal/uploads"
	"linnet/internal/wording"
)

const (
	// postsAPass is the number of posts written in one batch, mediaAPass the number of pictures
	// processed, and mediaTime the approximate time for them. A lease lasts 30 seconds.
	postsAPass = 200
	mediaAPass = 8
	mediaTime  = 8 * time.Second
	// busyWait is the delay of an import while the server processes too many pictures.
	busyWait = 15 * time.Second
	// undoneAPass is the number of posts deleted in one batch of undoing.
	undoneAPass = 100
)

// postBatch is one batch of an import of posts.
type postBatch struct {
	s       *Service
	p       *importing
	author  *linnet.User
	lines   []*lineAt
	sts     []*linnet.Status // statuses to be written
	ours    []*linnet.Status // of this import, including those written by an earlier attempt
	rows    []record.ImportRow
	started time.Time
	pieces  io.ReadSeekCloser // reader of the media file, once opened
	n       int               // media so far
	already int64
	refused int64
	lost    int64
}

// lineAt is a line, and the position of the next one.
type lineAt struct {
	importedPost
	end int64
	doc text.Doc
}

// importPosts runs the next batch of an import of posts. When all are done it deletes the files.
func (p *importing) importPosts(ctx context.Context) (more bool, err error) {
	switch p.i.State {
	case linnet.ImportInProgress:
		return true, p.importBatch(ctx)
	case linnet.ImportUndoing:
		return true, p.takeBack(ctx)
	}
	if names := p.i.Files(); len(names) > 0 && p.i.State != linnet.ImportUnconfirmed {
		// The end of the import was read durably, so the files are not needed again.
		p.s.uploads.Discard(ctx, names...)
		return false, p.change(ctx, func(i *record.CSVImport) []kv.Op {
			i.Posts.Posts, i.Posts.Media = "", ""
			return task.Recall(p.me.Shard(), record.ImportEnd(p.id))
		})
	}
	return false, nil
}

func (p *importing) importBatch(ctx context.Context) error {
	b := &postBatch{s: p.s, p: p, started: time.Now()}
	defer b.close()
	err := b.read(ctx)
	if errors.Is(err, blob.ErrAbsent) {
		return b.p.finish(ctx, wording.Store("The uploaded file has been deleted. Upload it again."))
	}
	if err != nil {
		return err
	}
	if len(b.lines) == 0 {
		return b.p.finish(ctx, "")
	}
	if b.author, err = p.s.core.LookupUser(ctx, p.me); err != nil || b.author == nil {
		p.i = nil // the account is deleted
		return err
	}
	if err := b.compose(ctx); err != nil {
		return err
	}
	err = p.s.st.Statuses.Import(ctx, p.me, b.sts)
	switch {
	case errors.Is(err, db.ErrRace): // it is retried with the current data
		return nil
	case errors.Is(err, db.ErrDeleted):
		p.i = nil
		return nil
	case err != nil:
		return err
	}
	if err := p.s.st.Statuses.FinishImport(ctx, b.ours, p.s.st.Now()); err != nil {
		return err
	}
	return b.note(ctx)
}

func (b *postBatch) close() {
	if b.pieces != nil {
		b.pieces.Close()
	}
}

// read reads the lines of this batch.
func (b *postBatch) read(ctx context.Context) error {
	f, err := b.s.opt.Files.Open(ctx, b.p.i.Posts.Posts)
	if err != nil {
		return fmt.Errorf("open an archive: %w", err)
	}
	defer f.Close()
	at := b.p.i.Posts.At
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
		l := &lineAt{end: at}
		if err := json.Unmarshal(line, &l.importedPost); err != nil {
			return fmt.Errorf("read an archive: %w", err)
		}
		l.doc = text.Parse(l.Text)
		b.lines = append(b.lines, l)
	}
	return nil
}

// compose creates the statuses of the lines, as far as the time limit allows.
func (b *postBatch) compose(ctx context.Context) error {
	at, err := b.ids(ctx)
	if err != nil {
		return err
	}
	people, err := b.people(ctx)
	if err != nil {
		return err
	}
	for n, l := range b.lines {
		if n > 0 && len(l.Media) > 0 && (b.n+len(l.Media) > mediaAPass || time.Since(b.started) > mediaTime) {
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
			st.InReplyTo, st.InReplyAuthor, st.Conversation = parent.st.ID, b.p.me, parent.st.Conversation
		}
		switch err := b.s.core.TagRules.Check(ctx, st.Tags); {
		case linnet.KindOf(err) == linnet.Invalid:
			b.refused++
			b.rows = append(b.rows, reportRow(&l.importedPost, wording.Store("The post has a hashtag that this server doesn't allow.")))
			continue
		case err != nil:
			return err
		}
		if err := b.attach(ctx, l, st); err != nil {
			return err
		}
		if text.Blank(st.Text) && len(st.Media) == 0 {
			b.refused++
			b.rows = append(b.rows, reportRow(&l.importedPost, wording.Store("The post has no text, and its media can't be stored.")))
			continue
		}
		at[l.Source] = importID{st: st}
		b.sts, b.ours = append(b.sts, st), append(b.ours, st)
	}
	return nil
}

// isHere counts a post that exists, from an earlier attempt or another source.
func (b *postBatch) isHere(st *linnet.Status) {
	if madeBy(st) == b.p.id {
		b.ours = append(b.ours, st)
		return
	}
	b.already++
}

// status returns the record of a post.
func (b *postBatch) status(l *lineAt, id linnet.ID, people map[string]linnet.Mention) *linnet.Status {
	st := &linnet.Status{ID: id, Author: b.p.me, Conversation: id, Text: l.Text, Warning: l.Warning, Sensitive: l.Sensitive || l.Warning != "" || b.author.Sensitized,
		Language: l.Language, Visibility: l.Visibility, QuotePolicy: b.author.Posting.QuotePolicy, Imported: true, Nonce: importNonce(b.p.id, l.Source), Version: 1}
	if v := b.p.i.Posts.Visibility; v != nil {
		st.Visibility = max(st.Visibility, *v)
	}
	for _, name := range b.names(l) {
		login, _ := b.s.core.LocalLogin(name)
		m, ok := people[strings.ToLower(login)]
		if ok && len(st.Mentions) < linnet.MaxMentions && !slices.Contains(st.Mentions, m) {
			st.Mentions = append(st.Mentions, m)
		}
	}
	st.Tags = l.doc.Tags()
	st.Tags = st.Tags[:min(len(st.Tags), linnet.MaxTags)]
	return st
}

// names returns the mentions in a post that can be users of this server. Posts from X have none,
// because a user here with the same name is another person.
func (b *postBatch) names(l *lineAt) []string {
	if b.p.i.Kind == linnet.TwitterArchive {
		return nil
	}
	return l.doc.Mentions()
}

// people returns the users that the lines mention and that can be mentioned, by lower-case login.
func (b *postBatch) people(ctx context.Context) (map[string]linnet.Mention, error) {
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
	found, groups, err := b.s.view.FindMentions(ctx, b.p.me, names)
	for _, m := range found {
		if m.ID != b.p.me && !slices.ContainsFunc(groups, func(g *linnet.User) bool { return g.ID == m.ID }) {
			out[strings.ToLower(m.Login)] = m
		}
	}
	return out, err
}

// attach stores the media of a post. They are unattached until the post is written. It skips files
// that can't be stored.
func (b *postBatch) attach(ctx context.Context, l *lineAt, st *linnet.Status) (err error) {
	for _, m := range l.Media {
		if b.pieces == nil {
			if b.pieces, err = b.s.opt.Files.Open(ctx, b.p.i.Posts.Media); err != nil {
				return fmt.Errorf("open the media of an archive: %w", err)
			}
		}
		b.n++
		a, err := b.upload(ctx, &m, st.Media)
		var why string
		if err == nil && len(st.Media) > 0 && (a.Clip != nil || st.Media[0].Clip != nil) {
			why = wording.Store("A video or audio file must be the only attachment. The other attachments were left out.")
			err = b.s.uploads.RemoveDetached(ctx, b.p.me, []linnet.Attachment{*a})
		} else if err != nil {
			why, err = refused(err)
		}
		if err != nil {
			return err
		}
		if why != "" {
			b.lost++
			b.rows = append(b.rows, reportRow(&l.importedPost, wording.Store("An attachment was left out: %s", wording.Message(why))))
			continue
		}
		st.Media = append(st.Media, *a)
	}
	return nil
}

func (b *postBatch) upload(ctx context.Context, m *mediaPart, others []linnet.Attachment) (*linnet.Attachment, error) {
	if _, err := b.pieces.Seek(m.From, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read the media of an archive: %w", err)
	}
	f, err := b.s.uploads.Receive(io.LimitReader(b.pieces, m.Bytes))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	alt := uploads.FitDescription(m.Alt, others...)
	c := linnet.AttachmentChange{Description: &alt}
	if focus := (linnet.Focus{X: m.Focus[0], Y: m.Focus[1]}); focus.X >= -1 && focus.X <= 1 && focus.Y >= -1 && focus.Y <= 1 {
		c.Focus = &focus
	}
	return b.s.uploads.Upload(ctx, b.p.me, f, nil, c)
}

// note records the progress of the import.
func (b *postBatch) note(ctx context.Context) error {
	end := b.lines[len(b.lines)-1].end
	var put kv.Op
	chunks := b.p.i.Chunks
	if len(b.rows) > 0 && chunks*archives.ChunkRows < linnet.MaxPostImportRows {
		chunk := chunks
		var rows []record.ImportRow
		var version uint64
		if chunks > 0 {
			var err error
			if rows, version, err = b.s.st.Archives.Rows(ctx, b.p.me, b.p.id, chunks-1); err != nil {
				return err
			}
			chunk--
		}
		if len(rows)+len(b.rows) > archives.ChunkRows {
			rows, version, chunk = nil, 0, chunks
		}
		rows = append(rows, b.rows...)
		put = archives.PutRows(b.p.me, b.p.id, chunk, rows[:min(len(rows), archives.ChunkRows)], version)
		chunks = chunk + 1
	}
	return b.p.change(ctx, func(i *record.CSVImport) []kv.Op {
		i.Posts.At, i.Next, i.Imported = end, i.Next+len(b.lines), i.Imported+int64(len(b.ours))
		i.Posts.Already, i.Posts.Lost, i.Failed = i.Posts.Already+b.already, i.Posts.Lost+b.lost, i.Failed+b.refused
		if i.Chunks = chunks; put == nil {
			return nil
		}
		return []kv.Op{put}
	})
}

// finish ends an import. It drops the home feed of its owner, so that it is rebuilt with the
// imported posts.
func (p *importing) finish(ctx context.Context, failed string) error {
	if err := p.s.st.Feeds.ForgetFeeds(ctx, record.HomeKey(p.me)); err != nil {
		return err
	}
	return p.change(ctx, func(i *record.CSVImport) []kv.Op {
		i.State, i.Finished, i.Posts.Failed = linnet.ImportFinished, p.s.st.Now().UnixMilli(), failed
		return nil
	})
}

// takeBack deletes posts of the import, newest first, so that replies are deleted before their
// parents.
func (p *importing) takeBack(ctx context.Context) error {
	below := linnet.ID(p.i.Posts.Below)
	if below == 0 {
		below = linnet.MakeID(time.UnixMilli(p.i.Posts.Last+2000), 0, 0)
	}
	first := linnet.MakeID(time.UnixMilli(p.i.Posts.First-1), 0, 0)
	q := p.s.st.Batch()
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
	deleted, err := p.eraseOwn(ctx, ids)
	if err != nil {
		return err
	}
	return p.change(ctx, func(i *record.CSVImport) []kv.Op {
		i.Posts.Below, i.Removed = record.JID(below), i.Removed+deleted
		if len(posts) < undoneAPass {
			i.State, i.Finished = linnet.ImportUndone, p.s.st.Now().UnixMilli()
		}
		return nil
	})
}

// eraseOwn deletes the statuses that this import has created.
func (p *importing) eraseOwn(ctx context.Context, ids []linnet.ID) (deleted int64, err error) {
	q := p.s.st.Batch()
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
		did, err := p.s.eraser.Erase(ctx, &st, func(t task.Task) { p.s.tasks.Run(ctx, t) })
		if err == nil && did {
			deleted++
			err = p.s.uploads.RemoveDetached(ctx, p.me, st.Media)
		}
		if err != nil {
			return deleted, err
		}
	}
	return deleted, nil
}

// endImport deletes an unconfirmed import of posts.
func (s *Service) endImport(ctx context.Context, a archives.ImportOf) (*archives.ImportOf, error) {
	i, err := s.st.Archives.DropImport(ctx, a.User, a.ID, func(i *record.CSVImport) bool {
		return i.Posts != nil && (i.State == linnet.ImportUnconfirmed || i.State == "")
	})
	if err == nil && i != nil {
		s.uploads.Discard(ctx, i.Files()...)
	}
	return nil, err
}
