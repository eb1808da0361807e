package web

import (
	"fmt"
	"strconv"
	"strings"

	"linnet/internal/linnet"
)

// Sources of feeds are written one to a line: home, local, list and its name, #tag or
// @name, and a weight behind it if it is not 1.

// sourceLines writes sources so. What is gone is left out.
func (c *call) sourceLines(all []linnet.FeedSource) (string, error) {
	var b strings.Builder
	for _, src := range all {
		name := string(src.Kind)
		switch src.Kind {
		case linnet.FromTag:
			name = "#" + src.Tag
		case linnet.FromList:
			l, err := c.svc.Lists.List(c.r.Context(), c.me.ID, src.ID)
			if linnet.KindOf(err) == linnet.NotFound {
				continue
			}
			if err != nil {
				return "", fmt.Errorf("look up a list: %w", err)
			}
			name = "list " + l.Title
		case linnet.FromAccount:
			us, err := c.svc.View.Users(c.r.Context(), c.me.ID, []linnet.ID{src.ID})
			if err != nil {
				return "", fmt.Errorf("look up somebody: %w", err)
			}
			if len(us) == 0 {
				continue
			}
			name = "@" + us[0].Login
		}
		b.WriteString(name)
		if _, numeric := weightOf(name); src.Weight != 1 || numeric { // a list may be called "Top 10"
			b.WriteString(" " + strconv.FormatFloat(src.Weight, 'f', -1, 64))
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// weightOf is the number at the end of a line.
func weightOf(line string) (float64, bool) {
	words := strings.Fields(line)
	if len(words) < 2 {
		return 1, false
	}
	x, err := strconv.ParseFloat(strings.Replace(words[len(words)-1], ",", ".", 1), 64)
	return x, err == nil
}

// sentSources reads such lines.
func (c *call) sentSources() (all []linnet.FeedSource, err error) {
	for line := range strings.Lines(c.r.PostForm.Get("sources")) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if len(all) == linnet.MaxFeedSources {
			return all, linnet.FieldError("sources", "ERR_INVALID", "are more than %d: take some out", linnet.MaxFeedSources)
		}
		src := linnet.FeedSource{Weight: 1}
		name := line
		if x, ok := weightOf(line); ok {
			name, src.Weight = strings.TrimSpace(line[:strings.LastIndexAny(line, " \t")]), x
		}
		if err := c.readSource(name, &src); err != nil {
			return all, err
		}
		all = append(all, src)
	}
	return all, nil
}

func (c *call) readSource(name string, src *linnet.FeedSource) error {
	wrong := func(what string) error {
		return linnet.FieldError("sources", "ERR_INVALID", "have %q, %s", name, what)
	}
	word, title, _ := strings.Cut(name, " ")
	switch {
	case name == string(linnet.FromHome), name == string(linnet.FromLocal):
		src.Kind = linnet.FeedSourceKind(name)
	case strings.HasPrefix(name, "#"):
		src.Kind, src.Tag = linnet.FromTag, name[1:]
	case strings.HasPrefix(name, "@"):
		u, err := c.svc.View.UserByLogin(c.r.Context(), c.me.ID, name[1:])
		if linnet.KindOf(err) == linnet.NotFound {
			return wrong("and nobody has that name")
		}
		if err != nil {
			return fmt.Errorf("look up somebody: %w", err)
		}
		src.Kind, src.ID = linnet.FromAccount, u.ID
	case word == string(linnet.FromList):
		lists, err := c.svc.Lists.Lists(c.r.Context(), c.me.ID)
		if err != nil {
			return fmt.Errorf("read lists: %w", err)
		}
		for _, l := range lists {
			if l.Kind == linnet.OwnList && strings.EqualFold(l.Title, strings.TrimSpace(title)) {
				src.Kind, src.ID = linnet.FromList, l.ID
				return nil
			}
		}
		return wrong("and you have made no list of that name")
	default:
		return wrong("which is none of home, local, list and its name, #tag or @name")
	}
	return nil
}
