package store_test

import (
	"reflect"
	"strconv"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// TestInstanceFields fills every field of the description of the server, and checks that each is
// read as it was written. Booleans are tried with both values, because one of them is the default.
func TestInstanceFields(t *testing.T) {
	for _, on := range []bool{true, false} {
		s := newStage(t)
		var in linnet.Instance
		fill(t, reflect.ValueOf(&in).Elem(), on, new(1))
		in.Version = 0
		if ok, err := s.Instance.Set(s.ctx, in); !ok || err != nil {
			t.Fatalf("write: %v, %v", ok, err)
		}
		got, ok, err := s.Instance.Get(s.ctx)
		if in.Version = 1; !ok || err != nil || !reflect.DeepEqual(got, in) {
			t.Errorf("read %+v (%v, %v), want %+v", got, ok, err, in)
		}
	}
}

// fill sets v and everything in it to different values, which it counts with n. Booleans are set to
// on.
func fill(t *testing.T, v reflect.Value, on bool, n *int) {
	t.Helper()
	*n++
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(int64(*n), 0).UTC()))
	case v.Kind() == reflect.Bool:
		v.SetBool(on)
	case v.CanInt():
		v.SetInt(int64(*n))
	case v.CanUint():
		v.SetUint(uint64(*n))
	case v.Kind() == reflect.String:
		v.SetString(strconv.Itoa(*n))
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0), on, n)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), on, n)
		}
	default:
		t.Fatalf("fill cannot set a value of type %s", v.Type())
	}
}
