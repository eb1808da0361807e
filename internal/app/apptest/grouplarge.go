package apptest

import (
	"os"
	"strconv"
)

// Large returns the number in LINNET_LARGE, or usual.
func Large(usual int) int {
	if many, err := strconv.Atoi(os.Getenv("LINNET_LARGE")); err == nil {
		return many
	}
	return usual
}
