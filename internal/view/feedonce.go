package view

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
)

// NearbyWindow are the entries of a feed that decide whether the reposts that a loader
// finds are shown.
type NearbyWindow struct {
	Window []timeline.Entry
	refs   []nearRef // entries that were asked for to see what they repost
}

type nearRef struct {
	id  linnet.ID
	ref *db.StatusRef
}

// askNearby asks, beside what belongs to the statuses known so far, what stands
// behind the reposts among them, and for those of the same originals all that decides
// on whether they are shown.
func (l *Loader) askNearby() {
	if len(l.Near.Window) == 0 {
		return
	}
	for i := 0; i < len(l.Statuses); i++ { // grows
		st := l.Statuses[i].Ref.Status
		if st == nil || st.RepostOf == 0 || l.Statuses[i].nearbyAsked {
			continue
		}
		l.Statuses[i].nearbyAsked = true
		for _, near := range timeline.OlderEntries(l.Near.Window, st.ID) {
			asked := slices.ContainsFunc(l.Near.refs, func(n nearRef) bool { return n.id == near.ID })
			if !asked && l.Status(near.ID) == nil {
				l.Near.refs = append(l.Near.refs, nearRef{near.ID, l.B.Status(near.ID)})
			}
		}
	}
	for _, n := range l.Near.refs {
		if st := n.ref.Status; st != nil && st.RepostOf != 0 && l.Status(n.id) == nil && l.Status(st.RepostOf) != nil {
			l.Want(n.id, st.Author)
			l.statusSlot(n.id).nearbyAsked = true // it is not shown here itself
		}
	}
}

// moreNearby asks once more, now that the originals are among the statuses, and reports
// whether any were added: where all is cached there is no other round to ask in.
func (l *Loader) moreNearby() bool {
	before := len(l.Statuses)
	l.askNearby()
	return len(l.Statuses) > before
}

// OnceIn says whether an entry of a feed is shown by a rule, and stands there for its
// status: the first does, and tells how many came after it. Since the first is the one
// shown, and the window goes on below the page, who pages down meets each status once.
// The count does not cross a page: those that came after it and would stand on an earlier
// page are not in it, since to count them a page would have to read as much above itself
// as below.
func (l *Loader) OnceIn(seen *timeline.PageRead, v *linnet.StatusView, rule func(*Loader, *linnet.StatusView) bool) bool {
	if !rule(l, v) {
		return false
	}
	original := v.ID
	if v.Repost != nil {
		original = v.RepostOf
		if l.repeatedBelow(seen.Window, v, rule) {
			if seen.Also == nil {
				seen.Also = map[linnet.ID]int{}
			}
			seen.Also[original]++
			return false
		}
	}
	v.AlsoBy = seen.Also[original]
	return true
}

func (l *Loader) repeatedBelow(window []timeline.Entry, v *linnet.StatusView, rule func(*Loader, *linnet.StatusView) bool) bool {
	return slices.ContainsFunc(timeline.OlderEntries(window, v.ID), func(c timeline.Entry) bool {
		if c.ID == v.RepostOf {
			return rule(l, v.Repost)
		}
		st := l.Status(c.ID)
		if st == nil || st.Status == nil || st.Status.RepostOf != v.RepostOf {
			return false
		}
		other, ok := l.unfiltered(c.ID, 0)
		return ok && rule(l, &other)
	})
}
