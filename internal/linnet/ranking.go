package linnet

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// A ranking is an order by score that is computed once and cached, so that its pages don't change
// while they are read. The catch-up is one.
const (
	// RankingAge is the time for which a ranking is cached.
	RankingAge = 30 * time.Minute
	// RankingReads is the number of entries read for a ranking, and RankingKeeps the number of
	// entries with the highest scores in it.
	RankingReads = 800
	RankingKeeps = 400

	// CatchUpAge is the period of the catch-up for users without a home marker.
	CatchUpAge = 24 * time.Hour
	// CatchUpList is the list "Catch-up" of users who have turned it on.
	CatchUpList ID = 2
)

// RankPage selects a page of a ranking: Limit entries (0: DefaultPage; at most MaxPage) after a
// cursor, or from the top with "".
type RankPage struct {
	After RankCursor
	Limit int
}

// Ranked is a status with its rank.
type Ranked struct {
	StatusView
	Why Why
}

// Ranking is a page of a ranking.
type Ranking struct {
	Items []Ranked
	Next  RankCursor // "" at the end
	At    time.Time  // when the ranking was computed
	From  time.Time  // start of its period
	Kept  int        // number of entries when it was computed

	Newest ID // the newest visible entry that was considered; 0 for none
}

// RankCursor is a position in a ranking. Clients must not interpret it.
type RankCursor string

// RankCursorOf returns the position after the rank-th entry (from 1), which has an id.
func RankCursorOf(rank int, id ID) RankCursor {
	return RankCursor(base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(rank) + "." + id.String())))
}

// Parse parses a cursor. It returns 0, 0 for "".
func (c RankCursor) Parse() (rank int, id ID, err error) {
	if c == "" {
		return 0, 0, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(string(c))
	head, tail, _ := strings.Cut(string(b), ".")
	rank, errRank := strconv.Atoi(head)
	id, ok := ParseID(tail)
	if err != nil || errRank != nil || rank < 1 || rank > RankingKeeps || !ok {
		return 0, 0, FieldError("cursor", "ERR_INVALID", "is not from this server: start again without it")
	}
	return rank, id, nil
}
