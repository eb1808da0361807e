package archives

import (
	"context"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/wording"
)

// rowsAtOnce is the number of rows of a list that are read and written at a time.
const rowsAtOnce = 200

// WriteCSV writes a list of me as a CSV file (RFC 4180) with Mastodon's columns, oldest entry
// first. It writes while it reads, so memory does not grow with the list.
// https://docs.joinmastodon.org/user/moving/#export
func (s *Service) WriteCSV(ctx context.Context, me linnet.ID, kind linnet.CSVKind, w io.Writer) error {
	out := csv.NewWriter(w)
	if head := headOf(kind); head != nil {
		_ = out.Write(head) // Flush reports errors
	}
	flush := func() error { out.Flush(); return out.Error() }
	var err error
	switch kind {
	case linnet.FollowingCSV:
		err = s.eachRow(ctx, record.Follows().OwnedKey(me), func(ctx context.Context, ids []linnet.ID) error {
			rels, at, err := s.relations(ctx, me, ids)
			for _, r := range rels {
				if at[r.ID] != "" && r.Following {
					_ = out.Write([]string{at[r.ID], strconv.FormatBool(r.Reposts), strconv.FormatBool(r.Notify), strings.Join(r.Languages, ", ")})
				}
			}
			return err
		}, flush)
	case linnet.BlocksCSV:
		err = s.eachRow(ctx, record.Blocks().OwnedKey(me), func(ctx context.Context, ids []linnet.ID) error {
			at, err := s.addresses(ctx, me, ids)
			for _, id := range ids {
				if at[id] != "" {
					_ = out.Write([]string{at[id]})
				}
			}
			return err
		}, flush)
	case linnet.MutesCSV:
		err = s.eachRow(ctx, record.MutesKey(me), func(ctx context.Context, ids []linnet.ID) error {
			rels, at, err := s.relations(ctx, me, ids)
			for _, r := range rels {
				if at[r.ID] != "" && r.Muting {
					_ = out.Write([]string{at[r.ID], strconv.FormatBool(r.MutingNotices)})
				}
			}
			return err
		}, flush)
	case linnet.BookmarksCSV:
		err = s.eachRow(ctx, record.Bookmarks.Key(me), func(ctx context.Context, ids []linnet.ID) error {
			all, err := s.view.Statuses(ctx, me, ids)
			for _, v := range all {
				_ = out.Write([]string{v.URI})
			}
			return err
		}, flush)
	case linnet.ListsCSV:
		err = s.writeLists(ctx, me, out, flush)
	default:
		return linnet.Errorf(linnet.NotFound, "There is no CSV export named %q", string(kind))
	}
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// headOf returns the names of the columns. Only some lists have them.
func headOf(kind linnet.CSVKind) []string {
	switch kind {
	case linnet.FollowingCSV:
		return []string{"Account address", "Show boosts", "Notify on new posts", "Languages"}
	case linnet.MutesCSV:
		return []string{"Account address", "Hide notifications"}
	}
	return nil
}

// eachRow calls write for batches of a set of ids in rising order, and flush after each of them.
func (s *Service) eachRow(ctx context.Context, key kv.Key, write func(context.Context, []linnet.ID) error, flush func() error) error {
	var from kv.Member
	for {
		ids, next, err := s.st.After(ctx, key, from, rowsAtOnce)
		if err == nil && len(ids) > 0 {
			err = write(ctx, ids)
		}
		if err != nil {
			return core.StoreError(err)
		}
		if err := flush(); err != nil { // the client has disconnected
			return err
		}
		if len(ids) < rowsAtOnce {
			return nil
		}
		from = next
	}
}

// address returns the address of a user in the fediverse.
func (s *Service) address(login string) string { return login + "@" + s.core.Hostname }

// addresses returns the addresses of existing users.
func (s *Service) addresses(ctx context.Context, me linnet.ID, ids []linnet.ID) (map[linnet.ID]string, error) {
	users, err := s.view.Users(ctx, me, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[linnet.ID]string, len(users))
	for _, u := range users {
		if !u.ID.System() {
			out[u.ID] = s.address(u.Login)
		}
	}
	return out, nil
}

// relations returns the relations of me to existing users, with their addresses.
func (s *Service) relations(ctx context.Context, me linnet.ID, ids []linnet.ID) ([]linnet.Relationship, map[linnet.ID]string, error) {
	at, err := s.addresses(ctx, me, ids)
	if err != nil {
		return nil, nil, err
	}
	rels, err := s.social.Relationships(ctx, me, ids)
	return rels, at, err
}

// writeLists writes the members of me's own lists.
func (s *Service) writeLists(ctx context.Context, me linnet.ID, out *csv.Writer, flush func() error) error {
	all, err := s.lists.Lists(ctx, me)
	if err != nil {
		return err
	}
	for _, l := range all {
		if l.Kind != linnet.OwnList {
			continue
		}
		write := func(ctx context.Context, ids []linnet.ID) error {
			at, err := s.addresses(ctx, me, ids)
			for _, id := range ids {
				if at[id] != "" {
					_ = out.Write([]string{l.Title, at[id]})
				}
			}
			return err
		}
		if err := s.eachRow(ctx, record.Listings().OwnedKey(l.ID), write, flush); err != nil {
			return err
		}
	}
	return nil
}

// Exported writes an export of a user for the operator: a list, or with "archive" the archive. It
// adds to the audit log.
func (s *Service) Exported(ctx context.Context, by linnet.Actor, login, what string, w io.Writer) error {
	if err := core.AuthorizeOperator(by); err != nil {
		return err
	}
	u, err := s.core.AccountNamed(ctx, login)
	if err != nil {
		return err
	}
	kind, ok := linnet.ParseCSVKind(what)
	if what == string(linnet.FeedsOPML) {
		kind = linnet.FeedsOPML
	} else if !ok && what != "archive" {
		return linnet.Errorf(linnet.Invalid, "There is no export named %q", what)
	}
	if err := s.core.LogAct(ctx, by, core.ActExport, u.ID, exportSays(kind), ""); err != nil {
		return err
	}
	switch {
	case ok:
		return s.WriteCSV(ctx, u.ID, kind, w)
	case kind == linnet.FeedsOPML:
		return s.WriteOPML(ctx, u.ID, w)
	}
	return s.writeArchive(ctx, u, w)
}

// exportSays returns the name of an export in the audit log; "" for the archive.
func exportSays(kind linnet.CSVKind) string {
	words := map[linnet.CSVKind]wording.Message{"": wording.Messagef("Archive"), linnet.FollowingCSV: wording.Messagef("Follows"), linnet.ListsCSV: wording.Messagef("Lists"),
		linnet.BlocksCSV: wording.Messagef("Blocks"), linnet.MutesCSV: wording.Messagef("Mutes"), linnet.BookmarksCSV: wording.Messagef("Bookmarks"), linnet.FeedsOPML: wording.Messagef("External feeds")}
	return wording.Store("%s", words[kind])
}
