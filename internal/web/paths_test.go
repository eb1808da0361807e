package web_test

import (
	"net/url"

	"linnet/internal/linnet"
)

// The functions below return paths of pages.

func postPath(s linnet.StatusView) string { return "/@" + s.By.Login + "/" + s.ID.String() }

func historyPath(s linnet.StatusView) string { return postPath(s) + "/history" }

func filePath(name string) string { return "/media/" + name }

func linkPath(link string) string { return "/links?" + url.Values{"url": {link}}.Encode() }

func rolePath(id linnet.ID) string { return "/admin/roles/" + id.String() }

func userPath(login string) string { return "/admin/users/" + login }
