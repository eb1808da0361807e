package archives

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/archives"
	"linnet/internal/store/db"
	"linnet/internal/text"
)

var errNoImport = linnet.Errorf(linnet.NotFound, "Record not found")

// rowsLookedUp is the number of rows that are looked up at a time.
const rowsLookedUp = 500

// AddImport reads a CSV or OPML file, looks up its accounts and objects, and stores it until it is
// confirmed. It changes nothing else. file is its name, for display.
func (s *Service) AddImport(ctx context.Context, me linnet.ID, kind linnet.CSVKind, overwrite bool, file string, r io.Reader) (*linnet.Import, error) {
	var rows []record.ImportRow
	var looks linnet.CSVKind
	var err error
	if _, ok := linnet.ParseCSVKind(string(kind)); ok {
		rows, looks, err = readRows(r, kind)
	} else if kind == linnet.FeedsOPML {
		overwrite, looks = false, kind
		rows, err = readOPML(r)
	} else {
		err = linnet.FieldError("type", "ERR_INVALID", "%q is not an import type", string(kind))
	}
	if err != nil {
		return nil, err
	}
	i := &record.CSVImport{Kind: kind, Overwrite: overwrite, File: fileName(file), State: linnet.ImportUnconfirmed, Rows: int64(len(rows))}
	if looks = cmp.Or(looks, kindNamed(i.File)); looks != kind {
		i.Looks = looks
	}
	for part := range slices.Chunk(rows, rowsLookedUp) {
		here, err := s.lookUp(ctx, me, kind, part)
		if err != nil {
			return nil, err
		}
		i.Here += here
	}
	err = s.st.Archives.AddImport(ctx, me, i, rows, func(others []record.CSVImport) (drop []linnet.ID, err error) {
		if len(others) < linnet.MaxImports {
			return nil, nil
		}
		return makeRoom(others)
	})
	if errors.Is(err, db.ErrDeleted) {
		return nil, core.ErrNoUser
	}
	if err != nil {
		return nil, core.StoreError(err)
	}
	return shownImport(i), nil
}

// makeRoom returns the import to delete for a new one.
func makeRoom(others []record.CSVImport) (drop []linnet.ID, err error) {
	for _, confirmed := range []bool{false, true} { // unconfirmed ones first
		for _, o := range others {
			if !underWay(&o) && o.Posts == nil && (confirmed || o.State == linnet.ImportUnconfirmed || o.State == "") {
				return []linnet.ID{linnet.ID(o.ID)}, nil
			}
		}
	}
	for _, o := range others { // imports of posts last, because without the record they can't be undone
		if o.Posts != nil && !underWay(&o) && len(o.Files()) == 0 {
			return []linnet.ID{linnet.ID(o.ID)}, nil
		}
	}
	return nil, linnet.Errorf(linnet.TooMany, "You can have at most %d imports in progress. Wait until one has finished.", linnet.MaxImports)
}

// underWay reports whether a task works on an import.
func underWay(i *record.CSVImport) bool {
	return i.State == linnet.ImportInProgress || i.State == linnet.ImportUndoing
}

// fileName returns the displayed name of an uploaded file.
func fileName(s string) string {
	s = text.Line(s[strings.LastIndexAny(s, `/\`)+1:])
	if n := []rune(s); len(n) > 100 {
		s = string(n[:100])
	}
	return s
}

func shownImport(i *record.CSVImport) *linnet.Import {
	v := &linnet.Import{ID: linnet.ID(i.ID), Kind: i.Kind, Overwrite: i.Overwrite, File: i.File, Looks: i.Looks, State: i.State, Rows: i.Rows, Here: i.Here, Done: int64(i.Next),
		Imported: i.Imported, Removed: i.Removed, Failed: i.Failed}
	if i.Waits != 0 {
		v.Waits = time.UnixMilli(i.Waits)
	}
	if i.Finished != 0 {
		v.Finished = time.UnixMilli(i.Finished)
	}
	if b := i.Posts; b != nil {
		var counts [linnet.Direct]int64
		for v, n := range b.Counts {
			to := linnet.Visibility(v)
			if b.Visibility != nil {
				to = max(to, *b.Visibility)
			}
			counts[min(to, linnet.Private)] += n
		}
		v.Posts = &linnet.PostImport{Pictures: b.Pictures, First: time.UnixMilli(b.First), Last: time.UnixMilli(b.Last), Reposts: b.Reposts, Messages: b.Messages,
			Unreadable: b.Unreadable, LongTexts: b.LongTexts, Cut: b.Cut, Already: b.Already, Lost: b.Lost, Until: time.UnixMilli(b.Until), Failed: b.Failed,
			Protected: b.Protected, Visibility: b.Visibility, Counts: counts}
	}
	return v
}

// Imports returns the latest imports of a user, newest first.
func (s *Service) Imports(ctx context.Context, me linnet.ID) (out []linnet.Import, err error) {
	all, _, err := s.st.Archives.Imports(ctx, me)
	for _, i := range slices.Backward(all.All) {
		if i.State != "" {
			out = append(out, *shownImport(&i))
		}
	}
	return out, core.StoreError(err)
}

// Import returns an import of a user. It returns NotFound if there is none with that id.
func (s *Service) Import(ctx context.Context, me, id linnet.ID) (*linnet.Import, error) {
	i, err := s.st.Archives.Import(ctx, me, id)
	if err == nil && (i == nil || i.State == "") {
		err = errNoImport
	}
	if err != nil {
		return nil, core.StoreError(err)
	}
	return shownImport(i), nil
}

// ImportRows returns up to a hundred rows of an import, starting at a multiple of a hundred.
// Removed entries are last. of is the maximum total.
func (s *Service) ImportRows(ctx context.Context, me, id linnet.ID, from int) (out []linnet.ImportRow, of int, err error) {
	i, err := s.st.Archives.Import(ctx, me, id)
	if err == nil && (i == nil || i.State == "") {
		err = errNoImport
	}
	if err != nil {
		return nil, 0, core.StoreError(err)
	}
	of = (i.Chunks + i.Gone) * archives.ChunkRows
	if from < 0 || from >= of {
		return nil, of, nil
	}
	chunk := from / archives.ChunkRows
	rows, _, err := s.st.Archives.Rows(ctx, me, id, chunk)
	for n, r := range rows {
		out = append(out, linnet.ImportRow{Number: chunk*archives.ChunkRows + n + 1, Name: r.Name, List: r.List, Here: r.ID != 0, Outcome: r.Wrong, Removed: chunk >= i.Chunks})
	}
	return out, of, core.StoreError(err)
}

// WriteFailures writes the rows of an import that have failed, as a CSV file that can be
// imported again.
func (s *Service) WriteFailures(ctx context.Context, me, id linnet.ID, w io.Writer) error {
	i, err := s.st.Archives.Import(ctx, me, id)
	if err == nil && (i == nil || i.State == "") {
		err = errNoImport
	}
	if err != nil {
		return core.StoreError(err)
	}
	out := csv.NewWriter(w)
	if head := headOf(i.Kind); head != nil {
		_ = out.Write(head)
	}
	for n := range i.Chunks {
		rows, _, err := s.st.Archives.Rows(ctx, me, id, n)
		if err != nil {
			return core.StoreError(err)
		}
		said := func(b *bool) string {
			if b == nil {
				return ""
			}
			return fmt.Sprint(*b)
		}
		for _, r := range rows {
			o := r.Opt
			if o == nil {
				o = &record.ImportOptions{}
			}
			switch {
			case r.Wrong == "":
			case i.Kind == linnet.FollowingCSV:
				var codes string
				if o.Languages != nil {
					codes = strings.Join(*o.Languages, ", ")
				}
				_ = out.Write([]string{r.Name, said(o.Reposts), said(o.Notify), codes})
			case i.Kind == linnet.MutesCSV:
				_ = out.Write([]string{r.Name, said(o.Notices)})
			case i.Kind == linnet.ListsCSV:
				_ = out.Write([]string{r.List, r.Name})
			default:
				_ = out.Write([]string{r.Name})
			}
		}
		if out.Flush(); out.Error() != nil {
			return out.Error()
		}
	}
	out.Flush()
	return out.Error()
}

// ConfirmImport starts an import, and UndoImport reverts it. A task does both, and repeated calls
// change nothing. most changes the limit of visibility; nil leaves it.
func (s *Service) ConfirmImport(ctx context.Context, me, id linnet.ID, most *linnet.Visibility) error {
	if err := checkVisibility(most); err != nil {
		return err
	}
	return s.startImport(ctx, me, id, func(i *record.CSVImport) (bool, error) {
		switch {
		case i.State != linnet.ImportUnconfirmed:
			return false, nil
		case shownImport(i).Empties():
			return false, linnet.Errorf(linnet.Invalid, "Nothing in the file was found on this server, so overwriting would remove all your current entries.")
		}
		if b := i.Posts; b != nil {
			if most == nil {
				most = b.Visibility
			}
			b.Visibility = importVisibility(i.Kind, true, most)
		}
		i.State, i.Sifted = linnet.ImportInProgress, !i.Overwrite
		return true, nil
	})
}

// UndoImport reverts an import, including entries removed by overwriting. Later changes by the user
// are not distinguished. An import of posts can be undone while it is running. See ConfirmImport.
func (s *Service) UndoImport(ctx context.Context, me, id linnet.ID) error {
	return s.startImport(ctx, me, id, func(i *record.CSVImport) (bool, error) {
		switch i.State {
		case linnet.ImportInProgress:
			if i.Posts == nil {
				break
			}
			i.State, i.Posts.Below = linnet.ImportUndoing, 0 // its task continues with undoing
			return false, nil
		case linnet.ImportFinished:
			if i.State, i.Next, i.Waits = linnet.ImportUndoing, 0, 0; i.Posts != nil {
				i.Posts.Below, i.Removed = 0, 0
			}
			return true, nil
		case linnet.ImportUndoing, linnet.ImportUndone:
			return false, nil
		}
		return false, linnet.Errorf(linnet.Invalid, "This import hasn't finished yet. You can undo it when it has finished.")
	})
}

func (s *Service) startImport(ctx context.Context, me, id linnet.ID, begin func(*record.CSVImport) (bool, error)) error {
	t, err := s.tasks.New(me.Shard(), TaskImport, importArgs{User: me, ID: id})
	if err != nil {
		return err
	}
	started := false
	i, err := s.st.Archives.ChangeImport(ctx, me, id, func(i *record.CSVImport) ([]kv.Op, error) {
		yes, err := begin(i)
		if !yes || err != nil {
			return nil, err
		}
		started = true
		return t.Ops(), nil
	})
	if err != nil {
		return core.StoreError(err)
	}
	if i == nil {
		return errNoImport
	}
	if started {
		s.tasks.Start(t)
	}
	return nil
}

// lookUp looks up the account or object of each row. It returns the number of rows with one.
func (s *Service) lookUp(ctx context.Context, me linnet.ID, kind linnet.CSVKind, rows []record.ImportRow) (here int64, err error) {
	switch kind {
	case linnet.FeedsOPML: // fetched after confirmation
	case linnet.BookmarksCSV:
		err = s.lookUpStatuses(ctx, me, rows)
	default:
		err = s.lookUpPeople(ctx, me, kind, rows)
	}
	for _, r := range rows {
		if r.ID != 0 {
			here++
		}
	}
	return here, err
}

func (s *Service) lookUpPeople(ctx context.Context, me linnet.ID, kind linnet.CSVKind, rows []record.ImportRow) error {
	var logins []string
	var of []int
	for n := range rows {
		if login, ok := s.core.LocalLogin(rows[n].Name); ok {
			logins, of = append(logins, login), append(of, n)
		}
	}
	ids, err := s.st.Accounts.UsersByLogin(ctx, logins)
	if err != nil {
		return core.StoreError(err)
	}
	there, err := s.addresses(ctx, me, slices.DeleteFunc(slices.Clone(ids), func(id linnet.ID) bool { return id == 0 }))
	if err != nil {
		return err
	}
	for k, n := range of {
		if there[ids[k]] != "" && (ids[k] != me || kind == linnet.ListsCSV) {
			rows[n].ID = record.JID(ids[k])
		}
	}
	return nil
}

func (s *Service) lookUpStatuses(ctx context.Context, me linnet.ID, rows []record.ImportRow) error {
	named := make([]linnet.ID, len(rows)) // several rows can name the same one
	var ids []linnet.ID
	for n := range rows {
		if named[n] = s.statusNamed(rows[n].Name); named[n] != 0 && !slices.Contains(ids, named[n]) {
			ids = append(ids, named[n])
		}
	}
	seen, err := s.view.Statuses(ctx, me, ids)
	for n, id := range named {
		if slices.ContainsFunc(seen, func(v linnet.StatusView) bool { return v.ID == id }) {
			rows[n].ID = record.JID(id)
		}
	}
	return err
}

// statusNamed returns the id in a status's address or permanent name on this server, or 0 for other
// texts.
func (s *Service) statusNamed(address string) linnet.ID {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || !strings.EqualFold(u.Hostname(), s.core.Hostname) && !strings.EqualFold(u.Host, s.core.Hostname) {
		return 0
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(parts) != 4 && len(parts) != 2 || len(parts) == 4 && (parts[0] != "users" || parts[2] != "statuses") || len(parts) == 2 && !strings.HasPrefix(parts[0], "@") {
		return 0
	}
	id, _ := linnet.ParseID(parts[len(parts)-1])
	return id
}

// importArgs identify an import for its task.
type importArgs struct {
	User linnet.ID `json:"user"`
	ID   linnet.ID `json:"id"`
}
