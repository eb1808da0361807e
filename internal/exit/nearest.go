package exit

// Nearest returns the name that is most similar to word, or "" if none is similar. It accepts one
// mistake in a short word and one in three letters of a longer one.
func Nearest(word string, names []string) string {
	best, limit := "", max(2, len(word)/3)
	if len(word) < 5 {
		limit = 1
	}
	for _, n := range names {
		if d := Distance(word, n); d <= limit && d < max(len(word), len(n)) {
			best, limit = n, d-1
		}
	}
	return best
}

// Distance returns the number of letters to insert, delete, replace or swap with a neighbour to
// turn a into b (optimal string alignment).
func Distance(a, b string) int {
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}

// DidYouMean returns a sentence that suggests the nearest name, or otherwise if there is none.
func DidYouMean(word string, names []string, prefix, otherwise string) string {
	if n := Nearest(word, names); n != "" {
		return "Did you mean " + prefix + n + "?"
	}
	return otherwise
}
