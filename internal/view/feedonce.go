package view

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// NearbyWindow has the entries of a feed that determine whether boosts are shown.
type NearbyWindow struct {
	Window []linnet.Entry
	refs   []nearRef // entries loaded to find their originals
}

type nearRef struct {
	id  linnet.ID
	ref *db.StatusRef
}

// askNearby loads the originals of the boosts among the statuses, and the entries that determine
// which boosts of the same originals are shown.
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
		for _, near := range linnet.OlderEntries(l.Near.Window, st.ID) {
			asked := slices.ContainsFunc(l.Near.refs, func(n nearRef) bool { return n.id == near.ID })
			if !asked && l.Status(near.ID) == nil {
				l.Near.refs = append(l.Near.refs, nearRef{near.ID, l.B.Status(near.ID)})
			}
		}
	}
	for _, n := range l.Near.refs {
		if st := n.ref.Status; st != nil && st.RepostOf != 0 && l.Status(n.id) == nil && l.Status(st.RepostOf) != nil {
			l.Want(n.id, st.Author)
			l.statusSlot(n.id).nearbyAsked = true // not shown because of this
		}
	}
}

// OnceIn reports whether a rule shows an entry of a feed and it is the first entry of its status.
// It sets the boosters of later entries, except the viewer. Because the first is shown and the
// window extends below the page, a reader who scrolls down sees each status once. The boosters
// exclude those on earlier pages, since finding them would require reading as much above the page
// as below.
func (l *Loader) OnceIn(seen *linnet.Repeats, v *linnet.StatusView, rule func(*Loader, *linnet.StatusView) bool) bool {
	if !rule(l, v) {
		return false
	}
	original := v.ID
	if v.Repost != nil {
		original = v.RepostOf
		if l.repeatedBelow(seen.Window, v, rule) {
			if v.Author != l.Viewer {
				if seen.Also == nil {
					seen.Also = map[linnet.ID][]*linnet.SharedUser{}
				}
				seen.Also[original] = append(seen.Also[original], v.By)
			}
			return false
		}
	}
	if also := seen.Also[original]; also != nil {
		x := linnet.StatusExtra{AlsoBy: also}
		if v.Extra != nil {
			x.Tagged = v.Extra.Tagged
		}
		v.Extra = &x
	}
	return true
}

func (l *Loader) repeatedBelow(window []linnet.Entry, v *linnet.StatusView, rule func(*Loader, *linnet.StatusView) bool) bool {
	return slices.ContainsFunc(linnet.OlderEntries(window, v.ID), func(c linnet.Entry) bool {
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
