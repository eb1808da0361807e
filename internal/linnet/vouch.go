package linnet

import "slices"

// Whose votes count in "Top". Somebody with many accounts can let them follow and
// like each other as much as they want, but cannot make others follow them. So a vote
// counts from whom enough people stand behind: followers, their followers, and so on.
const (
	// VouchPeople is how many people have to stand behind a voter: eleven accounts
	// that follow one another have ten behind each of them.
	VouchPeople = 11
	// VouchFrom is how many people a place has before that is asked: among fewer,
	// who know each other, every vote counts.
	VouchFrom = 24
	// VouchSteps is how far is looked: followers, theirs, and theirs.
	VouchSteps = 3
	// VouchRead is how many followers of an account are looked at: enough of them
	// when the author, the group and one more are left out.
	VouchRead = VouchPeople + 3
	// MaxVoters is how many of those who made a favourite of a status, and of those
	// who reposted it, are looked at: the latest. Votes before these count by the
	// share of the latest that do.
	MaxVoters = 100
)

// Followers are some followers of each account that was looked at.
type Followers map[ID][]ID

// Vouched reports whether VouchPeople stand behind a voter, whichever one account is
// taken away: one well-known account does not vouch for ten others. Those in but, the
// author of what is voted for, stand behind nobody.
func (f Followers) Vouched(voter ID, but ...ID) bool {
	behind := f.Behind(voter, VouchPeople+1, but...)
	if len(behind) <= VouchPeople {
		return false
	}
	for _, without := range f.Behind(voter, VouchPeople*VouchSteps, but...) {
		if len(f.Behind(voter, VouchPeople, append(slices.Clip(but), without)...)) < VouchPeople {
			return false
		}
	}
	return true
}

// Behind are those who stand behind somebody, the nearest first, as far as is known
// and at most so many.
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
