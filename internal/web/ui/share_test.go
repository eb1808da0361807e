package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boombuler/barcode/qr"
)

// TestQRPath checks that the path of a QR code has exactly its dark modules.
func TestQRPath(t *testing.T) {
	const link = "https://birds.example/invite/b7ebhiy6f5yxcmuc"
	path, width := qrPath(link)
	code, err := qr.Encode(link, qr.M, qr.Auto)
	if err != nil || width != code.Bounds().Dx()+8 {
		t.Fatalf("width %d, %v", width, err)
	}
	dark := map[[2]int]bool{}
	for part := range strings.SplitSeq(strings.TrimSuffix(path, "z"), "z") {
		var x, y, n, back int
		if _, err := fmt.Sscanf(part, "M%d %dh%dv1h%d", &x, &y, &n, &back); err != nil || n != -back {
			t.Fatalf("part %q: %v", part, err)
		}
		for i := range n {
			dark[[2]int{x + i - 4, y - 4}] = true
		}
	}
	for y := range width - 8 {
		for x := range width - 8 {
			if red, _, _, _ := code.At(x, y).RGBA(); (red == 0) != dark[[2]int{x, y}] {
				t.Errorf("module %d, %d is dark: %v", x, y, dark[[2]int{x, y}])
			}
		}
	}
	if path, _ := qrPath(strings.Repeat("x", 4000)); path != "" {
		t.Error("a text that is too long has a code")
	}
}
