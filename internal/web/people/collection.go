package people

import (
	"fmt"
	"net/http"
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// collectionForm is the form of a collection.
type collectionForm struct {
	Name, Description, Tag  string
	Sensitive, Discoverable bool
	Errors                  page.FieldErrors
}

type collectionsPage struct {
	Mine []linnet.CollectionView
	With []linnet.CollectionView // that show the reader
	Form collectionForm
}

// mostWith is the maximum number of collections that show the reader on the page.
const mostWith = 80

// collections shows the reader's collections, and those that show the reader.
func (h *Pages) collections(c *page.Context) error {
	return h.showCollections(c, http.StatusOK, collectionForm{Discoverable: true})
}

func (h *Pages) showCollections(c *page.Context, code int, f collectionForm) error {
	ctx := c.Request.Context()
	mine, err := h.View.CollectionsOf(ctx, c.Me.ID, c.Me.ID, 0, linnet.MaxCollections)
	if err != nil {
		return fmt.Errorf("read collections: %w", err)
	}
	with, err := h.View.CollectionsWith(ctx, c.Me.ID, c.Me.ID, 0, mostWith)
	if err != nil {
		return fmt.Errorf("read the collections that contain the reader: %w", err)
	}
	return c.Render(code, page.Page{Title: c.Tr("Collections"), Here: "/lists", Body: collectionsView(c, collectionsPage{mine, with, f})})
}

// sentCollection reads the submitted form of a collection.
func sentCollection(c *page.Context) (collectionForm, linnet.CollectionChange) {
	f := collectionForm{Name: c.Typed("name"), Description: c.Typed("description"), Tag: c.Typed("tag"), Sensitive: c.Request.PostForm.Get("sensitive") != "",
		Discoverable: c.Request.PostForm.Get("discoverable") != "", Errors: page.FieldErrors{}}
	return f, linnet.CollectionChange{Name: &f.Name, Description: &f.Description, Tag: &f.Tag, Sensitive: &f.Sensitive, Discoverable: &f.Discoverable}
}

// collectionFields returns the inputs of a collection by the field names of the service.
func collectionFields(c *page.Context) map[string]page.FormField {
	return map[string]page.FormField{"name": {Name: "name", Subject: c.Tr("The name")}, "description": {Name: "description", Subject: c.Tr("The description")}, "tag_name": {Name: "tag", Subject: c.Tr("The hashtag")}}
}

func (h *Pages) createCollection(c *page.Context) error {
	f, change := sentCollection(c)
	v, err := h.Social.Collections.Create(c.Request.Context(), c.Me.ID, change, nil)
	switch {
	case err == nil:
		return c.Redirect(paths.Collection(v.ID) + "/edit")
	case f.Errors.Add(c, err, collectionFields(c)):
		return h.showCollections(c, http.StatusUnprocessableEntity, f)
	}
	return fmt.Errorf("create a collection: %w", err)
}

// collectionHere returns the collection in the path.
func (h *Pages) collectionHere(c *page.Context) (linnet.CollectionView, error) {
	id, ok := linnet.ParseID(c.Request.PathValue("id"))
	if !ok {
		return linnet.CollectionView{}, page.NotFound()
	}
	v, err := h.View.Collection(c.Request.Context(), c.Viewer(), id)
	if err != nil {
		return v, page.OrNotFound(err, "look up a collection")
	}
	return v, nil
}

// ownCollectionHere is collectionHere for collections of the reader.
func (h *Pages) ownCollectionHere(c *page.Context) (linnet.CollectionView, error) {
	v, err := h.collectionHere(c)
	if err == nil && v.Owner != c.Me.ID {
		err = page.NotFound()
	}
	return v, err
}

type collectionPage struct {
	linnet.CollectionView
	Rows       []Row
	Own        bool // it belongs to the reader
	Shown      bool // it shows the reader
	Unfollowed int  // accounts that the reader doesn't follow
}

// collection shows a collection with its accounts.
func (h *Pages) collection(c *page.Context) error {
	v, err := h.collectionHere(c)
	if err != nil {
		return err
	}
	p := collectionPage{CollectionView: v, Own: c.Viewer() == v.Owner, Shown: c.Me != nil && v.Shows(c.Me.ID)}
	if p.Rows, err = h.Rows(c, v.People); err != nil {
		return err
	}
	for _, r := range p.Rows {
		if r.Rel != nil && !r.Rel.Following && !r.Rel.Requested {
			p.Unfollowed++
		}
	}
	c.Shared = true
	return c.Render(http.StatusOK, page.Page{Title: v.Name, Listed: v.Discoverable && v.By.Indexable, Body: collectionView(c, p),
		Card: &page.Card{Type: "website", Title: v.Name, Text: v.Description, URL: c.URL.String() + paths.Collection(v.ID)}})
}

// actOnCollection follows all accounts of a collection, or removes the reader from it.
func (h *Pages) actOnCollection(c *page.Context) error {
	v, err := h.collectionHere(c)
	if err != nil {
		return err
	}
	if c.Request.PostForm.Get("act") != "leave" {
		if err := h.Social.Collections.FollowAll(c.Request.Context(), c.Me.ID, v.ID); err != nil {
			return fmt.Errorf("follow the accounts of a collection: %w", err)
		}
		return c.Redirect(paths.Collection(v.ID))
	}
	it := v.Item(c.Me.ID)
	if it == nil {
		return c.Redirect(paths.Collection(v.ID)) // already left in another window
	}
	if err := h.Social.Collections.Revoke(c.Request.Context(), c.Me.ID, v.ID, it.ID); err != nil {
		return fmt.Errorf("leave a collection: %w", err)
	}
	return c.Redirect(paths.Collection(v.ID))
}

type collectionEditPage struct {
	linnet.CollectionView
	Form  collectionForm
	Found []linnet.UserView // search results
	Query string
}

func (h *Pages) collectionForm(c *page.Context) error {
	v, err := h.ownCollectionHere(c)
	if err != nil {
		return err
	}
	return h.showCollection(c, http.StatusOK, v, collectionForm{v.Name, v.Description, v.Tag, v.Sensitive, v.Discoverable, nil})
}

// showCollection shows a collection's settings and accounts, and search results for new ones.
func (h *Pages) showCollection(c *page.Context, code int, v linnet.CollectionView, f collectionForm) error {
	p := collectionEditPage{CollectionView: v, Form: f, Query: strings.TrimSpace(c.Request.URL.Query().Get("q"))}
	if p.Query != "" {
		found, err := h.Discovery.SearchUsers(c.Request.Context(), c.Me.ID, discovery.TypedQuery(p.Query))
		if err != nil {
			return fmt.Errorf("search people: %w", err)
		}
		for _, u := range found {
			if !v.Shows(u.ID) {
				p.Found = append(p.Found, u)
			}
		}
	}
	return c.Render(code, page.Page{Title: v.Name, Here: "/lists", Body: collectionEditView(c, p)})
}

func (h *Pages) changeCollection(c *page.Context) error {
	v, err := h.ownCollectionHere(c)
	if err != nil {
		return err
	}
	f, change := sentCollection(c)
	_, err = h.Social.Collections.Update(c.Request.Context(), c.Me.ID, v.ID, change)
	switch {
	case err == nil:
		return c.Redirect(paths.Collection(v.ID))
	case f.Errors.Add(c, err, collectionFields(c)):
		return h.showCollection(c, http.StatusUnprocessableEntity, v, f)
	}
	return fmt.Errorf("change a collection: %w", err)
}

// changeCollected adds an account to a collection or removes one.
func (h *Pages) changeCollected(c *page.Context) error {
	v, err := h.ownCollectionHere(c)
	if err != nil {
		return err
	}
	who, ok := linnet.ParseID(c.Request.PostForm.Get("person"))
	if !ok {
		return page.NotFound()
	}
	if c.Request.PostForm.Get("act") == "remove" {
		if it := v.Item(who); it != nil {
			err = h.Social.Collections.RemoveFrom(c.Request.Context(), c.Me.ID, v.ID, it.ID)
		}
	} else {
		_, err = h.Social.Collections.AddTo(c.Request.Context(), c.Me.ID, v.ID, who)
	}
	if err != nil {
		return fmt.Errorf("change the accounts of a collection: %w", err)
	}
	return c.Redirect(c.PreviousPage(paths.Collection(v.ID) + "/edit"))
}

func (h *Pages) collectionDeletion(c *page.Context) error {
	v, err := h.ownCollectionHere(c)
	if err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Delete collection"), Here: "/lists", Body: collectionDeletionView(c, v)})
}

func (h *Pages) deleteCollection(c *page.Context) error {
	v, err := h.ownCollectionHere(c)
	if err != nil {
		return err
	}
	if err := h.Social.Collections.Delete(c.Request.Context(), c.Me.ID, v.ID); err != nil {
		return fmt.Errorf("delete a collection: %w", err)
	}
	return c.Redirect("/collections")
}

// collectionPeople returns the first accounts of a collection, for its row in a list.
func collectionPeople(v *linnet.CollectionView) []linnet.UserView {
	return v.People[:min(len(v.People), page.SidePanelRows)]
}

// featuredCollections returns the collections on a profile.
func (h *Pages) featuredCollections(c *page.Context, who linnet.ID) ([]linnet.CollectionView, error) {
	all, err := h.View.CollectionsOf(c.Request.Context(), c.Viewer(), who, 0, linnet.MaxCollections)
	if err != nil {
		return nil, fmt.Errorf("read the collections of a user: %w", err)
	}
	return all, nil
}

// noCollections is shown instead of an empty list.
func noCollections(c *page.Context) ui.Empty {
	return ui.Empty{Icon: "people", Title: c.Tr("No collections yet"), Text: c.Tr("A collection is a list of accounts that you recommend to others.")}
}
