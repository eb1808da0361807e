package web_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
)

// point is one promise of the web UI with its proofs.
type point struct {
	number int
	says   string
	proofs []proof
}

type proof struct {
	name string
	run  func(*testing.T)
}

// points returns the promises of the web UI by number, each with its own proofs. A browser test is
// used only if plain HTTP is not enough. Numbers never change.
func points(all *tour) []point {
	ps := slices.Concat(pointsOfPages(all), pointsOfReading(), pointsOfLooks(), pointsOfTrust(), pointsOfPosts(), pointsOfPlaces(), pointsOfReaders(), pointsOfPictures(), pointsOfWelcome(), pointsOfGroups(), pointsOfWriting(), pointsOfThreads(), pointsOfFrame(), pointsOfTimelines(), pointsOfAccounts(), pointsOfStaff())
	slices.SortFunc(ps, func(a, b point) int { return cmp.Compare(a.number, b.number) })
	return ps
}

func pointsOfPages(all *tour) []point {
	return []point{
		{1, "every page has its status, language, title, one h1, a skip link first, and no fault that axe finds", []proof{
			{"documents", everyPageIsADocument}, {"axe", accessible}, {"touch", all.finds(untouched)}, {"skip link", skipLinkComesFirst}}},
		{2, "no page is wider than the window, from 320 to 1920 px", []proof{{"widths", all.finds(tooWide)}}},
		{3, "no page makes the browser complain", []proof{
			{"pages", all.finds(complaints)}, {"breaches", breachesAreReported}}},
		{4, "without scripts everything can be done", []proof{{"a day", dayWithoutScripts}}},
		{5, "the counter counts as the server, and what is too long is refused with the text kept", []proof{
			{"counter", counterCounts}, {"refusal", refusedPostKeepsTheText}, {"typed", refusedTextStaysTyped}}},
		{6, "a draft survives a reload and a failed send", []proof{
			{"reload", draftOutlivesReload}, {"failure", draftOutlivesFailure}, {"while sending", textTypedWhileSendingStays}}},
		{7, "Ctrl+Enter sends once, a form sent twice makes one post, and the first click or tap on the button sends", []proof{
			{"key", ctrlEnterSendsOnce}, {"form", postFromHome}, {"offer", offerLeavesTheButton}, {"renewed", composerIsRenewed}, {"message", messageComposerWorks}}},
		{8, "a reply is never more public than what it answers unless its writer chooses so", []proof{{"forms", replyIsNoMorePublic}}},
		{9, "a warning hides the text, and opens by keyboard", []proof{{"keyboard", warningByKeyboard}}},
		{10, "pictures have the texts that their authors gave them, and say so where there is none", []proof{
			{"pages", picturesHavePages}, {"gallery", picturesHaveTexts}}},
	}
}

func pointsOfReading() []point {
	return []point{
		{11, "a post in another tab is told of, moves nothing, and comes when asked for", []proof{{"tabs", otherTabIsNotified}}},
		{12, "a restarted server loses nothing that was posted, and tells nothing twice", []proof{{"restart", restartLosesNothing}}},
		{13, "keys move through posts, leave writers alone, and are listed in a dialog", []proof{{"keys", keysMove}}},
		{14, "acts on posts toggle without leaving the page, and do the same without scripts", []proof{
			{"acts", actsStay}, {"forms", actsOnStatuses}}},
		{15, "more is appended and focused, each page has an address, and back leads to the same post", []proof{
			{"more", loadMore}, {"back", backToTheSamePost}}},
	}
}

func pointsOfLooks() []point {
	return []point{
		{16, "colours follow the system or the choice, and texts stand out in them", []proof{{"colours", coloursFollow}}},
		{17, "nothing moves for who does not want it", []proof{{"motion", nothingMoves}}},
		{18, "with forced colours buttons have edges", []proof{{"edges", edgesWithForcedColours}}},
		{19, "enlarged, or with wider text, nothing is cut", []proof{{"enlarged", enlargedNothingIsCut}}},
	}
}

func pointsOfTrust() []point {
	return []point{
		{20, "a deleted post leaves a page that says so, and who might not see it cannot tell it from none", []proof{
			{"readers", statusIsForItsReaders}, {"deleted", deletedPostsSay}}},
		{21, "cards have absolute addresses, and tell nothing behind a warning or of private posts", []proof{{"heads", headsTell}}},
		{22, "feeds parse, hold public posts only, end when their author says so, and answer 304", []proof{
			{"formats", feedsTell}, {"end", feedsEndAndStay}}},
		{23, "a private installation shows strangers nothing but the ways in", []proof{{"pages", privatePagesLeadToLogIn}}},
		{24, "hostile texts stay texts", []proof{
			{"browser", hostileTextInBrowser}, {"documents", hostileTextOnPages}, {"pages", typedTextStaysText}}},
		{25, "a form without its token or from another site is refused", []proof{
			{"foreign", foreignForms}, {"every route", everyPostNeedsToken}}},
		{26, "the login cookie is hidden from scripts and other sites, and ends with the session", []proof{
			{"cookies", cookiesAreProtected}, {"log-out", logOutEnds}, {"revoked", endSessions}}},
		{27, "an upload shows how far it is, can be cancelled, and takes nothing from the text", []proof{
			{"progress", uploadCanBeCancelled}, {"ways", uploadsStay}, {"refusal", refusedUploadKeepsTheText},
			{"connection", uploadWithoutItsModule}, {"removal", removedStaysRemoved}}},
		{28, "every time has its datetime and title", []proof{{"times", timesAreExact}}},
		{29, "texts go their own way, a page from right to left is mirrored, and an English one is not", []proof{
			{"texts", textsGoTheirWay}, {"English", englishIsNotMirrored}, {"mirror", languageMirrors}, {"cut names", latinNamesAreCutAtTheirEnds}, {"style", styleNamesNoSides}}},
		{30, "charts have a role, a name and their numbers in a table", []proof{{"overview", adminCharts}, {"accessibility tree", chartsAreAccessible}}},
		{31, "on paper there is no navigation, and links can be read", []proof{{"paper", paperReads}}},
		{32, "the pictures of the README and of docs/views.md are taken in light and dark by one run", []proof{{"pictures", picturesAreTaken}, {"views", viewsAreShown}}},
		{33, "the policy allows what pages need, and only the embed page may be framed", []proof{
			{"headers", headersProtect}, {"embed", onlyEmbedIsFramed}}},
		{34, "the setup link works once, for 30 minutes, and makes one administrator", []proof{
			{"once", setUpOnce}, {"late", setUpLate}, {"at once", setUpAtOnce}}},
		{35, "whatever is asked wrongly is answered with a page that leads on", []proof{{"errors", errorPagesLeadOn}}},
		{36, "the budgets hold", []proof{
			{"files", budgetsOfFiles}, {"first visit", firstVisitIsLight}, {"home", homeIsLight}, {"style", styleIsLight}, {"browser", budgetsOfBrowser}, {"server", budgetsOfServer}}},
	}
}

func pointsOfPosts() []point {
	return []point{
		{37, "answers stand below what they answer, indented by level and led to by lines", []proof{
			{"tree", threadsAreTrees}, {"chains", longChainsTakeFewPages}, {"pages", longThreadGoesOn}, {"lines", answersAreIndented}}},
		{38, "many answers that nobody reacted to are folded, with faces and a count, and open without scripts", []proof{
			{"choice", quietAnswersAreFolded}, {"fold", foldsOpen}}},
		{39, "home says whom a post answers and who boosted it, and shows nothing twice", []proof{
			{"cards", conversationsShareACard}, {"boosts", boostedByMany}, {"names", homeSaysWhomPostsAnswer}}},
		{40, "a long post is folded with all its text in the page, and a few emoji are large", []proof{
			{"text", longTextsAreFolded}, {"fold", longPostsOpen}}},
		{41, "one to four pictures fill a frame of their own, and those with a text are marked", []proof{{"grid", picturesFillTheirFrame}}},
		{42, "quotes, polls and previews of links stand framed within their post", []proof{
			{"previews", previewsTell}, {"polls", pollByForms}, {"frames", framesAreInPosts}}},
		{43, "an edited post says so and leads to what it said before", []proof{
			{"forms", editByForms}, {"history", editedPostsLeadToTheirHistory}}},
		{44, "the actions of all posts stand on one grid; pressed ones look so, and their numbers move at once", []proof{
			{"grid", actionsShareOneGrid}, {"press", pressedActionsShow}}},
	}
}

func pointsOfPlaces() []point {
	return []point{
		{45, "a conversation has the newest below, the composer below that, and is read when it opens", []proof{
			{"forms", conversationWithoutScripts}, {"live", conversationIsLive}, {"columns", conversationsAreNextToTheList}}},
		{46, "a new message goes to people who are chosen without scripts, one or several", []proof{
			{"forms", newMessageWithoutScripts}, {"several", groupConversations}}},
		{47, "requests are accepted or declined wherever they appear", []proof{
			{"followers", followRequestsOnPages}, {"groups", groupRequestsOnPages}, {"places", requestsAreAnsweredWhereTheyAppear}}},
		{48, "notifications stand together with faces and an excerpt, and chips choose among them", []proof{
			{"forms", noticesWithoutScripts}, {"rows", noticesHaveFacesAndExcerpts}}},
		{49, "the number of what is unread is true on every page", []proof{
			{"reading", readingMarksRead}, {"messages", unreadMessagesCount}, {"everywhere", badgesAreTrue}}},
		{50, "the navigation has at most nine entries, and New post is in view at any height", []proof{
			{"places", navigationHasNine}, {"scrolled", newPostStaysInView}}},
		{51, "every sign has its word or a title at every width, and wide windows are used", []proof{
			{"words", menusFit}, {"titles", signsHaveWords}, {"side", wideWindowsAreUsed}}},
		{52, "settings and administration have two panes, and a search that finds every page and setting", []proof{
			{"panes", panesAreLaidOut}, {"typing", menuIsFiltered}, {"pages", everyPageIsInTheMenu}, {"settings", everySettingIsFound}, {"search", menuIsSearched}}},
		{53, "tables are cards on phones, one Save is in view, and feeds are made by choosing", []proof{
			{"cards", tablesAreCards}, {"words", tablesKeepWords}, {"save", saveStaysInView}, {"feeds", ownFeedWithoutScripts}}},
		{54, "a profile has a banner, its fields side by side, its media, and what one has in common", []proof{
			{"media", mediaOfSomebody}, {"verified", verifiedLinks}, {"featured", featuredOnProfiles}, {"common", followersWhomOneKnows}, {"parts", profilesHaveTheirParts}}},
		{55, "the front page shows the place and not the software", []proof{{"parts", frontPageTells}, {"window", frontPageShowsTheServer}}},
		{56, "the composer is the same everywhere, with menus in words, a ring that counts, and a question about pictures without a text", []proof{
			{"tools", composerWithoutScripts}, {"fields", composerTakesEveryField}, {"question", undescribedIsAskedAbout}, {"everywhere", composerIsOne}}},
	}
}

func pointsOfReaders() []point {
	return []point{
		{57, "nothing typed is lost: drafts are on every device, and texts outlive every failure", []proof{
			{"devices", draftOnTwoDevices}, {"leaving", draftOutlivesLeaving}, {"forms", everyFormGivesBack}, {"log-out", outdatedPostSurvivesLogOut},
			{"log-out in a browser", outdatedPostSurvivesLogOutInBrowser}, {"failures", textOutlivesFailures}}},
		{58, "times are those of the reader's zone, with and without scripts", []proof{
			{"choice", timesInTheReadersZone}, {"browser", zoneOfTheBrowser}}},
		{59, "pages speak the language of the account or the browser, and fit into the window in it", []proof{
			{"reader", languageOfAReader}, {"choice", languageIsChosen}, {"mirror", arabicIsMirrored}, {"widths", pagesFitInTheirLanguages}}},
		{60, "all of it is for everybody: axe finds nothing in Arabic either, controls have names, changes are read out, older browsers do", []proof{
			{"axe", arabicIsAccessible}, {"messages", chatIsAccessible}, {"groups", groupsAreAccessible}, {"names", controlsHaveNames}, {"keyboard", keysReachControls},
			{"changes", changesAreReadOut}, {"frames", framesHold}, {"older", olderBrowsers}, {"styles", stylesFitOlderBrowsers}}},
	}
}

// alone are the points that measure times, or share the tour of all pages. The other points run in
// parallel.
var alone = []int{1, 2, 3, 36}

// inShort are the points that use a browser even with -short: writing, sending, updates and actions.
var inShort = []string{"06", "07", "11", "14"}

// TestAcceptance proves the points. For example, go test -run 'Acceptance/07' proves the seventh.
func TestAcceptance(t *testing.T) {
	last := 0
	for _, p := range points(&tour{t: t}) {
		if p.number <= last || p.says == "" || len(p.proofs) == 0 {
			t.Errorf("point %d exists twice, or is not proved", p.number)
		}
		last = p.number
		t.Run(fmt.Sprintf("%02d_%s", p.number, p.says), func(t *testing.T) {
			if !slices.Contains(alone, p.number) {
				t.Parallel()
			}
			for _, how := range p.proofs {
				t.Run(how.name, how.run)
			}
		})
	}
}
