package admin

import (
	"time"

	"linnet/internal/linnet"
)

// The users of the demo are characters from books who quote them and sometimes write other posts.
// The quotes are in the public domain. NOTICE lists their sources.

// demoPerson is a user of the demo.
type demoPerson struct {
	login, name, note string
	follows           string // logins, separated by spaces
	role              linnet.Role
	locked            bool
	fields            []linnet.ProfileField
}

// demoPost is one status. The fields likes and boosts have logins, separated by spaces.
type demoPost struct {
	key     string        // key for references by others; "" for none
	ago     time.Duration // time before the end of the demo
	by      string
	text    string
	to      string // key of the parent
	warning string
	seen    linnet.Visibility
	likes   string
	boosts  string

	pictures [][2]string // names of scenes with their descriptions
}

func demoPeople() []demoPerson {
	return []demoPerson{
		{login: "wren", name: "Wren Halloway", role: linnet.Admin, note: "Librarian. I keep this place, and water the plants. #books #birds",
			follows: "pepys ishmael lizzy watson walt ambrose huck ada reading_room"},
		{login: "pepys", name: "Samuel Pepys", note: "Clerk of the Acts at the Navy Office. And so to bed.", follows: "wren watson ambrose lizzy"},
		{login: "ishmael", name: "Call me Ishmael", note: "Gone to sea. Whales, mostly.", follows: "walt huck wren pepys ada",
			fields: []linnet.ProfileField{{Name: "Trade", Value: "Before the mast"}, {Name: "Port", Value: "Nantucket, lately New Bedford"}, {Name: "Reading", Value: "ألف ليلة وليلة"}}},
		{login: "lizzy", name: "Elizabeth Bennet", note: "I dearly love a laugh.", follows: "wren pepys watson ambrose jane"},
		{login: "jane", name: "Jane Bennet", note: "Thinks well of everybody.", follows: "lizzy wren", locked: true},
		{login: "watson", name: "John H. Watson, M.D.", note: "Late of the Army Medical Department. Cases, with permission.", follows: "lizzy pepys wren holmes"},
		{login: "holmes", name: "S. H.", note: "Consulting. No, I have not read it.", follows: "watson"},
		{login: "walt", name: "Walt Whitman", note: "Of Paumanok. I contain multitudes, so some posts are long.", follows: "ishmael huck wren ada"},
		{login: "ambrose", name: "Ambrose B.", note: "A dictionary, one entry at a time, without the words.", follows: "pepys lizzy watson"},
		{login: "huck", name: "Huck", note: "Mostly on the river.", follows: "walt ishmael wren"},
		{login: "ada", name: "Ada", note: "Counts things. Machines weave as well. #numbers", follows: "wren ambrose walt holmes"},
		{login: "collins", name: "Rev. William Collins", note: "By the favour of Lady Catherine de Bourgh.", follows: "lizzy jane"},
	}
}

// demoGroup is a group. The field people has logins, separated by spaces.
type demoGroup struct {
	login, name, note, by string
	kind                  linnet.GroupKind
	members, moderators   string
	asks                  string // user who requests to join
}

func demoGroups() []demoGroup {
	return []demoGroup{
		{login: "reading_room", name: "Reading room", by: DemoKeeper, kind: linnet.PublicGroup, members: "ishmael lizzy walt ada watson huck", moderators: "lizzy",
			note: "One book at a time. Mention @reading_room, and all the others get it. Now: the one with the whale."},
		{login: "stacks", name: "The stacks", by: DemoKeeper, kind: linnet.PrivateGroup, members: "ada watson ambrose", asks: "huck",
			note: "Who helps with the shelves. Keys, dust, and what we found behind the encyclopaedia."},
		{login: "notices", name: "Notices", by: DemoKeeper, kind: linnet.AnnouncementGroup, members: "pepys jane lizzy walt", note: "Opening hours, and when the roof leaks."},
		{login: "atlas_case", name: "The case of the atlas", by: "watson", kind: linnet.Chat, members: "holmes wren", note: "Say nothing upstairs."},
	}
}

func demoPosts() []demoPost {
	const h, m = time.Hour, time.Minute
	return []demoPost{
		{ago: 70 * h, by: "pepys", text: "So home, it raining terribly, but we still dry, and at the office late discoursing with Sir J.", likes: "watson wren"},
		{ago: 66 * h, by: "ishmael", text: "Among sea-commanders, the old greybeards will oftenest leave their berths to visit the night-cloaked deck.", likes: "walt huck",
			pictures: [][2]string{{"sea", "The sun goes down over a dark sea."}}},
		{key: "perjury", ago: 61 * h, by: "ambrose", text: "A convenient deity invented by the ancients as an excuse for getting drunk.", likes: "huck lizzy pepys wren", boosts: "pepys"},
		{ago: 54 * h, by: "walt", text: "Fly on, sea-birds! fly sideways, or wheel in large circles high in the air; #birds", likes: "ishmael wren ada", boosts: "wren",
			pictures: [][2]string{{"hills", "Green hills under a pale sky."}, {"night", "The moon over black hills."}}},
		{key: "fish", ago: 50 * h, by: "lizzy", text: "Mamma, this morning: “But—good lord! how unlucky! there is not a bit of fish to be got today. Lydia, my love, ring the bell. I must speak to Hill, this moment.”", likes: "jane wren pepys"},
		{ago: 49*h + 40*m, by: "ishmael", to: "fish", text: "@lizzy I know where there is some. It is rather large.", likes: "lizzy wren huck watson"},
		{ago: 49*h + 20*m, by: "lizzy", to: "fish", text: "@ishmael I am afraid that the dish would not hold it.", likes: "ishmael"},
		{ago: 44 * h, by: "watson", text: "It was a bitter night, so we drew on our ulsters and wrapped cravats about our throats. Outside, the stars were shining coldly in a cloudless sky, and the breath of the passersby blew out into smoke like so many pistol shots.", likes: "lizzy pepys wren walt ada"},
		{key: "ending", ago: 40 * h, by: "watson", warning: "How the case of the bank ends", text: "Mr. Merryweather perched himself upon a crate, with a very injured expression upon his face, while Holmes fell upon his knees upon the floor and began to examine minutely the cracks between the stones. The rest you will guess.", likes: "lizzy"},
		{ago: 39 * h, by: "holmes", to: "ending", text: "@watson They will not. You left out the knees of his trousers, on which everything depended.", likes: "watson ada wren lizzy pepys"},
		{ago: 33 * h, by: "huck", text: "There’s some lucky days, maybe, but Friday ain’t.", likes: "walt ishmael"},
		{ago: 30 * h, by: "pepys", text: "From thence by link, and bought two mouse traps of Thomas Pepys, the Turner, and so went and drank a cup of ale with him, and so home and wrote by post to Portsmouth to my Lord and so to bed.", likes: "wren watson lizzy ambrose", boosts: "lizzy"},
		{ago: 27 * h, by: "collins", text: "I cannot omit to mention that her ladyship has condescended to advise me upon shelves. There are to be shelves in the closet. https://rosings.example/closet"},
		{ago: 26 * h, by: "collins", text: "I repeat, for those who may have missed it, that there are to be shelves in the closet. https://rosings.example/closet"},
		{ago: 26*h - 3*m, by: "collins", text: "Shelves. https://rosings.example/closet"},
		{key: "open", ago: 24 * h, by: "wren", text: "The reading room is open: @reading_room is a group, and whoever follows it is a member. Mention it in a post, and all the others get it. First book: the one with the whale. #books", likes: "ishmael lizzy walt ada", boosts: "ishmael"},
		{ago: 22 * h, by: "ishmael", text: "@reading_room Skip the chapter on cetology if you must. You will come back to it at three in the morning, like everybody. #books", likes: "wren lizzy"},
		{ago: 20 * h, by: "lizzy", text: "@reading_room I am at the bed and the tomahawk, and shall not be hurried. #books", likes: "ishmael wren"},
		{ago: 19 * h, by: "walt", text: "@reading_room I read it aloud, to the shore. The shore asked for the chapter on the line again.", likes: "lizzy ada wren ishmael"},
		{ago: 17 * h, by: "ada", text: "@reading_room For those who lag: at nine pages a day we land on the last of the month. I have made a table. #numbers", likes: "lizzy wren"},
		{ago: 15 * h, by: "wren", text: "@stacks Somebody has shelved the bestiary under Cookery. I am not angry, only curious which recipe.", likes: "ada ambrose watson"},
		{ago: 13 * h, by: "lizzy", text: "@reading_room I have now met the captain. He would not have done for Mamma at all: no neighbourhood, and only the one leg.", likes: "wren ishmael walt ada watson", boosts: "wren"},
		{ago: 6 * h, by: "ada", text: "@stacks Counted the card catalogue twice. We own one book more than exists.", likes: "wren watson"},
		{ago: 4 * h, by: "ishmael", text: "@reading_room Three days of chase to the end. Lay in candles, and somebody sit with @walt.", likes: "walt lizzy wren"},
		{ago: 62 * m, by: "watson", seen: linnet.Direct, text: "@atlas_case Holmes asks me to say that he has not asked me to say anything. Is page 94 still gone?"},
		{ago: 58 * m, by: "wren", seen: linnet.Direct, text: "@atlas_case Gone, with a very clean cut. The reader before the grey coat took out a book on sails."},
		{ago: 55 * m, by: "holmes", seen: linnet.Direct, text: "@atlas_case Then it was not the map that he wanted, but what is printed on its back."},
		{ago: 50 * m, by: "wren", text: "@notices Closed on Sunday until noon: the roof again. Bring nothing that minds water."},
		{ago: 16 * h, by: "ada", text: "Words in the book with the whale: some 209,000. Whales in it: I stopped at 1,100. #numbers #books", likes: "ishmael wren ambrose", boosts: "ishmael wren"},
		{ago: 12 * h, by: "walt", text: "Urge and urge and urge, Always the procreant urge of the world. Out of the dimness opposite equals advance, always substance and increase, always a breed of life.", likes: "ada"},
		{ago: 9 * h, by: "huck", text: "They ain’t anybody as polite as robbers—you’ll see that in any book. #books", likes: "ambrose walt holmes"},
		{ago: 8 * h, by: "jane", seen: linnet.Private, text: "He has called again. I shall say no more about it here.", likes: "lizzy"},
		{key: "neighbour", ago: 7 * h, by: "ambrose", text: "One whom we are commanded to love as ourselves, and who does all he knows how to make us disobedient.", likes: "lizzy huck pepys ada wren", boosts: "lizzy huck"},
		{ago: 6*h + 30*m, by: "lizzy", to: "neighbour", text: "@ambrose You have met Mr. Collins, then.", likes: "ambrose wren pepys"},
		{ago: 5 * h, by: "ishmael", warning: "Blubber", text: "That blubber is something of the consistence of firm, close-grained beef, but tougher, more elastic and compact, and ranges from eight or ten to twelve and fifteen inches in thickness.", likes: "ada"},
		{ago: 3 * h, by: "pepys", text: "All this evening till late setting my accounts and papers in order, and so to bed.", likes: "watson"},
		{ago: 100 * m, by: "wren", seen: linnet.Unlisted, text: "A linnet on the gate this morning, singing as if nobody had told it about the weather. Forty seconds without a breath. I counted. #birds", likes: "walt ada lizzy",
			pictures: [][2]string{{"morning", "A low sun behind brown hills."}}},
		{ago: 70 * m, by: "holmes", seen: linnet.Direct, text: "@wren A man in a grey coat has borrowed the same atlas three times and opened it once. Kindly keep page 94 for me."},
		{key: "atlas", ago: 64 * m, by: "wren", seen: linnet.Direct, text: "@holmes It is gone already. There is sand in the binding, though."},
		{ago: 63 * m, by: "holmes", seen: linnet.Direct, to: "atlas", text: "@wren Excellent. Touch nothing."},
		{ago: 41 * m, by: "ambrose", text: "Dust shaken out of a book into an empty skull.", likes: "lizzy wren"},
		{ago: 24 * m, by: "walt", text: "And I have dream’d that the purpose and essence of the known life, the transient, Is to form and decide identity for the unknown life, the permanent.", likes: "huck", boosts: "ada"},
		{ago: 11 * m, by: "lizzy", text: "A little sea-bathing would set me up forever, says Mamma. @ishmael, what do you charge?", likes: "wren ishmael"},
		{ago: 4 * m, by: "huck", text: "I reckon I ain’t dressed fitten for a pirate, but I ain’t got none but these.", likes: "walt"},
	}
}
