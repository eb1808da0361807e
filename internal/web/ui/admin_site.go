package ui

// Truncate shortens a text for a table.
func Truncate(s string, most int) string {
	if rs := []rune(s); len(rs) > most {
		return string(rs[:most]) + "…"
	}
	return s
}
