package wire

import (
	"strconv"
	"time"
)

// write appends the entity Search.
func (d Search) write(e *Encoder, w *buffer) {
	w.text(`{"accounts":`)
	w.value(d.Accounts)
	w.text(`,"statuses":`)
	d.Statuses.write(e, w)
	w.text(`,"hashtags":`)
	w.value(d.Hashtags)
	w.text(`,"collections":`)
	w.value(d.Collections)
	w.text("}")
}

// Search is the entity Search.
// https://docs.joinmastodon.org/entities/Search/
type Search struct {
	Accounts    []Account
	Statuses    StatusList
	Hashtags    []Tag
	Collections []Collection
}

// Tag is the entity Tag.
// https://docs.joinmastodon.org/entities/Tag/
type Tag struct {
	ID        string       `json:"id"`
	Name      string       `json:"name"`
	URL       string       `json:"url"`
	History   []HistoryDay `json:"history"`
	Following *bool        `json:"following,omitempty"`
	Featuring *bool        `json:"featuring,omitempty"`
}

// HistoryDay counts the uses of a tag or link, or the sign-up attempts from a domain, on one day.
// https://docs.joinmastodon.org/entities/Tag/#history
// https://docs.joinmastodon.org/entities/Admin_EmailDomainBlock/#history
type HistoryDay struct {
	Day      string `json:"day"` // Unix seconds of its midnight
	Accounts string `json:"accounts"`
	Uses     string `json:"uses"`
}

// HistoryDayOf encodes the counts of the day that begins at midnight.
func HistoryDayOf(midnight time.Time, accounts, uses int64) HistoryDay {
	return HistoryDay{Day: strconv.FormatInt(midnight.Unix(), 10), Accounts: strconv.FormatInt(accounts, 10), Uses: strconv.FormatInt(uses, 10)}
}
