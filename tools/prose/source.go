package main

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// sentences returns the sentences of a file. The extension decides which parts are prose.
func sentences(name, text string) (all []string) {
	var paragraphs []string
	switch filepath.Ext(name) {
	case ".md":
		paragraphs = markdown(text)
	case ".po":
		return messageIDs(text) // a message counts as one sentence
	case ".go", ".templ":
		paragraphs = comments(text)
	default:
		paragraphs = strings.Split(text, "\n")
	}
	for _, p := range paragraphs {
		all = append(all, split(p)...)
	}
	return all
}

var sentenceEnd = regexp.MustCompile(`[.!?]["')*_]* +`)

// split divides a paragraph into sentences. An abbreviation such as "e.g." does not end one.
func split(paragraph string) (all []string) {
	begin := 0
	for _, at := range sentenceEnd.FindAllStringIndex(paragraph, -1) {
		rest := paragraph[at[1]:]
		if rest == "" || 'a' <= rest[0] && rest[0] <= 'z' {
			continue
		}
		all = append(all, strings.TrimSpace(paragraph[begin:at[1]]))
		begin = at[1]
	}
	if last := strings.TrimSpace(paragraph[begin:]); last != "" {
		all = append(all, last)
	}
	return all
}

var (
	listItem   = regexp.MustCompile(`^\s*(?:[-*+]|\d+\.) +`)
	inlineCode = regexp.MustCompile("`[^`]*`")
	link       = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
)

// markdown returns the paragraphs, list items, headings and table cells. It skips code blocks and
// replaces inline code with one word.
func markdown(text string) (all []string) {
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			all = append(all, strings.Join(paragraph, " "))
		}
		paragraph = nil
	}
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			flush()
			fenced = !fenced
		case fenced:
		case trimmed == "":
			flush()
		case strings.HasPrefix(trimmed, "|"):
			flush()
			for cell := range strings.SplitSeq(strings.Trim(plain(trimmed), "|"), "|") {
				all = append(all, strings.TrimSpace(cell))
			}
		case strings.HasPrefix(trimmed, "#"):
			flush()
			all = append(all, plain(strings.TrimSpace(strings.TrimLeft(trimmed, "#"))))
		default:
			if item := listItem.FindString(line); item != "" {
				flush()
				line = line[len(item):]
			}
			paragraph = append(paragraph, plain(strings.TrimLeft(line, "> \t")))
		}
	}
	flush()
	return all
}

func plain(markdown string) string {
	return link.ReplaceAllString(inlineCode.ReplaceAllString(markdown, "CODE"), "$1")
}

// messageIDs returns the English texts of a catalogue, plurals included.
func messageIDs(text string) (all []string) {
	for line := range strings.Lines(text) {
		kind, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind != "msgid" && kind != "msgid_plural" {
			continue
		}
		if s, err := strconv.Unquote(value); err == nil && s != "" {
			all = append(all, s)
		}
	}
	return all
}

var directive = regexp.MustCompile(`^//(?:[a-z]+:\S|nolint)`)

// comments returns the paragraphs of the line comments of Go code. Indented lines are code.
func comments(text string) (all []string) {
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			all = append(all, strings.Join(paragraph, " "))
		}
		paragraph = nil
	}
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !ok {
			flush()
			if _, after, found := strings.Cut(line, " // "); found {
				all = append(all, strings.TrimSpace(after))
			}
			continue
		}
		switch {
		case strings.TrimSpace(comment) == "", strings.HasPrefix(comment, "\t"), strings.HasPrefix(comment, "   "), directive.MatchString("//" + comment):
			flush()
		default:
			paragraph = append(paragraph, strings.TrimSpace(comment))
		}
	}
	flush()
	return all
}
