package rediskv

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// walkCount is the number of keys that one SCAN checks.
const walkCount = 1000

// types are the walked types, in order. Lists are feeds and not walked.
func types() []string { return []string{"string", "hash", "zset"} }

// walk is the position of a walk through the keyspace. Its text is "type.node.layout.cursor".
type walk struct {
	kind   int    // index in types
	node   int    // index among the masters
	layout string // hash of the layout at the start of the walk; "-" if single
	cursor uint64
}

func parseWalk(text string) (walk, error) {
	if text == "" {
		return walk{}, nil
	}
	parts := strings.Split(text, ".")
	if len(parts) == 4 {
		kind, err1 := strconv.ParseUint(parts[0], 10, 8)
		node, err2 := strconv.ParseUint(parts[1], 10, 16)
		cursor, err3 := strconv.ParseUint(parts[3], 10, 64)
		if err1 == nil && err2 == nil && err3 == nil && int(kind) < len(types()) && parts[2] != "" {
			return walk{kind: int(kind), node: int(node), layout: parts[2], cursor: cursor}, nil
		}
	}
	return walk{}, fmt.Errorf("%w: %q is not a valid cursor", kv.ErrRefused, text)
}

func (w walk) String() string {
	return fmt.Sprintf("%d.%d.%s.%d", w.kind, w.node, w.layout, w.cursor)
}

// Keys implements kv.Keyspace with SCAN on all masters. It returns kv.ErrUnavailable if slots of
// the Cluster move or have moved since the walk began, because keys may have been missed. The
// caller then starts again.
func (e *Engine) Keys(ctx context.Context, cursor string) ([]kv.Key, string, error) {
	w, err := parseWalk(cursor)
	if err != nil {
		return nil, "", err
	}
	if err := e.enter(ctx); err != nil {
		return nil, "", fmt.Errorf("scan the keys: %w", err)
	}
	defer e.leave()
	short, cancel := e.limit(ctx)
	defer cancel()
	nodes, addrs := []rueidis.Client{e.front}, []string{""}
	if e.cluster {
		nodes, addrs, err = e.walkNodes(short, &w)
	} else {
		w.layout = "-"
	}
	if err == nil && w.node >= len(nodes) {
		err = fmt.Errorf("%w: %q is not a valid cursor", kv.ErrRefused, cursor)
	}
	if err != nil {
		return nil, "", fmt.Errorf("scan the keys: %w", classify(ctx, err, reading))
	}
	keys, err := e.scan(short, nodes[w.node], addrs[w.node], &w)
	if err != nil {
		return nil, "", fmt.Errorf("scan the keys: %w", classify(ctx, err, reading))
	}
	if w.node == len(nodes) {
		return keys, "", nil
	}
	return keys, w.String(), nil
}

// scan reads one step at the position w and moves w.
func (e *Engine) scan(ctx context.Context, node rueidis.Client, addr string, w *walk) ([]kv.Key, error) {
	page, err := node.Do(ctx, node.B().Arbitrary("SCAN", strconv.FormatUint(w.cursor, 10)).
		Args("MATCH", globEscape(e.opts.Prefix)+"*", "COUNT", strconv.Itoa(walkCount), "TYPE", types()[w.kind]).
		Build()).AsScanEntry()
	if err != nil {
		return nil, err
	}
	if w.cursor = page.Cursor; w.cursor == 0 {
		if w.kind++; w.kind == len(types()) {
			w.kind = 0
			w.node++
		}
	}
	if e.cluster {
		l, err := layoutOf(ctx, addr, node)
		if err == nil {
			err = sameLayout(l, w)
		}
		if err != nil {
			return nil, err
		}
	}
	keys := make([]kv.Key, 0, len(page.Elements))
	for _, text := range page.Elements {
		text, ok := strings.CutPrefix(text, e.opts.Prefix)
		if !ok || isMeter(text) {
			continue // not a record, or a key of another program
		}
		if key, err := kv.ParseKey(text); err == nil && key.String() == text {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// walkNodes returns the masters in the order of the walk, and their addresses. The layout must not
// change between the first and the last call.
func (e *Engine) walkNodes(ctx context.Context, w *walk) ([]rueidis.Client, []string, error) {
	l, nodes, err := e.masterNodes(ctx)
	if err != nil {
		return nil, nil, err
	}
	if w.layout == "" {
		w.layout = l.hash
	}
	return nodes, l.masters, sameLayout(l, w)
}

func sameLayout(l layout, w *walk) error {
	if l.moving || l.hash != w.layout {
		return fmt.Errorf("%w: slots of the Cluster have moved: start the scan again", kv.ErrUnavailable)
	}
	return nil
}

// globEscape escapes text for a MATCH pattern.
func globEscape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`).Replace(text)
}
