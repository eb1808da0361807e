package web

import (
	"fmt"
	"slices"
	"testing"
)

// point is one thing that people may expect of the pages, with what proves it.
type point struct {
	number int
	says   string
	proofs []proof
}

type proof struct {
	name string
	run  func(*testing.T)
}

// points are what the pages promise, and each is proved by its row alone: in
// Chromium where a browser decides, by plain HTTP where that is enough. The numbers
// stay as they are once given. There are no rows for what concerns uploads, which
// the pages do not have: 10 (texts of pictures), 27 (progress and cancelling), and
// the pictures within 4, 9 and 17.
func points(all *tour) []point {
	return slices.Concat(pointsOfPages(all), pointsOfReading(), pointsOfLooks(), pointsOfTrust())
}

func pointsOfPages(all *tour) []point {
	return []point{
		{1, "every page has its status, language, title, one h1, a skip link first, and no fault that axe finds", []proof{
			{"documents", everyPageIsADocument}, {"axe", accessible}, {"touch", all.finds(untouched)}, {"skip link", skipLinkComesFirst}}},
		{2, "no page is wider than the window, from 320 to 1280 px", []proof{{"widths", all.finds(tooWide)}}},
		{3, "no page makes the browser complain", []proof{
			{"pages", all.finds(complaints)}, {"breaches", breachesAreHeard}}},
		{4, "without scripts everything can be done", []proof{{"a day", dayWithoutScripts}}},
		{5, "the counter counts as the server, and what is too long is refused with the text kept", []proof{
			{"counter", counterCounts}, {"refusal", refusedPostKeepsTheText}, {"typed", refusedTextStaysTyped}}},
		{6, "a draft survives a reload and a failed send", []proof{
			{"reload", draftOutlivesReload}, {"failure", draftOutlivesFailure}}},
		{7, "Ctrl+Enter sends once, a form sent twice makes one post, and the first click or tap on the button sends", []proof{
			{"key", ctrlEnterSendsOnce}, {"form", postFromHome}, {"offer", offerLeavesTheButton}}},
		{8, "a reply is never more public than what it answers unless its writer chooses so", []proof{{"forms", replyIsNoMorePublic}}},
		{9, "a warning hides the text, and opens by keyboard", []proof{{"keyboard", warningByKeyboard}}},
	}
}

func pointsOfReading() []point {
	return []point{
		{11, "a post in another tab is told of, moves nothing, and comes when asked for", []proof{{"tabs", otherTabIsTold}}},
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
		{26, "the cookie of the log-in is kept from scripts and other sites, and ends with the session", []proof{
			{"cookies", cookiesAreKept}, {"log-out", logOutEnds}, {"revoked", endSessions}}},
		{28, "every time has its datetime and title", []proof{{"times", timesAreExact}}},
		{29, "texts go their own way, a page from right to left is mirrored, and an English one is not", []proof{
			{"texts", textsGoTheirWay}, {"English", englishIsNotMirrored}, {"mirror", languageMirrors}, {"style", styleNamesNoSides}}},
		{30, "charts have a role, a name and their numbers in a table", []proof{{"overview", adminCharts}, {"heard", chartsAreHeard}}},
		{31, "on paper there is no navigation, and links can be read", []proof{{"paper", paperReads}}},
		{32, "the pictures of the README and of docs/views.md are taken in light and dark by one run", []proof{{"pictures", picturesAreTaken}, {"views", viewsAreShown}}},
		{33, "the policy allows what pages need, and only the embed page may be framed", []proof{
			{"headers", headersProtect}, {"embed", onlyEmbedIsFramed}}},
		{34, "the set-up link works once, for 30 minutes, and makes one administrator", []proof{
			{"once", setUpOnce}, {"late", setUpLate}, {"at once", setUpAtOnce}}},
		{35, "whatever is asked wrongly is answered with a page that leads on", []proof{{"errors", errorPagesLeadOn}}},
		{36, "the budgets hold", []proof{
			{"files", budgetsOfFiles}, {"home", homeIsLight}, {"style", styleIsLight}, {"browser", budgetsOfBrowser}, {"server", budgetsOfServer}}},
	}
}

// TestAcceptance runs the points: go test -run 'Acceptance/07' proves the seventh.
func TestAcceptance(t *testing.T) {
	last := 0
	for _, p := range points(&tour{t: t}) {
		if p.number <= last || p.says == "" || len(p.proofs) == 0 {
			t.Errorf("point %d is out of order, or is not proved", p.number)
		}
		last = p.number
		t.Run(fmt.Sprintf("%02d_%s", p.number, p.says), func(t *testing.T) {
			for _, how := range p.proofs {
				t.Run(how.name, how.run)
			}
		})
	}
}
