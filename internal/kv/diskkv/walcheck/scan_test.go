package walcheck

import "testing"

// FuzzScan checks that any content of a file is searched to its end.
func FuzzScan(f *testing.F) {
	f.Add([]byte{}, uint32(1))
	f.Add(make([]byte, syncHeader), uint32(1))
	f.Fuzz(func(t *testing.T, b []byte, number uint32) {
		for _, manifest := range []bool{true, false} {
			s := newScan(manifest, number)
			s.block(b[:min(len(b), scanBlock)], 0)
			if s.end > int64(len(b)) {
				t.Errorf("%d bytes of %d are valid", s.end, len(b))
			}
		}
	})
}
