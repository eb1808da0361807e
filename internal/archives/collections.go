package archives

import (
	"context"
	"encoding/json"
	"fmt"

	"linnet/internal/core"
)

// collectionsFile is the name of the entry with the user's collections.
const collectionsFile = "collections.json"

// exportedCollection is a collection in an archive. It has no times and no accounts that have left.
type exportedCollection struct {
	Name         string   `json:"name"`
	Description  string   `json:"description"`
	Language     string   `json:"language,omitempty"`
	Tag          string   `json:"tag,omitempty"`
	Sensitive    bool     `json:"sensitive"`
	Discoverable bool     `json:"discoverable"`
	Accounts     []string `json:"accounts"` // as user@host
}

// collections adds the user's collections to a part, if there are any.
func (m *making) collections(ctx context.Context, p *part) error {
	all, err := m.st.Relations.CollectionsOf(ctx, m.u.ID)
	if err != nil {
		return core.StoreError(err)
	}
	shown, err := m.view.Collections(ctx, m.u.ID, all)
	if err != nil || len(shown) == 0 {
		return err
	}
	out := make([]exportedCollection, len(shown))
	for i, c := range shown {
		out[i] = exportedCollection{c.Name, c.Description, c.Language, c.Tag, c.Sensitive, c.Discoverable, []string{}}
		for _, u := range c.People {
			out[i].Accounts = append(out[i].Accounts, m.address(u.Login))
		}
	}
	b, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("encode collections: %w", err)
	}
	w, err := p.zip.Create(collectionsFile)
	if err == nil {
		_, err = w.Write(b)
	}
	if err != nil {
		return fmt.Errorf("write collections to an archive: %w", err)
	}
	return nil
}
