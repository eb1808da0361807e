package torture

import (
	"fmt"
	"strings"
	"time"
)

// Sum is the total of several rounds.
type Sum struct {
	Rounds, Acked, Unknown, Made int
	Lost, Problems, Strays       int
	Slowest                      time.Duration // time until the server was ready again
	Slowest503                   time.Duration
	Homes                        int
}

// Add returns the sum of rounds.
func Add(rounds []*Round) (s Sum) {
	s.Rounds = len(rounds)
	for _, r := range rounds {
		s.Acked, s.Unknown, s.Made, s.Homes = s.Acked+r.Acked, s.Unknown+r.Unknown, s.Made+r.Made, s.Homes+r.Homes
		s.Lost, s.Problems = s.Lost+len(r.Lost), s.Problems+len(r.Problems)
		s.Strays += r.Strays
		s.Slowest, s.Slowest503 = max(s.Slowest, r.Serving), max(s.Slowest503, r.Slowest503)
	}
	return s
}

// String returns the sum in one line.
func (s Sum) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d rounds: %d actions acknowledged, %d unknown (%d of these posts were created), %d lost, %d problems, %d strays; %d home timelines read to the end; serving again within %v",
		s.Rounds, s.Acked, s.Unknown, s.Made, s.Lost, s.Problems, s.Strays, s.Homes, s.Slowest.Round(time.Millisecond))
	if s.Slowest503 > 0 {
		fmt.Fprintf(&b, "; 503 within %v", s.Slowest503.Round(time.Millisecond))
	}
	return b.String()
}
