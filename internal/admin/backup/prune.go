package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// spared is the time for which unused data is not deleted, and the age at which a running backup
// counts as interrupted.
const spared = 24 * time.Hour

// Prune deletes all backups except the newest keep and the one named whole. It also deletes unused
// data that is older than a day. If whole doesn't exist it deletes nothing, because the others may
// have data that the newest lack. While another backup is running in the same location it deletes
// no unused data, because that backup may rely on it. It returns the number of deleted backups.
func (p *Location) Prune(ctx context.Context, keep int, whole string) (removed int, err error) {
	names, err := p.Names(ctx)
	if err != nil || len(names) <= keep || !slices.Contains(names, whole) {
		return 0, err
	}
	var old, stay []string
	for i, name := range names {
		if i < len(names)-keep && name != whole {
			old = append(old, name)
		} else {
			stay = append(stay, name)
		}
	}
	needed := map[string]bool{}
	for _, name := range stay {
		if err := p.needs(ctx, name, needed); err != nil {
			return 0, err // delete nothing rather than data that a damaged backup may need
		}
	}
	for _, name := range old {
		for _, path := range []string{p.manifestPath(name), piecesPath(name)} {
			if err := p.remove(ctx, path); err != nil {
				return removed, fmt.Errorf("remove an old backup: %w", err)
			}
		}
		removed++
	}
	return removed, p.sweep(ctx, needed)
}

// needs adds the chunks and files of a backup to needed.
func (p *Location) needs(ctx context.Context, name string, needed map[string]bool) error {
	if p.sealed {
		data, err := p.read(ctx, piecesPath(name))
		if err != nil {
			return fmt.Errorf("read the files of a backup: %w", err)
		}
		return readPieces(data, needed)
	}
	r, err := p.NewReader(ctx, name)
	if err != nil {
		return err
	}
	defer r.Close()
	files, err := r.List(ctx)
	if err != nil {
		return err
	}
	byName := map[string]File{}
	for _, f := range files {
		byName[f.Name] = f
	}
	r.pieces(&p.seal, byName, func(path string) { needed[path] = true })
	return nil
}

// pieces calls each with the paths of all data of a backup.
func (m *Manifest) pieces(s *sealing, files map[string]File, each func(path string)) {
	for _, s := range append(slices.Clone(m.Shards), Shard{Chunks: m.Files.List}) {
		for _, c := range s.Chunks {
			each(chunkPath(c.Hash))
		}
	}
	for _, f := range files {
		each(filePath(s.hashOf([]byte(f.Name)), f.Hash))
	}
}

// piecesOf returns the list of the chunks and files of a backup, one per line, with its SHA-256 at
// the end.
func piecesOf(m *Manifest, s *sealing, files map[string]File) []byte {
	var lines []string
	m.pieces(s, files, func(path string) { lines = append(lines, path+"\n") })
	slices.Sort(lines)
	text := strings.Join(slices.Compact(lines), "")
	sum := sha256.Sum256([]byte(text))
	return []byte(text + hex.EncodeToString(sum[:]) + "\n")
}

// readPieces parses the result of piecesOf. It returns ErrDamaged if its checksum does not match.
func readPieces(data []byte, into map[string]bool) error {
	text, last := strings.TrimSuffix(string(data), "\n"), ""
	at := strings.LastIndexByte(text, '\n') + 1
	text, last = text[:at], text[at:]
	if sum := sha256.Sum256([]byte(text)); hex.EncodeToString(sum[:]) != last {
		return fmt.Errorf("check the file list of a backup: %w", ErrDamaged)
	}
	for line := range strings.Lines(text) {
		into[strings.TrimSuffix(line, "\n")] = true
	}
	return nil
}

// sweep deletes chunks and files that are not needed.
func (p *Location) sweep(ctx context.Context, needed map[string]bool) error {
	others := 0
	err := p.walk(ctx, runningDir, func(i fileInfo) error {
		if time.Since(i.written) > spared {
			return p.remove(ctx, i.path)
		}
		others++
		return nil
	})
	if err != nil || others > 0 {
		return err
	}
	for _, begin := range []string{chunkDir, fileDir} {
		err := p.walk(ctx, begin, func(i fileInfo) error {
			if needed[i.path] || time.Since(i.written) <= spared {
				return nil
			}
			return p.remove(ctx, i.path)
		})
		if err != nil {
			return fmt.Errorf("remove chunks of old backups: %w", err)
		}
	}
	return nil
}
