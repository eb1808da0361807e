package web_test

func pointsOfAccounts() []point {
	return []point{
		{80, "one browser can hold several accounts, and the installed app is a share target", []proof{
			{"switcher", severalAccounts}, {"ended sessions", endedAccountsDisappear}, {"forms", formsKeepTheirAccount}, {"browser", accountsInBrowser}, {"share target", shareTarget}, {"sharing", shareInBrowser}}},
	}
}
