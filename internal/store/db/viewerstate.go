package db

import "time"

// ViewerState is a reader's known relation to a status or an account.
type ViewerState uint64

const (
	stateKnown ViewerState = 1 << iota
	stateFavourite
	stateRepost
	stateBookmark
	stateFollows
	stateHidesReposts
	stateMutesThread
	stateMutes
	stateMutesNotices
	stateBlocks
	stateBlockedBy
	stateNarrowed

	stateEnds = 16 // the higher bits are the end of the mute in Unix milliseconds; 0 for none
)

// Known reports whether the relation was read.
func (m ViewerState) Known() bool { return m&stateKnown != 0 }

// Favourite reports whether the status is a favourite of the reader.
func (m ViewerState) Favourite() bool { return m&stateFavourite != 0 }

// Repost reports whether the reader has boosted the status.
func (m ViewerState) Repost() bool { return m&stateRepost != 0 }

// Bookmark reports whether the reader has bookmarked the status.
func (m ViewerState) Bookmark() bool { return m&stateBookmark != 0 }

// Follows reports whether the reader follows the account.
func (m ViewerState) Follows() bool { return m&stateFollows != 0 }

// HidesReposts reports whether the reader hides the account's boosts.
func (m ViewerState) HidesReposts() bool { return m&stateHidesReposts != 0 }

// Narrowed reports whether the reader wants only some languages of the account, see Languages.
func (m ViewerState) Narrowed() bool { return m&stateNarrowed != 0 }

// Mutes reports whether the reader mutes the account.
func (m ViewerState) Mutes() bool { return m&stateMutes != 0 }

// MutesNotices reports whether the reader mutes the account's notifications too.
func (m ViewerState) MutesNotices() bool { return m&stateMutesNotices != 0 }

// MuteEnds returns when the mute ends, or zero if there is no mute or no end.
func (m ViewerState) MuteEnds() time.Time {
	if m>>stateEnds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(m >> stateEnds))
}

// Blocks reports whether the reader blocks the account.
func (m ViewerState) Blocks() bool { return m&stateBlocks != 0 }

// BlockedBy reports whether the account blocks the reader.
func (m ViewerState) BlockedBy() bool { return m&stateBlockedBy != 0 }

// Blocked reports whether one of the two blocks the other.
func (m ViewerState) Blocked() bool { return m&(stateBlocks|stateBlockedBy) != 0 }

// at returns the state at a time, without an expired mute.
func (m ViewerState) at(now time.Time) ViewerState {
	if ends := m >> stateEnds; ends != 0 && now.UnixMilli() >= int64(ends) {
		return m & (1<<stateEnds - 1) &^ (stateMutes | stateMutesNotices)
	}
	return m
}

// NoViewerState is the state of a status without any action of the reader.
const NoViewerState = stateKnown
