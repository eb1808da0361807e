package ui

import (
	"strconv"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// quietZone is the width of the empty border of a QR code, in modules.
const quietZone = 4

// qrPath returns the dark modules of the QR code of a text as an SVG path, and the width of the
// code with its border. The path is empty if the text is too long.
func qrPath(text string) (path string, width int) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return "", 0
	}
	n := code.Bounds().Dx()
	dark := func(x, y int) bool {
		if x >= n {
			return false
		}
		red, _, _, _ := code.At(x, y).RGBA()
		return red == 0
	}
	var b strings.Builder
	for y := range n {
		for x := 0; x < n; x++ {
			from := x
			for dark(x, y) {
				x++
			}
			if run := strconv.Itoa(x - from); x > from {
				b.WriteString("M" + strconv.Itoa(from+quietZone) + " " + strconv.Itoa(y+quietZone) + "h" + run + "v1h-" + run + "z")
			}
		}
	}
	return b.String(), n + 2*quietZone
}
