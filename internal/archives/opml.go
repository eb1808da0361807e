package archives

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/text"
	"linnet/internal/wording"
)

// mostOfChunk is the maximum number of bytes of the addresses in one record. The other half is left
// for the results of their import.
const mostOfChunk = kv.MaxValue / 2

// opml is a list of feeds. http://opml.org/spec2.opml
type opml struct {
	XMLName struct{}      `xml:"opml"`
	Version string        `xml:"version,attr"`
	Title   string        `xml:"head>title"`
	Feeds   []opmlOutline `xml:"body>outline"`
}

type opmlOutline struct {
	Type    string `xml:"type,attr"`
	Text    string `xml:"text,attr"`
	Title   string `xml:"title,attr"`
	Address string `xml:"xmlUrl,attr"`
}

// WriteOPML writes the external feeds that me follows, oldest follow first.
func (s *Service) WriteOPML(ctx context.Context, me linnet.ID, w io.Writer) error {
	out := opml{Version: "2.0", Title: "Feeds followed on " + s.core.Hostname}
	err := s.eachRow(ctx, record.Follows().OwnedKey(me), func(ctx context.Context, ids []linnet.ID) error {
		users, err := s.view.Users(ctx, me, ids)
		for _, u := range users {
			if u.Feed != "" {
				out.Feeds = append(out.Feeds, opmlOutline{Type: "rss", Text: u.Name, Title: u.Name, Address: u.Feed})
			}
		}
		return err
	}, func() error { return nil }) // all feeds are written at once
	if err != nil {
		return err
	}
	data, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(data)+"\n")
	return err
}

// readOPML reads the addresses of the feeds in an OPML file, without repeated ones.
func readOPML(r io.Reader) (rows []record.ImportRow, err error) {
	in := xml.NewDecoder(&bounded{r: r, left: linnet.MaxImportBytes})
	in.Strict, in.Entity = false, xml.HTMLEntity
	seen, isOPML, size := map[string]bool{}, false, 0
	for {
		t, err := in.RawToken()
		if err == io.EOF {
			break
		}
		if errors.Is(err, errTooLong) {
			return nil, refuse("is larger than %d MB: split it and import the parts one by one", linnet.MaxImportBytes>>20)
		}
		e, begins := t.(xml.StartElement)
		switch {
		case err != nil:
			return nil, refuse("is not a valid OPML file")
		case !begins:
		case !isOPML && !strings.EqualFold(e.Name.Local, "opml"):
			return nil, refuse("is not a valid OPML file")
		default:
			isOPML = true
		}
		for _, a := range e.Attr {
			address := strings.TrimSpace(a.Value)
			if !strings.EqualFold(a.Name.Local, "xmlUrl") || address == "" || seen[address] {
				continue
			}
			if len(address) > text.MaxURL {
				return nil, refuse("has an address longer than %d bytes", text.MaxURL)
			}
			if len(rows) == linnet.MaxImportFeeds {
				return nil, refuse("contains more than %d feeds: split it and import the parts one by one", linnet.MaxImportFeeds)
			}
			row := record.ImportRow{Name: address}
			if len(rows)%chunkRows == 0 {
				size = 0
			}
			if size += len(record.Encode(row)); size > mostOfChunk {
				return nil, refuse("contains too many long addresses: split it and import the parts one by one")
			}
			seen[address] = true
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return nil, refuse("contains no feeds")
	}
	return rows, nil
}

// findFeed looks up the account of the feed of a row, which is added if necessary. It returns the
// reason why this is refused.
func (p *importing) findFeed(ctx context.Context, r *record.ImportRow) (why string, err error) {
	v, err := p.s.outside.Resolve(ctx, linnet.By(p.me), r.Name)
	if why, err := refused(err); why != "" || err != nil {
		return why, err
	}
	r.ID, r.Seen = record.JID(v.ID), true
	return "", core.StoreError(p.act.see(ctx, []*record.ImportRow{r}))
}

// ImportFeeds starts an import of an OPML file for the account with a login. It returns the account.
func (s *Service) ImportFeeds(ctx context.Context, by linnet.Actor, login, name string, r io.Reader) (linnet.ID, *linnet.Import, error) {
	if err := core.AuthorizeOperator(by); err != nil {
		return 0, nil, err
	}
	u, err := s.core.AccountNamed(ctx, login)
	if err != nil {
		return 0, nil, err
	}
	i, err := s.AddImport(ctx, u.ID, linnet.FeedsOPML, false, name, r)
	if err != nil {
		return 0, nil, err
	}
	if err := s.core.LogAct(ctx, by, core.ActImport, u.ID, wording.Store("feeds from %s", fileName(name)), ""); err != nil {
		return 0, nil, err
	}
	return u.ID, i, s.ConfirmImport(ctx, u.ID, i.ID, nil)
}
