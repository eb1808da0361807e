package archives

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/text"
)

// maxCell is how long a cell of a file may be, in bytes.
const maxCell = 500

// Columns that Mastodon knows, by their names.
const (
	colAddress   = "Account address"
	colBoosts    = "Show boosts"
	colNotify    = "Notify on new posts"
	colLanguages = "Languages"
	colNotices   = "Hide notifications"
	colList      = "List name"
	colURI       = "#uri"
	colDomain    = "#domain"
)

// columnsOf are those that a file of a kind has where it does not name them.
func columnsOf(kind linnet.CSVKind) []string {
	switch kind {
	case linnet.BookmarksCSV:
		return []string{colURI}
	case linnet.ListsCSV:
		return []string{colList, colAddress}
	}
	return []string{colAddress}
}

func refusedFile(format string, args ...any) error {
	return linnet.FieldError("file", "ERR_INVALID", format, args...)
}

// readRows reads a CSV file of a kind, each row that says something once. Columns may be
// named in the first row, as Mastodon names them; those that nobody knows are left out.
func readRows(r io.Reader, kind linnet.CSVKind) ([]record.ImportRow, error) {
	in := csv.NewReader(&bounded{r: r, left: linnet.MaxImportBytes})
	in.FieldsPerRecord, in.ReuseRecord, in.TrimLeadingSpace = -1, true, true
	var rows []record.ImportRow
	var at map[string]int
	seen := map[[2]string]bool{}
	for {
		cells, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fileFault(err)
		}
		if at == nil {
			cells[0] = string(bytes.TrimPrefix([]byte(cells[0]), []byte("\xef\xbb\xbf")))
			var named bool
			if at, named, err = columns(cells, kind); err != nil {
				return nil, err
			} else if named {
				continue
			}
		}
		row, err := rowOf(cells, at)
		if err != nil {
			return nil, err
		}
		if key := [2]string{strings.ToLower(row.Name), row.List}; row.Name != "" && !seen[key] {
			seen[key] = true
			rows = append(rows, row)
		}
		if len(rows) > linnet.MaxImportRows {
			return nil, refusedFile("contains more than %d rows; split it, and import one part after the other", linnet.MaxImportRows)
		}
	}
	if len(rows) == 0 {
		return nil, refusedFile("is empty: it has no rows")
	}
	return rows, nil
}

// bounded reads so much, and fails if there is more.
type bounded struct {
	r    io.Reader
	left int64
}

var errTooLong = errors.New("too long")

func (b *bounded) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooLong
	}
	return n, err
}

func fileFault(err error) error {
	var bad *csv.ParseError
	switch {
	case errors.Is(err, errTooLong):
		return refusedFile("is too large: it has more than %d MB; split it, and import one part after the other", linnet.MaxImportBytes>>20)
	case errors.As(err, &bad):
		return refusedFile("is no valid CSV file: line %d: %v", bad.Line, bad.Err)
	}
	return fmt.Errorf("read a CSV file: %w", err)
}

// columns says where which column is, and whether the first row names them.
func columns(first []string, kind linnet.CSVKind) (at map[string]int, named bool, err error) {
	switch strings.TrimSpace(first[0]) {
	case colAddress, colList, colURI, colDomain:
		named = true
	default:
		first = columnsOf(kind)
	}
	at = map[string]int{}
	for i, name := range first {
		if name = strings.TrimSpace(name); len(name) < maxCell {
			at[name] = i
		}
	}
	for _, name := range columnsOf(kind) {
		if _, ok := at[name]; !ok {
			return nil, named, refusedFile("does not fit the selected type: it has no column %q", name)
		}
	}
	return at, named, nil
}

// rowOf reads a row; one that names nothing has no Name.
func rowOf(cells []string, at map[string]int) (row record.ImportRow, err error) {
	get := func(name string) (string, bool) {
		i, ok := at[name]
		if !ok || i >= len(cells) {
			return "", false
		}
		return strings.TrimSpace(cells[i]), true
	}
	for _, c := range cells {
		if len(c) > maxCell || !utf8.ValidString(c) {
			return row, refusedFile("has a cell that is longer than %d bytes, or no text in UTF-8", maxCell)
		}
	}
	if row.Name, _ = get(colURI); row.Name == "" {
		row.Name, _ = get(colAddress)
		row.Name = strings.TrimPrefix(row.Name, "@")
	}
	row.List, _ = get(colList)
	row.List = text.Line(row.List)
	var o record.ImportOptions
	for name, to := range map[string]**bool{colBoosts: &o.Reposts, colNotify: &o.Notify, colNotices: &o.Notices} {
		if text, ok := get(name); ok && text != "" {
			yes := truth(text)
			*to = &yes
		}
	}
	if text, ok := get(colLanguages); ok {
		codes := []string{}
		for code := range strings.SplitSeq(text, ",") {
			if code = strings.TrimSpace(code); code != "" {
				codes = append(codes, code)
			}
		}
		o.Languages = &codes
	}
	if o != (record.ImportOptions{}) {
		row.Opt = &o
	}
	return row, nil
}

// truth reads a truth value as Mastodon does: all but what says no is yes.
func truth(s string) bool {
	switch strings.ToLower(s) {
	case "false", "f", "0", "off", "no":
		return false
	}
	return true
}

// writeFailed writes the rows that have failed in the columns of their kind, so that they can
// be imported again.
func writeFailed(out *csv.Writer, kind linnet.CSVKind, rows []record.ImportRow) {
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
		case kind == linnet.FollowingCSV:
			var codes string
			if o.Languages != nil {
				codes = strings.Join(*o.Languages, ", ")
			}
			_ = out.Write([]string{r.Name, said(o.Reposts), said(o.Notify), codes})
		case kind == linnet.MutesCSV:
			_ = out.Write([]string{r.Name, said(o.Notices)})
		case kind == linnet.ListsCSV:
			_ = out.Write([]string{r.List, r.Name})
		default:
			_ = out.Write([]string{r.Name})
		}
	}
}
