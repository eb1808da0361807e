package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"linnet/internal/backend"
	"linnet/internal/exit"
	"linnet/internal/linnet"
)

// importPollInterval is the interval between checks of the progress. importPrintInterval is the
// interval between messages.
const importPollInterval, importPrintInterval = 500 * time.Millisecond, 5 * time.Second

// importCommand opens the file to import with the permissions of this process, even if a server
// imports it.
func importCommand(ctx context.Context, c *call) error {
	path := c.args()[1]
	f, err := os.Open(path)
	if err != nil {
		return &exit.Error{Code: exit.Usage, What: "cannot read " + path, Cause: errors.Unwrap(err)}
	}
	defer f.Close()
	if is, err := f.Stat(); err == nil && is.IsDir() {
		return &exit.Error{Code: exit.Usage, What: "cannot read " + path, Cause: errors.New("it is a directory: pass a file")}
	}
	c.line.args[1] = filepath.Base(path)
	c.stream = f
	return runOnStore(ctx, c)
}

// importReport is the JSON form of the result of "user import".
type importReport struct {
	ID         string    `json:"id"`
	From       string    `json:"from"`
	State      string    `json:"state"`
	Posts      int64     `json:"posts"`
	Imported   int64     `json:"imported"`
	Already    int64     `json:"already"`
	Refused    int64     `json:"refused"`
	Reposts    int64     `json:"reposts"`
	Messages   int64     `json:"messages"`
	Unreadable int64     `json:"unreadable"`
	LongTexts  int64     `json:"long_texts"`
	Cut        int64     `json:"cut"`
	Public     int64     `json:"public"`
	Unlisted   int64     `json:"unlisted"`
	Private    int64     `json:"private"`
	Pictures   int64     `json:"pictures"`
	Lost       int64     `json:"lost"`
	First      time.Time `json:"first"`
	Last       time.Time `json:"last"`
	Failed     string    `json:"failed,omitempty"`
	Seconds    float64   `json:"seconds"`
}

func userImport(ctx context.Context, c *call, b *backend.Backend) error {
	if c.stream == nil {
		return exit.UsageError("user import needs a file", "")
	}
	cannot := fmt.Sprintf("cannot import %s for %q", c.args()[1], c.args()[0])
	most, err := importedVisibility(c)
	if err != nil {
		return err
	}
	f, err := b.App.Uploads.ReceiveArchive(c.stream)
	if err != nil {
		return refused(cannot, err)
	}
	defer f.Close()
	began := time.Now()
	who, i, err := b.App.Archives.ImportPosts(ctx, linnet.Operator(), c.args()[0], c.args()[1], f, most)
	if err != nil {
		return refused(cannot, err)
	}
	p := i.Posts
	fmt.Fprintf(c.stderr, "%d posts of %s to %s, with %d pictures; %d boosts, %d direct messages and %d other posts are skipped\n",
		i.Rows, day(p.First), day(p.Last), p.Pictures, p.Reposts, p.Messages, p.Unreadable+p.LongTexts+i.Failed)
	fmt.Fprintf(c.stderr, "%d posts become public, %d unlisted and %d followers-only; %d are truncated in the archive\n",
		p.Counts[linnet.Public], p.Counts[linnet.Unlisted], p.Counts[linnet.Private], p.Cut)
	if i, err = waitForImport(ctx, c.stderr, b, who, i); err != nil {
		return refused(cannot, err)
	}
	r := importReport{ID: i.ID.String(), From: string(i.Kind), State: string(i.State), Posts: i.Rows, Imported: i.Imported, Already: i.Posts.Already,
		Refused: i.Failed, Reposts: i.Posts.Reposts, Messages: i.Posts.Messages, Unreadable: i.Posts.Unreadable, Pictures: i.Posts.Pictures, Lost: i.Posts.Lost,
		LongTexts: i.Posts.LongTexts, Cut: i.Posts.Cut, Public: i.Posts.Counts[linnet.Public], Unlisted: i.Posts.Counts[linnet.Unlisted], Private: i.Posts.Counts[linnet.Private],
		First: i.Posts.First, Last: i.Posts.Last, Failed: i.Posts.Failed, Seconds: time.Since(began).Seconds()}
	if c.flag("json") {
		err = printJSON(c.stdout, r)
	} else {
		_, err = fmt.Fprintf(c.stdout, "imported %d posts for %s; %d were already imported, %d were rejected, %d pictures were skipped\n", r.Imported, c.args()[0], r.Already, r.Refused, r.Lost)
	}
	if err == nil && r.Failed != "" {
		err = &exit.Error{Code: exit.Failed, What: "the import stopped early: " + r.Failed}
	}
	return err
}

// importedVisibility parses --visibility. It returns nil if the archive determines the visibility.
func importedVisibility(c *call) (*linnet.Visibility, error) {
	word := c.line.flags["visibility"]
	if word == "" {
		return nil, nil
	}
	v, ok := linnet.ParseVisibility(word)
	if !ok || v > linnet.Private {
		return nil, exit.UsageError(fmt.Sprintf("--visibility must be public, unlisted or private, not %q", word), "")
	}
	return &v, nil
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// waitForImport prints the progress of an import until it ends, or waits for a limit.
func waitForImport(ctx context.Context, out io.Writer, b *backend.Backend, who linnet.ID, i *linnet.Import) (*linnet.Import, error) {
	began, told := time.Now(), time.Now()
	for i.State == linnet.ImportUnconfirmed || i.State == linnet.ImportInProgress && i.Waits.IsZero() {
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("the import continues on the server: %w", ctx.Err())
		case <-time.After(importPollInterval):
		}
		now, err := b.App.Archives.Import(ctx, who, i.ID)
		if err != nil {
			return nil, err
		}
		if i = now; time.Since(told) >= importPrintInterval && i.State == linnet.ImportInProgress {
			told = time.Now()
			rate := float64(i.Done) / time.Since(began).Seconds()
			left := "?"
			if rate > 0 {
				left = (time.Duration(float64(i.Rows-i.Done)/rate) * time.Second).String()
			}
			what := "posts"
			if i.Kind == linnet.FeedsOPML {
				what = "feeds"
			}
			fmt.Fprintf(out, "%s %d/%d  %d%%  %.0f/s  about %s left\n", what, i.Done, i.Rows, i.Done*100/max(i.Rows, 1), rate, left)
		}
	}
	return i, nil
}
