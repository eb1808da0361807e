package social

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/store"
)

// repostWindow: a repost is not shown if its original, or an earlier repost of it, is
// shown and stands among this many next older entries of the same feed.
const repostWindow = 40

// behind are the entries of a window, the newest first, by which a repost is judged.
func behind(window []candidate, id linnet.ID) []candidate {
	at, _ := slices.BinarySearchFunc(window, id, func(c candidate, id linnet.ID) int { return -cmpID(c.id, id) })
	at = min(at+1, len(window))
	return window[at:min(at+repostWindow, len(window))]
}

// nearby are the entries of a feed by which the reposts that a loader finds are
// judged.
type nearby struct {
	window []candidate
	refs   []nearRef // entries that were asked for to see what they repost
}

type nearRef struct {
	id  linnet.ID
	ref *store.StatusRef
}

// askNearby asks, beside what belongs to the statuses known so far, what stands
// behind the reposts among them, and for those of the same originals all that decides
// on whether they are shown.
func (l *loader) askNearby() {
	if len(l.near.window) == 0 {
		return
	}
	for i := 0; i < len(l.statuses); i++ { // grows
		st := l.statuses[i].ref.Status
		if st == nil || st.RepostOf == 0 || l.statuses[i].judged {
			continue
		}
		l.statuses[i].judged = true
		for _, near := range behind(l.near.window, st.ID) {
			asked := slices.ContainsFunc(l.near.refs, func(n nearRef) bool { return n.id == near.id })
			if !asked && l.status(near.id) == nil {
				l.near.refs = append(l.near.refs, nearRef{near.id, l.b.Status(near.id)})
			}
		}
	}
	for _, n := range l.near.refs {
		if st := n.ref.Status; st != nil && st.RepostOf != 0 && l.status(n.id) == nil && l.status(st.RepostOf) != nil {
			l.want(n.id, st.Author)
			l.statusSlot(n.id).judged = true // it is not shown here itself
		}
	}
}

// moreNearby asks once more, now that the originals are among the statuses, and reports
// whether any were added: where all is cached there is no other round to ask in.
func (l *loader) moreNearby() bool {
	before := len(l.statuses)
	l.askNearby()
	return len(l.statuses) > before
}

// onceIn says whether an entry of a feed is shown by a rule, and stands there for its
// status: the first does, and tells how many came after it. Since the first is the one
// shown, and the window goes on below the page, who pages down meets each status once.
// The count does not cross a page: those that came after it and would stand on an earlier
// page are not in it, since to count them a page would have to read as much above itself
// as below.
func (l *loader) onceIn(seen *look, v *linnet.StatusView, rule func(*loader, *linnet.StatusView) bool) bool {
	if !rule(l, v) {
		return false
	}
	original := v.ID
	if v.Repost != nil {
		original = v.RepostOf
		if l.standsBehind(seen.window, v, rule) {
			if seen.also == nil {
				seen.also = map[linnet.ID]int{}
			}
			seen.also[original]++
			return false
		}
	}
	v.AlsoBy = seen.also[original]
	return true
}

func (l *loader) standsBehind(window []candidate, v *linnet.StatusView, rule func(*loader, *linnet.StatusView) bool) bool {
	return slices.ContainsFunc(behind(window, v.ID), func(c candidate) bool {
		if c.id == v.RepostOf {
			return rule(l, v.Repost)
		}
		st := l.status(c.id)
		if st == nil || st.Status == nil || st.Status.RepostOf != v.RepostOf {
			return false
		}
		other, ok := l.unfiltered(c.id)
		return ok && rule(l, &other)
	})
}
