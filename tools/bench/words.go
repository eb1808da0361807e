package bench

import (
	"math/rand/v2"
	"strings"
)

// vocabulary contains the words of the statuses of a run.
var vocabulary = strings.Fields(`the a of and to in is that it was for on are with as his they at be this from have or by
	one had not but what all were when we there can an your which their said if do will each about how up out them then she many
	some so these would other into has more her two like him see time could no make than first been its who now people my made
	over did down only way find use may water long little very after words called just where most know`)

// statusText returns the text of a status: 20 to 280 characters, with a tag in every tenth.
func statusText(rng *rand.Rand) string {
	want := 20 + rng.IntN(240)
	var b strings.Builder
	for b.Len() < want {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(vocabulary[rng.IntN(len(vocabulary))])
	}
	if rng.IntN(10) == 0 {
		b.WriteString(" #" + vocabulary[rng.IntN(len(vocabulary))])
	}
	return b.String()
}
