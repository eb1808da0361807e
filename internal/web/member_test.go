package web_test

// smallTargets returns controls lower than 24 px. Visually hidden controls and links within texts
// do not count.
const smallTargets = `[...document.querySelectorAll('a, button, summary, select, input:not([type=hidden])')]
	.filter(e => e.checkVisibility() && !e.closest('.unseen, .skip, .text') && e.getBoundingClientRect().height < 23.9 && e.getBoundingClientRect().height > 1)
	.map(e => e.outerHTML.slice(0, 90) + ' ' + e.getBoundingClientRect().height).slice(0, 5).join(' | ')`

// scheme emulates a light or dark system.
func (tb *tab) scheme(name string) {
	tb.t.Helper()
	tb.media("", "prefers-color-scheme: "+name)
}

// logIn submits the login form.
func (tb *tab) logIn(w *world, login string) {
	tb.t.Helper()
	tb.open(w.base + "/login")
	tb.typeInto("#login", login)
	tb.typeInto("#password", password)
	tb.loads(func() { tb.eval("document.querySelector('.card button').click()") })
}
