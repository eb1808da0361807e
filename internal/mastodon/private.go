package mastodon

// openInPrivate returns the routes that a private server serves without a login, with the
// reasons. All other routes require a user, also routes that are added later. None of these
// reveals a user.
func openInPrivate() map[string]string {
	return map[string]string{
		"GET /health":                                  "says that the process answers",
		"GET /api/v1/streaming/health":                 "says that streaming answers",
		"GET /.well-known/nodeinfo":                    "clients read here what kind of server this is",
		"GET /nodeinfo/2.0":                            "the same, without counts",
		"GET /nodeinfo/2.1":                            "the same, without counts",
		"GET /.well-known/oauth-authorization-server":  "clients read here how to log in",
		"GET /api/v1/instance":                         "clients read it before they log in",
		"GET /api/v2/instance":                         "clients read it before they log in",
		"POST /api/v1/apps":                            "an app registers before users log in with it",
		"GET /api/v1/apps/verify_credentials":          "an app asks about itself",
		"POST /oauth/token":                            "logging in",
		"GET /api/v1/instance/privacy_policy":          "signing up",
		"GET /api/v1/instance/terms_of_service":        "signing up",
		"GET /api/v1/instance/terms_of_service/{date}": "signing up",
		"POST /oauth/revoke":                           "logging out",
		"POST /api/v1/accounts":                        "signing up, where that is allowed",
		"GET /invite/{code}":                           "signing up with an invitation",
		"GET /avatars/{file}":                          "drawn for any name, so that it does not reveal which users exist; apps load pictures without a token",
		"GET /headers/default.png":                     "one picture for all; apps load pictures without a token",
		"GET /api/v1/linnet/websub/{feed}/{token}":     "hubs of external feeds confirm subscriptions; the path has a secret token",
		"POST /api/v1/linnet/websub/{feed}/{token}":    "hubs of external feeds send notifications; the path has a secret token",
	}
}
