package admin

import "linnet/internal/linnet"

// The users of the demo are characters from books who quote them and also write other posts. The
// quotes are in the public domain. NOTICE lists their sources.

// demoPerson is a user of the demo.
type demoPerson struct {
	login, name, note string
	follows           string // logins, separated by spaces
	banner            string // name of a picture; "" for none
	role              linnet.Role
	locked            bool
	fields            []linnet.ProfileField
}

func demoPeople() []demoPerson {
	return []demoPerson{
		{login: "wren", name: "Wren Halloway", role: linnet.Admin, note: "Librarian. I look after this place and water the plants. #books #birds",
			follows: "pepys ishmael lizzy watson walt ambrose huck ada reading_room", banner: "library",
			fields: []linnet.ProfileField{{Name: "Desk hours", Value: "Tuesday to Saturday, 10 to 6"}, {Name: "Reading", Value: "The one with the whale"}}},
		{login: "pepys", name: "Samuel Pepys", note: "Clerk of the Acts at the Navy Office. And so to bed.", follows: "wren watson ambrose lizzy", banner: "thames"},
		{login: "ishmael", name: "Call me Ishmael", note: "Gone to sea. Whales, mostly.", follows: "walt huck wren pepys ada", banner: "sea",
			fields: []linnet.ProfileField{{Name: "Trade", Value: "Before the mast"}, {Name: "Port", Value: "Nantucket, lately New Bedford"}, {Name: "Reading", Value: "ألف ليلة وليلة"}}},
		{login: "lizzy", name: "Elizabeth Bennet", note: "I dearly love a laugh. Long walks, muddy hems.", follows: "wren pepys watson ambrose jane walt", banner: "park"},
		{login: "jane", name: "Jane Bennet", note: "Thinks well of everyone.", follows: "lizzy wren", locked: true},
		{login: "watson", name: "John H. Watson, M.D.", note: "Late of the Army Medical Department. Cases, with permission.", follows: "lizzy pepys wren holmes", banner: "fog"},
		{login: "holmes", name: "S. H.", note: "Consulting. No, I have not read it.", follows: "watson"},
		{login: "walt", name: "Walt Whitman", note: "Of Paumanok. I contain multitudes, so some posts are long.", follows: "ishmael huck wren ada", banner: "dunes"},
		{login: "ambrose", name: "Ambrose B.", note: "A dictionary, one entry at a time. Guess the word.", follows: "pepys lizzy watson"},
		{login: "huck", name: "Huck", note: "Mostly on the river.", follows: "walt ishmael wren", banner: "raft"},
		{login: "ada", name: "Ada", note: "Counts things. Machines can weave as well. #numbers", follows: "wren ambrose walt holmes"},
		{login: "collins", name: "Rev. William Collins", note: "By the favour of Lady Catherine de Bourgh.", follows: "lizzy jane"},
	}
}

// demoGroup is a group. The fields members and moderators have logins, separated by spaces.
type demoGroup struct {
	login, name, note, by string
	kind                  linnet.GroupKind
	members, moderators   string
	asks                  string // user who requests to join
	banner                string // name of a picture; "" for none
}

func demoGroups() []demoGroup {
	return []demoGroup{
		{login: "reading_room", name: "Reading room", by: DemoAdmin, kind: linnet.PublicGroup, members: "ishmael lizzy walt ada watson huck", moderators: "lizzy", banner: "sea",
			note: "One book at a time. Mention @reading_room and every member gets your post. Now reading: the one with the whale."},
		{login: "stacks", name: "The stacks", by: DemoAdmin, kind: linnet.PrivateGroup, members: "ada watson ambrose", asks: "huck",
			note: "For the shelving volunteers: keys, dust, and what we found behind the encyclopaedia."},
		{login: "notices", name: "Notices", by: DemoAdmin, kind: linnet.AnnouncementGroup, members: "pepys jane lizzy walt", note: "Opening hours, and when the roof leaks."},
		{login: "atlas_case", name: "The case of the atlas", by: "watson", kind: linnet.Chat, members: "holmes wren", note: "Say nothing upstairs."},
		{login: "supper", name: "Sunday supper", by: "lizzy", kind: linnet.Chat, members: "jane wren watson pepys"},
	}
}
