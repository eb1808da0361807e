package mastodon

import (
	"math/rand/v2"
	"strconv"
)

// newRequestID returns what an answer and its lines in the log share. It is not
// a secret.
func newRequestID() string { return strconv.FormatUint(rand.Uint64()|1<<63, 16) }
