package rediskv

import (
	"strconv"
	"strings"
	"time"
	"unsafe"

	"linnet/internal/kv"
)

// texts builds the texts of one pipeline in one buffer. It is never reused, because the client may
// still write a pipeline that its caller has abandoned.
type texts struct {
	prefix string
	life   time.Duration // lifetime of an unread feed; 0 for unlimited
	buf    []byte
}

func (e *Engine) newTexts() texts { return texts{prefix: e.opts.Prefix, life: e.opts.FeedTTL} }

// cutOff returns the text added since start. Growing leaves earlier texts unchanged in the old
// buffer.
func (t *texts) cutOff(start int) string {
	b := t.buf[start:]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// grow makes room for n more bytes in one piece.
func (t *texts) grow(n int) {
	if cap(t.buf)-len(t.buf) < n {
		t.buf = make([]byte, 0, max(4096, n))
	}
}

func (t *texts) key(k kv.Key) string {
	t.grow(len(t.prefix) + len(k.Kind) + len(k.ID) + 8)
	start := len(t.buf)
	t.buf = append(t.buf, t.prefix...)
	t.buf = k.Append(t.buf)
	return t.cutOff(start)
}

func (t *texts) keys(ks []kv.Key) []string {
	out := make([]string, len(ks))
	for i, k := range ks {
		out[i] = t.key(k)
	}
	return out
}

func (t *texts) uint(n uint64) string {
	if n < 100 {
		return strconv.FormatUint(n, 10) // such strings are shared by the runtime
	}
	t.grow(20)
	start := len(t.buf)
	t.buf = strconv.AppendUint(t.buf, n, 10)
	return t.cutOff(start)
}

func (t *texts) int(n int64) string {
	if n >= 0 {
		return t.uint(uint64(n))
	}
	t.grow(20)
	start := len(t.buf)
	t.buf = strconv.AppendInt(t.buf, n, 10)
	return t.cutOff(start)
}

// value returns the stored form of a Put.
func (t *texts) value(c kv.Put) string {
	t.grow(21 + len(c.Data))
	start := len(t.buf)
	t.buf = strconv.AppendUint(t.buf, c.Version, 10)
	t.buf = append(t.buf, ' ')
	t.buf = append(t.buf, c.Data...)
	return t.cutOff(start)
}

// ids returns ids separated by spaces.
func (t *texts) ids(ids []uint64) string {
	t.grow(21 * len(ids))
	start := len(t.buf)
	for i, id := range ids {
		if i > 0 {
			t.buf = append(t.buf, ' ')
		}
		t.buf = strconv.AppendUint(t.buf, id, 10)
	}
	return t.cutOff(start)
}

// millis rounds a TTL up to milliseconds, so that a short one does not become 0.
func (t *texts) millis(ttl time.Duration) string {
	return t.int(int64((ttl + time.Millisecond - 1) / time.Millisecond))
}

const meterPrefix = "meter:"

// meterKey returns the text of a meter's key. No key of another shape is equal, because those have
// a brace after the colon.
func (e *Engine) meterKey(key string) string {
	if strings.HasPrefix(key, "{") || strings.HasPrefix(key, "/") {
		key = "/" + key
	}
	return e.opts.Prefix + meterPrefix + key
}

func isMeter(text string) bool {
	rest, ok := strings.CutPrefix(text, meterPrefix)
	return ok && !strings.HasPrefix(rest, "{")
}
