package archives

import (
	"bufio"
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

// maxCell is the maximum length of a cell in bytes.
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

// columnsOf returns the columns of a file without a header.
func columnsOf(kind linnet.CSVKind) []string {
	switch kind {
	case linnet.BookmarksCSV:
		return []string{colURI}
	case linnet.ListsCSV:
		return []string{colList, colAddress}
	}
	return []string{colAddress}
}

func refuse(format string, args ...any) error {
	return linnet.FieldError("file", "ERR_INVALID", format, args...)
}

// readRows reads a CSV file of a kind, without repeated rows. The first row can be a header with
// Mastodon's column names. Unknown columns are skipped. looks is the kind that the header
// indicates; "" if it is ambiguous.
func readRows(r io.Reader, kind linnet.CSVKind) (rows []record.ImportRow, looks linnet.CSVKind, err error) {
	file := bufio.NewReader(&lineEnds{r: bufio.NewReader(&bounded{r: r, left: linnet.MaxImportBytes})})
	in := csv.NewReader(file)
	in.FieldsPerRecord, in.ReuseRecord, in.TrimLeadingSpace = -1, true, true
	if in.Comma, err = separator(file); err != nil {
		return nil, "", err
	}
	in.TrimLeadingSpace = in.Comma != '\t' // it would skip empty cells
	var at map[string]int
	seen := map[[2]string]bool{}
	for {
		cells, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			var bad *csv.ParseError
			switch {
			case errors.Is(err, errTooLong):
				return nil, "", refuse("is larger than %d MB: split it and import the parts one by one", linnet.MaxImportBytes>>20)
			case errors.As(err, &bad):
				return nil, "", refuse("is not a valid CSV file: the quotation marks in line %d don't match", bad.StartLine)
			}
			return nil, "", fmt.Errorf("read a CSV file: %w", err)
		}
		if at == nil {
			cells[0] = strings.TrimPrefix(cells[0], utf8Mark)
			var named bool
			if at, named, err = columns(cells, kind); err != nil {
				return nil, "", err
			} else if named {
				looks = kindOf(at)
				continue
			}
		}
		line, _ := in.FieldPos(0)
		row, err := rowOf(cells, at, line)
		if err != nil {
			return nil, "", err
		}
		if key := [2]string{strings.ToLower(row.Name), row.List}; row.Name != "" && !seen[key] {
			seen[key] = true
			rows = append(rows, row)
		}
		if len(rows) > linnet.MaxImportRows {
			return nil, "", refuse("contains more than %d rows: split it and import the parts one by one", linnet.MaxImportRows)
		}
	}
	if len(rows) == 0 {
		return nil, "", refuse("is empty")
	}
	return rows, looks, nil
}

// utf8Mark can precede a text in UTF-8. The others precede every text in UTF-16.
const utf8Mark, utf16Mark, utf16Swapped = "\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"

// lineEnds converts the line ends of old Macs, a single CR, to LF.
type lineEnds struct {
	r       *bufio.Reader
	afterCR bool
}

func (l *lineEnds) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	out := p[:0]
	for _, c := range p[:n] {
		switch {
		case c == '\r':
			out = append(out, '\n')
		case c != '\n' || !l.afterCR:
			out = append(out, c)
		}
		l.afterCR = c == '\r'
	}
	return len(out), err
}

// separator returns the character between the cells of a file, by its first line. Spreadsheets
// write a tab, or a semicolon in countries with a decimal comma. It is a tab if the line has one,
// or else a semicolon if the line has one and no comma.
func separator(file *bufio.Reader) (rune, error) {
	head, _ := file.Peek(file.Size()) // errors are reported when the file is read
	begins := string(head)
	if strings.HasPrefix(begins, utf16Mark) || strings.HasPrefix(begins, utf16Swapped) {
		return 0, errEncoding()
	}
	first, _, _ := strings.Cut(strings.TrimLeft(strings.TrimPrefix(begins, utf8Mark), "\r\n"), "\n")
	semicolons, commas, quoted := false, false, false
	for _, r := range first {
		switch {
		case r == '"':
			quoted = !quoted
		case r == '\t' && !quoted:
			return '\t', nil
		case r == ',' && !quoted:
			commas = true
		case r == ';' && !quoted:
			semicolons = true
		}
	}
	if semicolons && !commas {
		return ';', nil
	}
	return ',', nil
}

func errEncoding() error {
	return refuse("is not UTF-8 text: save it as UTF-8 and choose it again")
}

// kindOf returns the kind of list for which one of the named columns is unique.
func kindOf(at map[string]int) linnet.CSVKind {
	for _, c := range []struct {
		name string
		kind linnet.CSVKind
	}{{colNotices, linnet.MutesCSV}, {colBoosts, linnet.FollowingCSV}, {colNotify, linnet.FollowingCSV}, {colLanguages, linnet.FollowingCSV}, {colList, linnet.ListsCSV}, {colURI, linnet.BookmarksCSV}} {
		if _, ok := at[c.name]; ok {
			return c.kind
		}
	}
	return ""
}

// kindNamed returns the kind of list for which servers use such a file name.
func kindNamed(file string) linnet.CSVKind {
	for _, c := range []struct {
		part string
		kind linnet.CSVKind
	}{{"follow", linnet.FollowingCSV}, {"block", linnet.BlocksCSV}, {"mute", linnet.MutesCSV}, {"bookmark", linnet.BookmarksCSV}, {"lists", linnet.ListsCSV}} {
		if strings.HasPrefix(strings.ToLower(file), c.part) {
			return c.kind
		}
	}
	return ""
}

// bounded reads at most a number of bytes, and fails if there are more.
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

// columns returns the indexes of the columns. named reports whether the first row has their names.
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
			return nil, named, refuse("doesn't match the selected type: the column %q is missing", name)
		}
	}
	return at, named, nil
}

// rowOf reads a row. An empty row has no Name.
func rowOf(cells []string, at map[string]int, line int) (row record.ImportRow, err error) {
	get := func(name string) (string, bool) {
		i, ok := at[name]
		if !ok || i >= len(cells) {
			return "", false
		}
		return strings.TrimSpace(cells[i]), true
	}
	for _, c := range cells {
		switch {
		case !utf8.ValidString(c):
			return row, errEncoding()
		case len(c) > maxCell:
			return row, refuse("has a cell longer than %[2]d bytes in line %[1]d", line, maxCell)
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

// truth parses a boolean as Mastodon does: every value that isn't a known "no" is true.
func truth(s string) bool {
	switch strings.ToLower(s) {
	case "false", "f", "0", "off", "no":
		return false
	}
	return true
}
