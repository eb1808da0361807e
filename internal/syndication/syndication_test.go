package syndication_test

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"linnet/internal/syndication"
)

var update = flag.Bool("update", false, "write the expected files")

func sample() *syndication.Feed {
	ann, bob := syndication.Author{Name: "Ann & co", URL: "https://birds.example/@ann"}, syndication.Author{Name: "Bob", URL: "https://birds.example/@bob"}
	at := time.Date(2026, 3, 5, 12, 0, 0, 0, time.FixedZone("", 3600))
	return &syndication.Feed{ID: "https://birds.example/@ann", Title: "Ann <3", Description: "Public posts", Page: "https://birds.example/@ann", Self: "https://birds.example/@ann.x", Author: &ann, Updated: at.Add(time.Hour),
		Items: []syndication.Item{
			{ID: "https://birds.example/users/ann/statuses/2", URL: "https://birds.example/@ann/2", Title: "CW: “owls” ]]>", HTML: `<p>Owls &amp; more</p>`, Language: "en", Author: ann, Published: at, Updated: at.Add(time.Hour), Tags: []string{"Owls", "été"},
				Attachments: []syndication.Attachment{
					{URL: "https://birds.example/media/a.png", Type: "image/png", Medium: "image", Bytes: 10, Description: `A "grey" owl`, Sensitive: true},
					{URL: "https://birds.example/media/b.mp4", Type: "video/mp4", Medium: "video", Bytes: 20, Seconds: 1.5},
					{URL: "https://birds.example/media/c.jpg", Type: "image/jpeg", Medium: "image", Bytes: 30}}},
			{ID: "https://birds.example/users/bob/statuses/1", URL: "https://birds.example/@bob/1", Title: "Plain", HTML: "<p>Plain</p>", Author: bob, Published: at, Updated: at},
		}}
}

func TestFormats(t *testing.T) {
	empty := &syndication.Feed{ID: "tag", Title: "#owls", Page: "https://birds.example/tags/owls", Self: "https://birds.example/tags/owls.x", Updated: time.Unix(0, 0)}
	for name, encode := range map[string]func(*syndication.Feed) ([]byte, error){"rss": syndication.RSS, "atom": syndication.Atom, "json": syndication.JSON} {
		for kind, f := range map[string]*syndication.Feed{"sample": sample(), "empty": empty} {
			got, err := encode(f)
			if err != nil {
				t.Fatalf("%s of %s: %v", name, kind, err)
			}
			path := filepath.Join("testdata", kind+"."+name)
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s is\n%s\nwant\n%s", path, got, want)
			}
			for d := xml.NewDecoder(bytes.NewReader(got)); name != "json"; {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%s is not well formed: %v", path, err)
				}
			}
		}
	}
}
