package web_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
)

// point is one requirement of the web UI with its tests.
type point struct {
	number int
	says   string
	proofs []proof
}

type proof struct {
	name string
	run  func(*testing.T)
}

// points returns the requirements of the web UI by number, each with its own tests. A browser test is
// used only if plain HTTP is not enough. Numbers never change.
func points(all *tour) []point {
	ps := slices.Concat(pointsOfPages(all), pointsOfReading(), pointsOfLooks(), pointsOfTrust(), pointsOfPosts(), pointsOfPlaces(), pointsOfReaders(), pointsOfPictures(), pointsOfWelcome(), pointsOfGroups(), pointsOfWriting(), pointsOfThreads(), pointsOfFrame(), pointsOfTimelines(), pointsOfAccounts(), pointsOfStaff())
	slices.SortFunc(ps, func(a, b point) int { return cmp.Compare(a.number, b.number) })
	return ps
}

func pointsOfPages(all *tour) []point {
	return []point{
		{1, "every page has a status, language, title, one h1 and a skip link, and passes axe", []proof{
			{"documents", everyPageIsADocument}, {"axe", accessible}, {"touch", all.finds(untouched)}, {"skip link", skipLinkComesFirst}}},
		{2, "no page is wider than the window, from 320 to 1920 px", []proof{{"widths", all.finds(tooWide)}}},
		{3, "no page logs errors in the browser console", []proof{
			{"pages", all.finds(complaints)}, {"breaches", breachesAreReported}}},
		{4, "everything works without JavaScript", []proof{{"a day", dayWithoutScripts}}},
		{5, "the character counter agrees with the server, and a text that is too long stays in the form", []proof{
			{"counter", counterCounts}, {"refusal", refusedPostKeepsTheText}, {"typed", refusedTextStaysTyped}}},
		{6, "drafts survive a reload and a failed request", []proof{
			{"reload", draftOutlivesReload}, {"failure", draftOutlivesFailure}, {"while sending", textTypedWhileSendingStays}}},
		{7, "Ctrl+Enter posts once, a form sent twice creates one post, and the first click on the button posts", []proof{
			{"key", ctrlEnterSendsOnce}, {"form", postFromHome}, {"offer", offerLeavesTheButton}, {"renewed", composerIsRenewed}, {"message", messageComposerWorks}}},
		{8, "a reply is not more public than its parent unless the author chooses so", []proof{{"forms", replyIsNoMorePublic}}},
		{9, "a content warning hides the post and can be opened with the keyboard", []proof{{"keyboard", warningByKeyboard}}},
		{10, "pictures have their alt texts, and missing ones are marked", []proof{
			{"pages", picturesHavePages}, {"gallery", picturesHaveTexts}}},
	}
}

func pointsOfReading() []point {
	return []point{
		{11, "posts from another tab are announced, do not move the page, and appear on request", []proof{
			{"tabs", otherTabIsNotified}, {"twice", newPostsComeOnce}}},
		{12, "a restart loses no posts and announces none twice", []proof{{"restart", restartLosesNothing}}},
		{13, "keyboard shortcuts move between posts, are off in text fields, and are listed in a dialog", []proof{{"keys", keysMove}}},
		{14, "post actions toggle without leaving the page, and work without JavaScript", []proof{
			{"acts", actsStay}, {"forms", actsOnStatuses}}},
		{15, "Load more appends and focuses posts, each page has a URL, and Back returns to the same post", []proof{
			{"more", loadMore}, {"back", backToTheSamePost}}},
	}
}

func pointsOfLooks() []point {
	return []point{
		{16, "colours follow the system or the setting and have enough contrast", []proof{{"colours", coloursFollow}}},
		{17, "nothing is animated with reduced motion", []proof{{"motion", nothingMoves}}},
		{18, "buttons have borders with forced colours", []proof{{"edges", edgesWithForcedColours}}},
		{19, "nothing is cut off with zoom or larger text spacing", []proof{{"enlarged", enlargedNothingIsCut}}},
	}
}

func pointsOfTrust() []point {
	return []point{
		{20, "a deleted post has a page that says so, but only for those who could see it", []proof{
			{"readers", statusIsForItsReaders}, {"deleted", deletedPostsSay}}},
		{21, "link previews have absolute URLs and reveal neither hidden nor private posts", []proof{{"heads", headsTell}}},
		{22, "feeds are valid, contain only public posts, end when the author turns them off, and support 304", []proof{
			{"formats", feedsTell}, {"end", feedsEndAndStay}}},
		{23, "a private server shows visitors only the pages to log in and sign up", []proof{{"pages", privatePagesLeadToLogIn}}},
		{24, "HTML and scripts in user texts are shown as text", []proof{
			{"browser", hostileTextInBrowser}, {"documents", hostileTextOnPages}, {"pages", typedTextStaysText}}},
		{25, "forms without a valid token and from other sites are rejected", []proof{
			{"foreign", foreignForms}, {"every route", everyPostNeedsToken}}},
		{26, "the session cookie is HttpOnly and SameSite, and expires with the session", []proof{
			{"cookies", cookiesAreProtected}, {"log-out", logOutEnds}, {"revoked", endSessions}}},
		{27, "uploads show their progress, can be cancelled, and keep the typed text", []proof{
			{"progress", uploadCanBeCancelled}, {"ways", uploadsStay}, {"refusal", refusedUploadKeepsTheText},
			{"connection", uploadWithoutItsModule}, {"removal", removedStaysRemoved}}},
		{28, "every time has a datetime attribute and a title", []proof{{"times", timesAreExact}}},
		{29, "right-to-left texts and pages are laid out correctly", []proof{
			{"texts", textsGoTheirWay}, {"English", englishIsNotMirrored}, {"mirror", languageMirrors}, {"cut names", latinNamesAreCutAtTheirEnds}, {"style", styleNamesNoSides}}},
		{30, "charts have a role, a name and a table of their values", []proof{{"overview", adminCharts}, {"accessibility tree", chartsAreAccessible}}},
		{31, "printed pages have no navigation and show link addresses", []proof{{"paper", paperReads}}},
		{32, "screenshots for the README and docs/views.md are taken in light and dark colours", []proof{{"pictures", picturesAreTaken}, {"views", viewsAreShown}}},
		{33, "the content security policy allows what pages need, and only embeds can be framed", []proof{
			{"headers", headersProtect}, {"embed", onlyEmbedIsFramed}}},
		{34, "the setup link works once, for 30 minutes, and creates one administrator", []proof{
			{"once", setUpOnce}, {"late", setUpLate}, {"at once", setUpAtOnce}}},
		{35, "error pages explain the error and link back", []proof{{"errors", errorPagesLeadOn}}},
		{36, "pages stay within their budgets", []proof{
			{"files", budgetsOfFiles}, {"first visit", firstVisitIsLight}, {"home", homeIsLight}, {"style", styleIsLight}, {"browser", budgetsOfBrowser}, {"server", budgetsOfServer}}},
	}
}

func pointsOfPosts() []point {
	return []point{
		{37, "replies are indented below their parents and connected by lines", []proof{
			{"tree", threadsAreTrees}, {"chains", longChainsTakeFewPages}, {"pages", longThreadGoesOn}, {"lines", answersAreIndented}}},
		{38, "long lists of replies without reactions are collapsed with avatars and a count, and open without JavaScript", []proof{
			{"choice", quietAnswersAreFolded}, {"fold", foldsOpen}}},
		{39, "home shows reply parents and boosters, and no post twice", []proof{
			{"cards", conversationsShareACard}, {"boosts", boostedByMany}, {"names", homeSaysWhomPostsAnswer}}},
		{40, "long posts are collapsed but complete in the page, and posts of a few emoji are large", []proof{
			{"text", longTextsAreFolded}, {"fold", longPostsOpen}}},
		{41, "one to four pictures fill a grid, and those with alt text have a badge", []proof{{"grid", picturesFillTheirFrame}}},
		{42, "quotes, polls and link previews have a frame within the post", []proof{
			{"previews", previewsTell}, {"polls", pollByForms}, {"frames", framesAreInPosts}}},
		{43, "an edited post is marked and links to its history", []proof{
			{"forms", editByForms}, {"history", editedPostsLeadToTheirHistory}}},
		{44, "post actions are aligned, show their state, and update their counts at once", []proof{
			{"grid", actionsShareOneGrid}, {"press", pressedActionsShow}}},
	}
}

func pointsOfPlaces() []point {
	return []point{
		{45, "a conversation ends with the newest message and the composer, and is marked as read when opened", []proof{
			{"forms", conversationWithoutScripts}, {"live", conversationIsLive}, {"columns", conversationsAreNextToTheList}}},
		{46, "a message can be sent to one or several people without JavaScript", []proof{
			{"forms", newMessageWithoutScripts}, {"several", groupConversations}}},
		{47, "follow and group requests can be accepted or declined wherever they appear", []proof{
			{"followers", followRequestsOnPages}, {"groups", groupRequestsOnPages}, {"places", requestsAreAnsweredWhereTheyAppear}}},
		{48, "notifications are grouped with avatars and an excerpt, and can be filtered by type", []proof{
			{"forms", noticesWithoutScripts}, {"rows", noticesHaveFacesAndExcerpts}}},
		{49, "unread counts are correct on every page", []proof{
			{"reading", readingMarksRead}, {"messages", unreadMessagesCount}, {"everywhere", badgesAreTrue}}},
		{50, "the navigation has at most nine entries, and New post is visible at any height", []proof{
			{"places", navigationHasNine}, {"scrolled", newPostStaysInView}}},
		{51, "every icon has a label or title at every width, and wide windows are used", []proof{
			{"words", menusFit}, {"titles", signsHaveWords}, {"side", wideWindowsAreUsed}}},
		{52, "settings and administration have a menu, and a search that finds every page and setting", []proof{
			{"panes", panesAreLaidOut}, {"typing", menuIsFiltered}, {"pages", everyPageIsInTheMenu}, {"settings", everySettingIsFound}, {"search", menuIsSearched}}},
		{53, "tables become cards on phones, Save stays visible, and feeds are created with menus", []proof{
			{"cards", tablesAreCards}, {"words", tablesKeepWords}, {"save", saveStaysInView}, {"feeds", ownFeedWithoutScripts}}},
		{54, "a profile has a banner, fields, media, and followers you know", []proof{
			{"media", mediaOfSomebody}, {"verified", verifiedLinks}, {"featured", featuredOnProfiles}, {"common", followersWhomOneKnows}, {"parts", profilesHaveTheirParts}}},
		{55, "the front page shows the server, not the software", []proof{{"parts", frontPageTells}, {"window", frontPageShowsTheServer}}},
		{56, "the composer is the same everywhere, with labelled menus, a counter, and a reminder about missing alt texts", []proof{
			{"tools", composerWithoutScripts}, {"fields", composerTakesEveryField}, {"question", undescribedIsAskedAbout}, {"everywhere", composerIsOne}}},
	}
}

func pointsOfReaders() []point {
	return []point{
		{57, "drafts are on every device, and typed text survives every error", []proof{
			{"devices", draftOnTwoDevices}, {"leaving", draftOutlivesLeaving}, {"forms", everyFormGivesBack}, {"log-out", outdatedPostSurvivesLogOut},
			{"log-out in a browser", outdatedPostSurvivesLogOutInBrowser}, {"failures", textOutlivesFailures}}},
		{58, "times are in the reader's time zone, with and without JavaScript", []proof{
			{"choice", timesInTheReadersZone}, {"browser", zoneOfTheBrowser}}},
		{59, "pages use the language of the account or browser and fit the window in it", []proof{
			{"reader", languageOfAReader}, {"choice", languageIsChosen}, {"mirror", arabicIsMirrored}, {"widths", pagesFitInTheirLanguages}}},
		{60, "pages are accessible in Arabic, by keyboard, with screen readers and in older browsers", []proof{
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
