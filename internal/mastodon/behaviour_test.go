package mastodon_test

import (
	"slices"
	"testing"

	"linnet/internal/core"
	"linnet/internal/mastodon"
)

// scenario is a sequence of steps in a new installation.
type scenario struct {
	name   string
	people string     // logins, one letter of difference is enough: "ann bob"
	rates  core.Rates // the zero value: no limits
	young  bool       // the limits of new accounts hold
	steps  []step
}

// TestBehaviour runs every scenario over every engine: what a client sees does
// not depend on the engine.
func TestBehaviour(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, open opener) {
		for _, sc := range slices.Concat(httpScenarios(), oauthScenarios(), instanceScenarios(), accountScenarios(),
			statusScenarios(), timelineScenarios(), listScenarios(), collectionScenarios(), rankScenarios(), catchUpScenarios(), ownFeedScenarios(), filterScenarios(), notificationScenarios(), noticeScenarios(), searchScenarios(), faultScenarios(), moderationScenarios(), strikeScenarios(),
			conversationScenarios(), blockScenarios(), oembedScenarios(), registerScenarios(), groupScenarios(), inviteScenarios(), newcomerScenarios(), exploreScenarios(), startScenarios(), mediaScenarios(), pollScenarios(), scheduledScenarios(), followedTagScenarios(), editScenarios(), quoteScenarios(), pushScenarios(), emojiScenarios(), announcementScenarios(), emailScenarios(), languageScenarios(), readingScenarios(), signUpBlockScenarios()) {
			t.Run(sc.name, func(t *testing.T) {
				rates := sc.rates
				if rates == (core.Rates{}) {
					rates = core.Unlimited()
				}
				newLimitedWorld(t, open(t), mastodon.Options{}, rates, sc.young, logins(sc.people)...).run(sc.steps)
			})
		}
	})
}
