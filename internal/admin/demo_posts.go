package admin

import (
	"time"

	"linnet/internal/linnet"
)

// demoPost is one status. The fields likes and boosts have logins, separated by spaces.
type demoPost struct {
	key     string        // key for references by others; "" for none
	ago     time.Duration // time before the end of the demo
	by      string
	text    string
	to      string // key of the parent
	quotes  string // key of the quoted post
	warning string
	seen    linnet.Visibility
	likes   string
	boosts  string

	pictures []string // names in demoPictures
	poll     *demoPoll
}

// demoPoll is a poll with the logins that voted for each option, separated by spaces.
type demoPoll struct {
	days    int
	options [][2]string
}

// demoEdit is a change of a post shortly before the end of the demo.
type demoEdit struct{ key, by, text string }

// demoLink is the link with a preview.
const demoLink = "https://standardebooks.org/ebooks/herman-melville/moby-dick"

// demoCard returns the preview of demoLink. Its picture is "whale".
func demoCard() *linnet.Card {
	return &linnet.Card{Title: "Moby Dick, by Herman Melville", Site: "Standard Ebooks", Language: "en",
		Description: "A sailor joins the crew of a whaling ship, whose captain hunts one white whale. Free ebook download."}
}

// demoUnfetched returns links that must not be fetched, because their pages don't exist.
func demoUnfetched() []string { return []string{"https://rosings.example/closet"} }

// demoEdits returns the edits. Users who boosted or quoted the posts are notified.
func demoEdits() []demoEdit {
	return []demoEdit{
		{"birds", "walt", "Fly on, sea-birds! fly sideways, or wheel in large circles high in the air; (the lighthouse keeper counted forty) #birds"},
		{"chart", "ada", "Words in the book with the whale: some 208,000. Whales: 1,357. The red bar is the chapter on cetology. Corrected: I had missed five. #numbers #books"},
	}
}

// demoPosts returns the posts of three days.
func demoPosts() []demoPost {
	posts := append(demoOldPosts(), demoThread()...)
	return append(append(posts, demoNewPosts()...), demoMessages()...)
}

// demoOldPosts returns the posts of the first two days.
func demoOldPosts() []demoPost {
	const h, m = time.Hour, time.Minute
	return []demoPost{
		{ago: 70 * h, by: "pepys", text: "So home, it raining terribly, but we still dry, and at the office late discoursing with Sir J.", likes: "watson wren"},
		{key: "deck", ago: 66 * h, by: "ishmael", text: "Among sea-commanders, the old greybeards will oftenest leave their berths to visit the night-cloaked deck.", likes: "walt huck wren lizzy",
			boosts: "walt", pictures: []string{"sea"}},
		{key: "perjury", ago: 61 * h, by: "ambrose", text: "A convenient deity invented by the ancients as an excuse for getting drunk.", likes: "huck lizzy pepys wren", boosts: "pepys"},
		{ago: 58 * h, by: "ada", text: "Rewired the loom so that it reads my cards from both sides. It now weaves the pattern I meant, and one that I didn’t. I like the second better.", likes: "wren walt lizzy watson",
			boosts: "wren", pictures: []string{"weave"}},
		{key: "birds", ago: 54 * h, by: "walt", text: "Fly on, sea-birds! fly sideways, or wheel in large circles high in the air; #birds", likes: "ishmael wren ada lizzy huck", boosts: "wren ishmael",
			pictures: []string{"dunes", "dandelions"}},
		{key: "fish", ago: 50 * h, by: "lizzy", text: "Mamma, this morning: “But—good lord! how unlucky! there is not a bit of fish to be got today. Lydia, my love, ring the bell. I must speak to Hill, this moment.”", likes: "jane wren pepys"},
		{ago: 49*h + 40*m, by: "ishmael", to: "fish", text: "@lizzy I know where there is some. It is rather large.", likes: "lizzy wren huck watson"},
		{ago: 49*h + 20*m, by: "lizzy", to: "fish", text: "@ishmael I am afraid we have no dish for it.", likes: "ishmael"},
		{key: "marks", ago: 46 * h, by: "ada", text: "A question for the table of contents: how do you mark your page? #books", likes: "lizzy",
			poll: &demoPoll{1, [][2]string{{"A ribbon", "watson jane pepys"}, {"A train ticket", "wren huck walt lizzy"}, {"I fold the corner", "ambrose"}, {"I remember the number", "holmes"}}}},
		{ago: 44 * h, by: "watson", text: "It was a bitter night, so we drew on our ulsters and wrapped cravats about our throats. Outside, the stars were shining coldly in a cloudless sky, and the breath of the passersby blew out into smoke like so many pistol shots.",
			likes: "lizzy pepys wren walt ada", boosts: "lizzy", pictures: []string{"fog"}},
		{key: "ending", ago: 40 * h, by: "watson", warning: "How the case of the bank ends", text: "Mr. Merryweather perched himself upon a crate, with a very injured expression upon his face, while Holmes fell upon his knees upon the floor and began to examine minutely the cracks between the stones. The rest you will guess.", likes: "lizzy"},
		{ago: 39 * h, by: "holmes", to: "ending", text: "@watson They will not. You left out the knees of his trousers, on which everything depended.", likes: "watson ada wren lizzy pepys"},
		{ago: 36 * h, by: "lizzy", text: "Eleven miles before breakfast. We were shown the house by mistake, and the lake on purpose.", likes: "jane wren walt pepys huck", pictures: []string{"park"}},
		{ago: 33 * h, by: "huck", text: "There’s some lucky days, maybe, but Friday ain’t.", likes: "walt ishmael"},
		{ago: 30 * h, by: "pepys", text: "From thence by link, and bought two mouse traps of Thomas Pepys, the Turner, and so went and drank a cup of ale with him, and so home and wrote by post to Portsmouth to my Lord and so to bed.", likes: "wren watson lizzy ambrose", boosts: "lizzy"},
		{ago: 27 * h, by: "collins", text: "I cannot omit to mention that her ladyship has condescended to advise me upon shelves. There are to be shelves in the closet. https://rosings.example/closet"},
		{ago: 26 * h, by: "collins", text: "I repeat, for those who may have missed it, that there are to be shelves in the closet. https://rosings.example/closet"},
		{ago: 26*h - 3*m, by: "collins", text: "Shelves. https://rosings.example/closet"},
		{key: "open", ago: 24 * h, by: "wren", text: "The reading room is open! @reading_room is a group: follow it to become a member, and mention it to write to all the others. First book: the one with the whale. #books", likes: "ishmael lizzy walt ada", boosts: "ishmael"},
		{ago: 22 * h, by: "ishmael", text: "@reading_room Skip the chapter on cetology if you must. You will come back to it at three in the morning, like everyone. #books", likes: "wren lizzy"},
		{ago: 21 * h, by: "watson", text: "@reading_room For anyone whose copy is still at the bottom of a trunk: there is a good free edition. " + demoLink, likes: "wren ada lizzy walt", boosts: "wren"},
		{ago: 20 * h, by: "lizzy", text: "@reading_room I am at the bed and the tomahawk, and won’t be hurried. #books", likes: "ishmael wren"},
		{ago: 19 * h, by: "walt", text: "@reading_room I read it aloud, to the shore. The shore asked for the chapter on the line again.", likes: "lizzy ada wren ishmael"},
		{ago: 17 * h, by: "ada", text: "@reading_room If you’ve fallen behind: at nine pages a day we finish on the last of the month. I made a table. #numbers", likes: "lizzy wren"},
		{key: "chart", ago: 16 * h, by: "ada", text: "Words in the book with the whale: some 208,000. Whales: 1,352. The red bar is the chapter on cetology. #numbers #books",
			likes: "ishmael wren ambrose lizzy", boosts: "ishmael wren", pictures: []string{"chart"}},
	}
}

// demoThread returns a long conversation.
func demoThread() []demoPost {
	const h, m = time.Hour, time.Minute
	return []demoPost{
		{key: "late", ago: 11 * h, by: "wren", text: "Which book kept you up far too late? I’m choosing the next window display, and I want evidence. #books", likes: "lizzy ada walt huck jane", boosts: "lizzy"},
		{key: "late2", ago: 10*h + 52*m, by: "lizzy", to: "late", text: "@wren Anything with a castle in it. I read the last chapters under the table at a card party.", likes: "wren jane watson"},
		{key: "late3", ago: 10*h + 47*m, by: "jane", to: "late2", text: "@lizzy @wren She lost four rounds and didn’t notice.", likes: "lizzy wren pepys"},
		{key: "late4", ago: 10*h + 41*m, by: "lizzy", to: "late3", text: "@jane Five. I noticed the fifth.", likes: "jane wren"},
		{key: "late5", ago: 10*h + 38*m, by: "watson", to: "late", text: "@wren My own notes on the business with the hound. I knew how it ended, and still lit a second lamp.", likes: "lizzy wren ada"},
		{key: "late6", ago: 10*h + 33*m, by: "holmes", to: "late5", text: "@watson You wrote it wrong. Of course you could not put it down.", likes: "watson wren ambrose lizzy"},
		{key: "late7", ago: 10*h + 20*m, by: "huck", to: "late", text: "@wren Well, I read considerable in the one about the man that left his family. It don’t say why. The statements was interesting, but tough.", likes: "walt wren ishmael"},
		{key: "late8", ago: 10*h + 12*m, by: "ada", to: "late", text: "@wren A table of logarithms. I’m serious. There is an error on page 62, and I had to know whether there were others.", likes: "wren holmes walt"},
		{key: "late9", ago: 10*h + 5*m, by: "wren", to: "late8", text: "@ada Were there?", likes: "lizzy"},
		{key: "late10", ago: 9*h + 58*m, by: "ada", to: "late9", text: "@wren Nineteen. I wrote to the printer.", likes: "wren lizzy watson holmes walt ambrose"},
		{key: "late11", ago: 9*h + 44*m, by: "pepys", to: "late", text: "@wren Did read till my candle was out, and then finished by my wife’s, she being much displeased.", likes: "wren lizzy watson"},
		{key: "late12", ago: 9*h + 30*m, by: "wren", to: "late", text: "Thank you! The window will have a castle, a hound, a river, one table of logarithms with corrections, and two candles.", likes: "lizzy ada pepys huck watson walt jane"},
	}
}

// demoNewPosts returns the posts of the last day.
func demoNewPosts() []demoPost {
	const h, m = time.Hour, time.Minute
	return []demoPost{
		{ago: 14 * h, by: "lizzy", quotes: "open", text: "Six members already, and only one has fallen asleep over it. (It was Mr. Hurst, who isn’t a member.) #books", likes: "wren jane watson ada"},
		{ago: 15 * h, by: "wren", text: "@stacks Someone has shelved the bestiary under Cookery. I’m not angry, I only want to know which recipe.", likes: "ada ambrose watson"},
		{ago: 13 * h, by: "lizzy", text: "@reading_room I have now met the captain. He wouldn’t have done for Mamma at all: no neighbourhood, and only the one leg.", likes: "wren ishmael walt ada watson", boosts: "wren"},
		{ago: 12 * h, by: "walt", text: "Urge and urge and urge, Always the procreant urge of the world. Out of the dimness opposite equals advance, always substance and increase, always a breed of life.", likes: "ada"},
		{ago: 9 * h, by: "huck", text: "They ain’t anybody as polite as robbers—you’ll see that in any book. #books", likes: "ambrose walt holmes"},
		{ago: 8*h + 30*m, by: "ada", text: "Every smudge in this picture is a galaxy. I got to 340 before the tea went cold. #numbers", likes: "wren walt holmes ishmael lizzy", boosts: "walt", pictures: []string{"galaxies"}},
		{ago: 8 * h, by: "jane", seen: linnet.Private, text: "He has called again. I shall say no more about it here.", likes: "lizzy"},
		{key: "neighbour", ago: 7 * h, by: "ambrose", text: "One whom we are commanded to love as ourselves, and who does all he knows how to make us disobedient.", likes: "lizzy huck pepys ada wren", boosts: "lizzy huck"},
		{ago: 6*h + 40*m, by: "lizzy", quotes: "neighbour", text: "He has met Mr. Collins, then.", likes: "ambrose wren pepys watson", boosts: "wren"},
		{ago: 6 * h, by: "ada", text: "@stacks Counted the card catalogue twice. We own one more book than exists.", likes: "wren watson"},
		{ago: 5*h + 30*m, by: "wren", quotes: "chart", text: "This is why Ada gets her own desk. The printed version hangs by the door. #books", likes: "ada ishmael lizzy"},
		{ago: 5 * h, by: "ishmael", warning: "Blubber", text: "That blubber is something of the consistence of firm, close-grained beef, but tougher, more elastic and compact, and ranges from eight or ten to twelve and fifteen inches in thickness.", likes: "ada"},
		{key: "next", ago: 4*h + 20*m, by: "wren", text: "@reading_room What shall we read after the whale? The poll is open until Sunday. #books", likes: "lizzy ada walt",
			poll: &demoPoll{3, [][2]string{{"The Moonstone", "watson huck ada pepys"}, {"Emma", "jane lizzy"}, {"Frankenstein", "ishmael walt ambrose"}, {"Gulliver’s Travels", "holmes"}}}},
		{ago: 4 * h, by: "ishmael", text: "@reading_room Three days of chase to the end. Lay in candles, and someone sit with @walt.", likes: "walt lizzy wren"},
		{ago: 3*h + 20*m, by: "pepys", text: "By water to the Bridge, a fine clear evening, and nothing in the world to be seen but boats.", likes: "watson wren lizzy", pictures: []string{"thames"}},
		{key: "morning", ago: 2*h + 40*m, by: "wren", text: "Before we open: coffee, a visitor who doesn’t pay fines, and the herb bed, already busy.", likes: "lizzy ada walt jane watson huck", boosts: "lizzy",
			pictures: []string{"coffee", "cat", "bee"}},
		{ago: 2*h + 31*m, by: "jane", to: "morning", text: "@wren Please tell the visitor that I found the ribbon.", likes: "wren lizzy"},
		{key: "linnet", ago: 100 * m, by: "wren", text: "A linnet on the gate this morning, singing as if it hadn’t heard about the weather. Forty seconds without a breath. I counted. The plate is from the natural history shelf. #birds", likes: "walt ada lizzy",
			boosts: "walt", pictures: []string{"linnet"}},
		{ago: 50 * m, by: "wren", text: "@notices Closed on Sunday until noon: the roof again. Bring nothing that minds water."},
		{ago: 41 * m, by: "ambrose", text: "Dust shaken out of a book into an empty skull.", likes: "lizzy wren"},
		{ago: 4 * m, by: "huck", text: "It’s lovely to live on a raft. We had the sky up there, all speckled with stars, and we used to lay on our backs and look up at them.", likes: "walt wren ishmael ada lizzy", boosts: "wren",
			pictures: []string{"raft"}},
		{ago: 24 * m, by: "walt", text: "And I have dream’d that the purpose and essence of the known life, the transient, Is to form and decide identity for the unknown life, the permanent.", likes: "huck", boosts: "ada"},
		{ago: 11 * m, by: "lizzy", text: "A little sea-bathing would set me up forever, says Mamma. @ishmael, what do you charge?", likes: "wren ishmael"},
		{ago: 33 * m, by: "huck", text: "I reckon I ain’t dressed fitten for a pirate, but I ain’t got none but these.", likes: "walt"},
	}
}

// demoMessages returns the direct messages and the posts in chats.
func demoMessages() []demoPost {
	const h, m = time.Hour, time.Minute
	return []demoPost{
		{ago: 3*h + 10*m, by: "lizzy", seen: linnet.Direct, text: "@supper Sunday at seven? Papa promises to come out of the library for the pudding."},
		{ago: 3*h + 2*m, by: "pepys", seen: linnet.Direct, text: "@supper With all my heart. I shall bring the venison pasty."},
		{ago: 2*h + 55*m, by: "jane", seen: linnet.Direct, text: "@supper Is Mr. Holmes coming? I must set the table so that he can’t see the silver."},
		{ago: 2*h + 48*m, by: "watson", seen: linnet.Direct, text: "@supper He says that he is busy, and asks whether there will be pudding."},
		{ago: 2*h + 45*m, by: "lizzy", seen: linnet.Direct, text: "@supper Then that is six. @wren, you too, and bring the plan of the window!"},
		{ago: 2*h + 20*m, by: "wren", seen: linnet.Direct, text: "@supper I’ll be there, with the plan and a lemon cake."},
		{ago: 2 * h, by: "ada", seen: linnet.Direct, text: "@wren The catalogue agrees with the shelves now, except for one book. Do you want the good news first?"},
		{ago: 70 * m, by: "holmes", seen: linnet.Direct, text: "@wren A man in a grey coat has borrowed the same atlas three times and opened it once. Kindly keep page 94 for me."},
		{key: "atlas", ago: 64 * m, by: "wren", seen: linnet.Direct, text: "@holmes It’s gone already. There is sand in the binding, though."},
		{ago: 63 * m, by: "holmes", seen: linnet.Direct, to: "atlas", text: "@wren Excellent. Touch nothing."},
		{ago: 62 * m, by: "watson", seen: linnet.Direct, text: "@atlas_case Holmes asks me to say that he hasn’t asked me to say anything. Is page 94 still gone?"},
		{ago: 58 * m, by: "wren", seen: linnet.Direct, text: "@atlas_case Gone, with a very clean cut. This is the copy that we took for the insurance.", pictures: []string{"atlas"}},
		{ago: 57 * m, by: "wren", seen: linnet.Direct, text: "@atlas_case The reader before the grey coat took out a book on sails."},
		{ago: 55 * m, by: "holmes", seen: linnet.Direct, text: "@atlas_case Then he didn’t want the map, but what is printed on its back."},
		{ago: 53 * m, by: "watson", seen: linnet.Direct, text: "@atlas_case And what is?"},
		{ago: 52 * m, by: "holmes", seen: linnet.Direct, text: "@atlas_case The tides. Meet me by the globe at four. Watson, bring the large scissors."},
	}
}
