package backup

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// spared is how long what no backup names is left alone: a backup that is being made names
// what it has only when it is complete.
const spared = 24 * time.Hour

// Prune removes all backups but the newest keep, and what only those had, as far as nobody
// has written or reused it within a day. It returns how many backups were removed.
func (d *Dir) Prune(keep int) (removed int, err error) {
	names, err := d.Names()
	if err != nil || len(names) <= keep {
		return 0, err
	}
	old := names[:len(names)-keep]
	needed := map[string]bool{}
	for _, name := range names[len(old):] {
		if err := d.needs(name, needed); err != nil {
			return 0, err // rather keep everything than remove what a damaged one may need
		}
	}
	for _, name := range old {
		if err := os.Remove(filepath.Join(d.root, manifestPath(name))); err != nil {
			return removed, fmt.Errorf("remove an old backup: %w", err)
		}
		removed++
	}
	return removed, d.sweep(needed)
}

// needs enters the chunks and files that a backup has.
func (d *Dir) needs(name string, needed map[string]bool) error {
	r, err := d.NewReader(name)
	if err != nil {
		return err
	}
	defer r.Close()
	for _, s := range append(r.Shards, Shard{Chunks: r.Files.List}) {
		for _, c := range s.Chunks {
			needed[chunkPath(c.Hash)] = true
		}
	}
	files, err := r.List()
	for _, f := range files {
		needed[filePath(hashOf(f.Name), f.Hash)] = true
	}
	return err
}

// sweep removes chunks and files that are not needed.
func (d *Dir) sweep(needed map[string]bool) error {
	return filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("look for what only old backups had: %w", err)
		}
		rel := strings.TrimPrefix(path, d.root+string(filepath.Separator))
		if e.IsDir() || needed[rel] || !strings.HasPrefix(rel, chunkDir) && !strings.HasPrefix(rel, fileDir) {
			return nil
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > spared {
			if err := os.Remove(path); err != nil {
				return fmt.Errorf("remove what only old backups had: %w", err)
			}
		}
		return nil
	})
}
