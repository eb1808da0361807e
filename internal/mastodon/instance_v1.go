package mastodon

// instanceV1 is the entity V1::Instance, from which older clients start.
// https://docs.joinmastodon.org/entities/V1_Instance/
type instanceV1 struct {
	URI              string          `json:"uri"`
	Title            string          `json:"title"`
	ShortDescription string          `json:"short_description"`
	Description      string          `json:"description"`
	Email            string          `json:"email"`
	Version          string          `json:"version"`
	URLs             instanceV1URLs  `json:"urls"`
	Stats            instanceV1Stats `json:"stats"`
	Thumbnail        string          `json:"thumbnail"`
	Languages        []string        `json:"languages"`
	Registrations    bool            `json:"registrations"`
	ApprovalRequired bool            `json:"approval_required"`
	InvitesEnabled   bool            `json:"invites_enabled"`
	Configuration    configuration   `json:"configuration"`
	ContactAccount   *account        `json:"contact_account"`
	Rules            []rule          `json:"rules"`
}

type instanceV1URLs struct {
	StreamingAPI string `json:"streaming_api"`
}

type instanceV1Stats struct {
	UserCount   int64 `json:"user_count"`
	StatusCount int64 `json:"status_count"`
	DomainCount int64 `json:"domain_count"`
}

func (a *API) getInstanceV1(r *request) (any, error) {
	v, err := a.describe(r)
	if err != nil {
		return nil, err
	}
	return instanceV1{
		URI: a.host, Title: v.Title, ShortDescription: v.Description, Description: v.Description, Email: v.Contact,
		Version: a.version(), URLs: instanceV1URLs{a.streamingURL()},
		// The domain is its own and only one: this installation does not federate.
		Stats:     instanceV1Stats{UserCount: v.People, StatusCount: v.Statuses, DomainCount: 1},
		Thumbnail: a.thumbnail(v.Thumbnail).URL, Languages: []string{"en"}, Registrations: v.Registrations.Anybody(),
		ApprovalRequired: v.Registrations.Approval(), InvitesEnabled: v.Registrations.Invites(),
		Configuration: a.limits(), ContactAccount: a.contactOf(&v), Rules: rulesOf(v.Rules),
	}, nil
}
