package linnet

import "testing"

// TestListOfGroup checks that the id of a group's list is a 9 and the group's id, and can be
// parsed, even beyond a signed integer.
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
