package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"linnet/internal/app"
	"linnet/internal/audit"
	"linnet/internal/blob"
)

// orphanAge is the minimum age of unused files. A file is written before the record that refers to
// it.
const orphanAge = time.Hour

// MediaReport has the numbers of media files.
type MediaReport struct {
	Location    string `json:"place"`
	Files       int64  `json:"files"`
	Bytes       int64  `json:"bytes"`
	Orphans     int64  `json:"orphans"` // unused files older than an hour
	OrphanBytes int64  `json:"orphan_bytes"`
	Removed     bool   `json:"removed"` // the unused files were deleted
	Missing     int64  `json:"missing"` // missing files that a record refers to
}

// Media counts the media files, compares them with the records, and with clean deletes the unused
// ones. It reads every user and status, and needs memory for the names of all files: 26 bytes each,
// plus the overhead of a map.
func Media(ctx context.Context, svc *app.App, clean bool, progress *Progress) (*MediaReport, error) {
	files := svc.Files()
	if files == nil {
		return nil, errors.New("this server stores no media")
	}
	r := &MediaReport{Location: files.Where()}
	there := map[string]blob.Info{}
	if err := files.Walk(ctx, func(i blob.Info) error {
		there[i.Name] = i
		r.Files, r.Bytes = r.Files+1, r.Bytes+i.Bytes
		return nil
	}); err != nil {
		return nil, fmt.Errorf("list the files: %w", err)
	}
	if err := forNames(ctx, svc, progress, func(name string) {
		if _, ok := there[name]; ok {
			delete(there, name)
		} else if f, err := files.Open(ctx, name); err == nil { // written during the check
			f.Close()
		} else if errors.Is(err, blob.ErrAbsent) {
			r.Missing++
		}
	}); err != nil {
		return nil, err
	}
	var orphans []string
	for name, i := range there {
		if time.Since(i.Written) > orphanAge {
			orphans = append(orphans, name)
			r.Orphans, r.OrphanBytes = r.Orphans+1, r.OrphanBytes+i.Bytes
		}
	}
	if clean {
		for part := range slices.Chunk(orphans, 500) {
			if err := files.Delete(ctx, part...); err != nil {
				return nil, fmt.Errorf("remove unused files: %w", err)
			}
		}
		r.Removed = true
	}
	return r, nil
}

// forNames calls each for each file in a record, once per record.
func forNames(ctx context.Context, svc *app.App, progress *Progress, each func(string)) error {
	engine := svc.Store().Engine()
	progress.start("keys", 0)
	defer progress.end()
	for cursor, first := "", true; first || cursor != ""; first = false {
		keys, next, err := engine.Keys(ctx, cursor)
		if err != nil {
			return fmt.Errorf("scan the store: %w", err)
		}
		for part := range slices.Chunk(keys, checkBatch) {
			names, err := audit.FileNames(ctx, engine, part)
			if err != nil {
				return err
			}
			for _, name := range names {
				if name != "" {
					each(name)
				}
			}
			progress.add(len(part))
		}
		cursor = next
	}
	return nil
}

// Print writes the report for people.
func (r *MediaReport) Print(w io.Writer) error {
	left := "left over"
	if r.Removed {
		left = "left over, removed"
	}
	_, err := fmt.Fprintf(w, "%s: %d files, %s; %d %s (%s); %d missing\n", r.Location, r.Files, size(r.Bytes), r.Orphans, left, size(r.OrphanBytes), r.Missing)
	return err
}

// size formats a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GB", n>>30)
	case n >= 10<<20:
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d kB", (n+1023)>>10)
}
