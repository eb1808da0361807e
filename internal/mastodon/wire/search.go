package wire

// write appends the entity Search.
func (d Search) write(e *Encoder, w *buffer) {
	w.text(`{"accounts":`)
	w.value(d.Accounts)
	w.text(`,"statuses":`)
	d.Statuses.write(e, w)
	w.text(`,"hashtags":`)
	w.value(d.Hashtags)
	w.text("}")
}

// Search is the entity Search.
// https://docs.joinmastodon.org/entities/Search/
type Search struct {
	Accounts []Account
	Statuses StatusList
	Hashtags []Tag
}

// Tag is the entity Tag.
// https://docs.joinmastodon.org/entities/Tag/
type Tag struct {
	ID        string       `json:"id"`
	Name      string       `json:"name"`
	URL       string       `json:"url"`
	History   []TagHistory `json:"history"`
	Following *bool        `json:"following,omitempty"`
	Featuring *bool        `json:"featuring,omitempty"`
}

// TagHistory is the use of a tag on one day, as strings.
// https://docs.joinmastodon.org/entities/Tag/#history
type TagHistory struct {
	Day      string `json:"day"` // Unix seconds of its midnight
	Accounts string `json:"accounts"`
	Uses     string `json:"uses"`
}
