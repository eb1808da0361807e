package linnet

import "slices"

// Votes that count in "Top". A person with many accounts can let them follow and favourite each
// other, but can't make others follow them. So a vote counts only if enough users support the
// voter: followers, their followers, and so on.
const (
	// SupportPeople is the number of users that must support a voter. Eleven accounts that follow
	// one another support each with ten.
	SupportPeople = 11
	// SupportFrom is the number of users of an instance from which this applies. On smaller
	// servers, whose users know each other, every vote counts.
	SupportFrom = 24
	// SupportSteps is the depth of the search: followers, their followers, and the followers of
	// those.
	SupportSteps = 3
	// SupportRead is the number of followers of an account that are read: enough without the
	// author, the group and one other account.
	SupportRead = SupportPeople + 3
	// MaxVoters is the maximum number of recent favourites and of recent boosts that are checked.
	// The share of valid votes among them is applied to earlier votes.
	MaxVoters = 100
)

// Followers has some followers of each account that was searched.
type Followers map[ID][]ID

// Supported reports whether SupportPeople users support a voter, even without any single one of
// them. So one well-known account can't support ten others alone. It ignores the users in but,
// which are the author of the status and its group.
func (f Followers) Supported(voter ID, but ...ID) bool {
	behind := f.Behind(voter, SupportPeople+1, but...)
	if len(behind) <= SupportPeople {
		return false
	}
	for _, without := range f.Behind(voter, SupportPeople*SupportSteps, but...) {
		if len(f.Behind(voter, SupportPeople, append(slices.Clip(but), without)...)) < SupportPeople {
			return false
		}
	}
	return true
}

// Behind returns the known users who support a user, nearest first, at most most.
func (f Followers) Behind(who ID, most int, but ...ID) []ID {
	out := []ID{who}
	for i := 0; i < len(out); i++ {
		for _, id := range f[out[i]] {
			if !slices.Contains(but, id) && !slices.Contains(out, id) {
				if out = append(out, id); len(out) > most {
					return out[1:]
				}
			}
		}
	}
	return out[1:]
}
