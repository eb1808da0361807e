package archives

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/archives"
	"linnet/internal/task"
	"linnet/internal/wording"
)

const (
	// rowsAPass is the number of rows in one batch. Each batch is a separate action.
	rowsAPass = 20
	// feedsAPass is the number of feeds in one batch, because a site can take long to respond.
	feedsAPass = 1
	// chunkRows is the number of existing entries that are compared with the file at a time.
	chunkRows = archives.ChunkRows
	// limitWait is the delay of an import after it has reached a limit of new accounts.
	limitWait = 10 * time.Minute
)

// importing is one batch of an import.
type importing struct {
	s   *Service
	me  linnet.ID
	id  linnet.ID
	i   *record.CSVImport
	act importAct
}

// importAct has the functions for the rows of a kind. Each can run more than once.
type importAct struct {
	see  func(ctx context.Context, rows []*record.ImportRow) error // records the previous state in Made and Was
	do   func(ctx context.Context, r *record.ImportRow) error
	undo func(ctx context.Context, r *record.ImportRow) error
	// all returns a batch of the existing entries after a position. For lists it sets the next
	// position in i.List. done reports the end.
	all func(ctx context.Context) (rows []record.ImportRow, then record.ImportPosition, done bool, err error)
}

// importPass runs one batch of the task: first it removes entries that aren't in the file, if
// requested, then it applies the rows in order. Undoing runs in the reverse order.
func (s *Service) importPass(ctx context.Context, a importArgs) (*importArgs, error) {
	i, err := s.st.Archives.Import(store.Durable(ctx), a.User, a.ID)
	if err != nil || i == nil {
		return nil, err
	}
	p := &importing{s: s, me: a.User, id: a.ID, i: i}
	p.act = p.acts()[i.Kind]
	more := true
	switch {
	case i.Posts != nil:
		more, err = p.importPosts(ctx)
	case i.State == linnet.ImportInProgress && !i.Sifted:
		err = p.sift(ctx)
	case i.State == linnet.ImportInProgress:
		err = p.rows(ctx)
	case i.State == linnet.ImportUndoing:
		err = p.back(ctx)
	default:
		return nil, nil
	}
	var limit *linnet.Error
	switch {
	case errors.As(err, &limit) && limit.Kind == linnet.TooMany:
		return nil, p.wait(ctx, a, limitWait)
	case errors.As(err, &limit) && limit.Kind == linnet.Unavailable && i.Posts != nil && !store.Unavailable(err):
		return nil, p.wait(ctx, a, busyWait)
	case err != nil || p.i == nil || !more || !underWay(p.i) && i.Posts == nil:
		return nil, err
	}
	return &a, nil
}

// wait delays the rest of an import.
func (p *importing) wait(ctx context.Context, a importArgs, d time.Duration) error {
	at := p.s.st.Now().Add(d)
	t, err := task.NewLater(a.User.Shard(), "import."+a.ID.String()+"."+at.UTC().Format("20060102150405.000"), TaskImport, a, at)
	if err == nil {
		err = p.change(ctx, func(i *record.CSVImport) []kv.Op {
			i.Waits = at.UnixMilli()
			return t.Ops()
		})
	}
	if err == nil {
		p.s.tasks.Left(ctx, a.User.Shard())
	}
	return err
}

// change changes the record of the import.
func (p *importing) change(ctx context.Context, do func(i *record.CSVImport) []kv.Op) (err error) {
	p.i, err = p.s.st.Archives.ChangeImport(ctx, p.me, p.id, func(i *record.CSVImport) ([]kv.Op, error) {
		i.Waits = 0
		return do(i), nil
	})
	return err
}

// window has the rows of a batch, with their chunk.
type window struct {
	chunk   int
	rows    []record.ImportRow // rows of the chunk
	version uint64
	some    []*record.ImportRow
}

func (p *importing) window(ctx context.Context, next int) (w window, err error) {
	w.chunk = next / archives.ChunkRows
	w.rows, w.version, err = p.s.st.Archives.Rows(ctx, p.me, p.id, w.chunk)
	most := rowsAPass
	if p.i.Kind == linnet.FeedsOPML && p.i.State == linnet.ImportInProgress {
		most = feedsAPass
	}
	for n := next % archives.ChunkRows; n < len(w.rows) && len(w.some) < most; n++ {
		w.some = append(w.some, &w.rows[n])
	}
	return w, err
}

// put returns the operation that writes the rows of a window.
func (p *importing) put(w *window) []kv.Op {
	op := archives.PutRows(p.me, p.id, w.chunk, w.rows, w.version)
	w.version++
	return []kv.Op{op}
}

// rows applies the next rows. It first stores the previous state, so that a batch repeated after a
// crash doesn't mistake its own changes for it.
func (p *importing) rows(ctx context.Context) error {
	w, err := p.window(ctx, p.i.Next)
	if err != nil {
		return err
	}
	if len(w.some) == 0 || w.chunk >= p.i.Chunks {
		return p.change(ctx, func(i *record.CSVImport) []kv.Op {
			i.State, i.Finished = linnet.ImportFinished, p.s.st.Now().UnixMilli()
			return nil
		})
	}
	if err := p.see(ctx, &w); err != nil {
		return err
	}
	var imported, failed int64
	done := 0
	var limit error
	for _, r := range w.some {
		err := p.one(ctx, r)
		if linnet.KindOf(err) == linnet.TooMany {
			limit = err
			break
		}
		if err != nil {
			return err
		}
		if done++; r.Wrong == "" {
			imported++
		} else {
			failed++
		}
	}
	if done > 0 {
		err = p.change(ctx, func(i *record.CSVImport) []kv.Op {
			i.Next, i.Imported, i.Failed = i.Next+done, i.Imported+imported, i.Failed+failed
			return []kv.Op{archives.PutRows(p.me, p.id, w.chunk, w.rows, w.version)}
		})
	}
	if err == nil {
		err = limit
	}
	return err
}

// see records the previous state of rows if it isn't recorded yet.
func (p *importing) see(ctx context.Context, w *window) error {
	var unseen []*record.ImportRow
	for _, r := range w.some {
		if !r.Seen && r.ID != 0 {
			unseen = append(unseen, r)
		}
	}
	if len(unseen) == 0 {
		return nil
	}
	if err := p.act.see(ctx, unseen); err != nil {
		return err
	}
	for _, r := range unseen {
		r.Seen = true
	}
	op := p.put(w)
	return p.change(ctx, func(*record.CSVImport) []kv.Op { return op })
}

// one processes a row, or records why it is refused.
func (p *importing) one(ctx context.Context, r *record.ImportRow) error {
	var why string
	var err error
	switch {
	case r.ID == 0 && p.i.Kind == linnet.FeedsOPML:
		why, err = p.findFeed(ctx, r)
	case r.ID == 0:
		why, err = p.whyNot(ctx, r)
	}
	if r.Wrong = why; r.ID == 0 || err != nil {
		return err
	}
	why, err = refused(p.act.do(ctx, r))
	r.Wrong = why
	return err
}

// whyNot returns the reason why a row can't be applied.
func (p *importing) whyNot(ctx context.Context, r *record.ImportRow) (string, error) {
	if p.i.Kind == linnet.BookmarksCSV {
		if p.s.statusNamed(r.Name) == 0 {
			return wording.Store("This is not a post on this server."), nil
		}
		return wording.Store("The post was deleted, or you can't see it."), nil
	}
	if login, ok := p.s.core.LocalLogin(r.Name); ok {
		me, err := p.s.core.LookupUser(ctx, p.me)
		if me != nil && strings.EqualFold(me.Login, login) {
			return wording.Store("This is your own account."), err
		}
		return wording.Store("This account doesn't exist here."), err
	}
	if _, host, ok := strings.Cut(r.Name, "@"); ok && !strings.EqualFold(host, p.s.core.Hostname) {
		return wording.Store("The account is on another server."), nil
	}
	return wording.Store("This is not an account address."), nil
}

// refused returns the stored form of a refusal. Temporary errors stay errors.
func refused(err error) (why string, rest error) {
	var e *linnet.Error
	if !errors.As(err, &e) {
		return "", err
	}
	switch e.Kind {
	case linnet.Internal, linnet.Unavailable, linnet.Full, linnet.TooMany:
		return "", err
	}
	if len(e.Fields) == 1 && e.Fields[0].Name == "title" {
		return wording.Store("The list title %s.", wording.Messagef(e.Fields[0].Wording.Format, e.Fields[0].Wording.Args...)), nil
	}
	return posting.StoredMessage(e), nil
}

// sift removes a batch of entries that aren't in the file. It stores them first.
func (p *importing) sift(ctx context.Context) error {
	if p.i.Pending {
		rows, _, err := p.s.st.Archives.Rows(ctx, p.me, p.id, p.i.Chunks+p.i.Gone-1)
		if err != nil {
			return err
		}
		for n := range rows {
			if _, err := refused(p.act.undo(ctx, &rows[n])); err != nil { // entries that can't be removed stay
				return err
			}
		}
		return p.change(ctx, func(i *record.CSVImport) []kv.Op {
			i.Pending = false
			return nil
		})
	}
	named, err := p.named(ctx)
	if err != nil {
		return err
	}
	all, then, done, err := p.act.all(ctx)
	if err != nil {
		return err
	}
	list := p.i.List
	extra := slices.DeleteFunc(all, func(r record.ImportRow) bool { return named[rowKey(&r)] || r.ID == 0 && named[[2]string{"", r.List}] })
	for n := range extra {
		extra[n].Seen, extra[n].Made = true, true
	}
	return p.change(ctx, func(i *record.CSVImport) []kv.Op {
		i.From, i.List, i.Sifted = then, list, done
		if len(extra) == 0 {
			return nil
		}
		i.Pending, i.Gone, i.Removed = true, i.Gone+1, i.Removed+int64(len(extra))
		i.Sifted = false
		return []kv.Op{archives.PutRows(p.me, p.id, i.Chunks+i.Gone-1, extra, 0)}
	})
}

// rowKey identifies rows: their account and list.
func rowKey(r *record.ImportRow) [2]string { return [2]string{linnet.ID(r.ID).String(), r.List} }

// named returns the accounts in the file, and for lists their titles.
func (p *importing) named(ctx context.Context) (map[[2]string]bool, error) {
	named := make(map[[2]string]bool, p.i.Rows)
	for n := range p.i.Chunks {
		rows, _, err := p.s.st.Archives.Rows(ctx, p.me, p.id, n)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			named[rowKey(&r)] = true
			named[[2]string{"", r.List}] = true
		}
	}
	return named, nil
}

// back undoes the next rows. It begins with the rows of the file, and then restores removed
// entries.
func (p *importing) back(ctx context.Context) error {
	w, err := p.window(ctx, p.i.Next)
	if err != nil {
		return err
	}
	if len(w.some) == 0 {
		if next := (w.chunk + 1) * archives.ChunkRows; w.chunk+1 < p.i.Chunks+p.i.Gone {
			return p.change(ctx, func(i *record.CSVImport) []kv.Op { i.Next = next; return nil })
		}
		if err := p.dropMade(ctx); err != nil {
			return err
		}
		return p.change(ctx, func(i *record.CSVImport) []kv.Op {
			i.State, i.Finished = linnet.ImportUndone, p.s.st.Now().UnixMilli()
			return nil
		})
	}
	do := p.act.undo
	if w.chunk >= p.i.Chunks {
		do = p.act.do
	}
	if p.i.Next == p.i.Chunks*archives.ChunkRows { // otherwise they could prevent restoring others by a limit
		if err := p.dropMade(ctx); err != nil {
			return err
		}
	}
	for _, r := range w.some {
		if r.Wrong != "" || !r.Made && r.Was == nil {
			continue
		}
		if _, err := refused(do(ctx, r)); err != nil {
			return err
		}
	}
	return p.change(ctx, func(i *record.CSVImport) []kv.Op {
		i.Next += len(w.some)
		return nil
	})
}

// dropMade deletes empty lists that the import has created.
func (p *importing) dropMade(ctx context.Context) error {
	for _, id := range p.i.Made {
		members, _, err := p.s.st.After(ctx, record.Listings().OwnedKey(linnet.ID(id)), kv.Member{}, 1)
		if err != nil {
			return core.StoreError(err)
		}
		if len(members) > 0 {
			continue
		}
		if err := p.s.lists.DeleteList(ctx, p.me, linnet.ID(id)); err != nil && linnet.KindOf(err) != linnet.NotFound {
			return err
		}
	}
	return nil
}
