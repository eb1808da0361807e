package discovery

import (
	"slices"
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/search"
)

// Kinds of labels of statuses, in addition to those in queries.
const (
	labelAuthor  byte = 'a' // the author
	labelMention byte = 'm' // a mentioned user
	labelAnswer  byte = 'r' // the author and the parent of a reply
	labelPublic  byte = 'p' // searchable by all users
)

// labelOf returns a label for a user.
func labelOf(kind byte, who linnet.ID) string {
	return search.Label(kind, strconv.FormatUint(uint64(who), 36))
}

// answerLabel returns the label of a reply. All labels of an author begin with answersOf.
func answerLabel(author, parent linnet.ID) string {
	return answersOf(author) + strconv.FormatUint(uint64(parent), 36)
}

func answersOf(author linnet.ID) string { return labelOf(labelAnswer, author) + "." }

// answered returns the parent's author in an answerLabel.
func answered(label string) linnet.ID {
	id, _ := strconv.ParseUint(label[strings.LastIndexByte(label, '.')+1:], 36, 64)
	return linnet.ID(id)
}

func publicLabel() string { return search.Label(labelPublic, "") }

// findableByAll reports whether all users can find a status by its words, which is the author's
// choice.
// https://docs.joinmastodon.org/entities/Account/#indexable
func findableByAll(st *linnet.Status, by *linnet.User) bool {
	return st.Visibility == linnet.Public && by.Indexable
}

// documentOf returns the document by which a status is found: its text, warning, poll options and
// descriptions.
func documentOf(st *linnet.Status, by *linnet.User) *search.Document {
	d := &search.Document{ID: uint64(st.ID), Texts: textsOf(st), Labels: labelsOf(st)}
	if findableByAll(st, by) {
		d.Labels = append(d.Labels, publicLabel())
	}
	return d
}

func textsOf(st *linnet.Status) []string {
	texts := []string{st.Text}
	if st.Warning != "" {
		texts = append(texts, st.Warning)
	}
	if st.Poll != nil {
		texts = append(texts, st.Poll.Options...)
	}
	for i := range st.Media {
		if alt := st.Media[i].Description; alt != "" {
			texts = append(texts, alt)
		}
	}
	return texts
}

func labelsOf(st *linnet.Status) []string {
	has := func(what string) string { return search.Label(search.LabelHas, what) }
	labels := []string{labelOf(labelAuthor, st.Author)}
	for i := range st.Mentions {
		labels = append(labels, labelOf(labelMention, st.Mentions[i].ID))
	}
	if st.Language != "" {
		code, _, _ := strings.Cut(strings.ToLower(st.Language), "-")
		labels = append(labels, search.Label(search.LabelLanguage, code))
	}
	if len(st.Media) > 0 {
		labels = append(labels, has("media"))
	}
	for i := range st.Media {
		kind := "image"
		if clip := st.Media[i].Clip; clip != nil {
			kind = string(clip.Kind)
		}
		if l := has(kind); !slices.Contains(labels, l) {
			labels = append(labels, l)
		}
	}
	if st.Poll != nil {
		labels = append(labels, has("poll"))
	}
	if st.QuoteOf != 0 {
		labels = append(labels, has("quote"))
	}
	if strings.Contains(st.Text, "https://") || strings.Contains(st.Text, "http://") {
		labels = append(labels, has("link"))
	}
	if st.Sensitive || st.Warning != "" {
		labels = append(labels, search.Label(search.LabelIs, "sensitive"))
	}
	if st.InReplyTo != 0 {
		labels = append(labels, search.Label(search.LabelIs, "reply"), answerLabel(st.Author, st.InReplyTo))
	}
	return labels
}
