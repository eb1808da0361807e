package linnet

import "testing"

// The list of a group is a 9 in front of its id, on the wire and back, also when
// that is too much for a signed number.
func TestListOfGroup(t *testing.T) {
	for _, group := range []ID{117_000_000_000_000_001, 223_372_036_854_775_808, 999_999_999_999_999_999} {
		list := ListOfGroup(group)
		if list.String() != "9"+group.String() {
			t.Errorf("list of %v is %v", group, list)
		}
		read, ok := ParseListID("9" + group.String())
		if back, of := GroupOfList(read); !ok || !of || back != group {
			t.Errorf("9%v is read as %v, of group %v: %v %v", group, read, back, ok, of)
		}
	}
	for _, s := range []string{"", "9", "90", "9x", "99999999999999999999999"} {
		if id, ok := ParseListID(s); ok {
			if group, of := GroupOfList(id); of {
				t.Errorf("%q is a list of group %v", s, group)
			}
		}
	}
	if _, ok := GroupOfList(117_000_000_000_000_001); ok {
		t.Error("an ordinary list is a group's")
	}
}
