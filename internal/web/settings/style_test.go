package settings

import (
	"regexp"
	"testing"

	"linnet/internal/linnet"
)

var accentVar = regexp.MustCompile(`--([a-z-]+): var\(--L, (#[0-9a-f]{6})\) var\(--D, (#[0-9a-f]{6})\);`)

// All colours derived from a valid accent are readable on their background.
func TestAccentSheet(t *testing.T) {
	for _, typed := range []string{"#006b45", "#000", "#7a0000", "#3b3bff", "#5a4a00"} {
		a, err := linnet.CheckAccent(typed, "")
		if err != nil {
			t.Fatal(err)
		}
		is := map[string][2]linnet.Colour{}
		for _, m := range accentVar.FindAllStringSubmatch(accentSheet(a), -1) {
			light, _ := linnet.ParseColour(m[2])
			dark, _ := linnet.ParseColour(m[3])
			is[m[1]] = [2]linnet.Colour{light, dark}
		}
		if len(is) != 3 {
			t.Fatalf("%s: %v", typed, is)
		}
		white := linnet.Colour{255, 255, 255}
		for i, grounds := range []linnet.Grounds{linnet.LightGrounds(), linnet.DarkGrounds()} {
			on := []linnet.Colour{is["tinge"][i]}
			for _, g := range grounds {
				c, _ := linnet.ParseColour(g)
				on = append(on, c)
			}
			for _, ground := range on {
				if r := is["accent"][i].Contrast(ground); r < linnet.MinContrast {
					t.Errorf("%s: the accent on %v has %.2f", typed, ground, r)
				}
			}
			if r := is["fill"][i].Contrast(white); r < linnet.MinContrast {
				t.Errorf("%s: white on the filling has %.2f", typed, r)
			}
		}
	}
}
