package discovery

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	stage1 "example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
)

// Install adds the discovery paths to a mux. What they answer follows the inventory.
func Install(mux *stage1.PathRecorderMux, formats []negotiation.Format, inventory *server.Inventory) {
	d := &documents{formats: formats, inventory: inventory}
	mux.Handle("/api", d.root(true))
	mux.Handle("/apis", d.root(false))
	mux.Handle("/api/", stage1.Unlisted{Handler: http.HandlerFunc(d.below)})
	mux.Handle("/apis/", http.HandlerFunc(d.below))
	mux.Further = d.paths
}

// documents makes every answer from the inventory.
type documents struct {
	formats   []negotiation.Format
	inventory *server.Inventory
}

// views are the versions of the one document for all. Clients that know only
// v2beta1, which upstream has given up, also ask for the documents of old.
var views = []negotiation.View{{As: "APIGroupDiscoveryList", Group: "apidiscovery.k8s.io", Versions: []string{"v2"}, Lists: true}}

// root answers /api and /apis: one document for all where the client asks for
// it, else the list of versions or groups.
//
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/discovery/aggregated/wrapper.go WrapAggregatedDiscoveryToHandler
func (d *documents) root(legacy bool) http.Handler {
	return d.get(func(w http.ResponseWriter, req *http.Request) error {
		w.Header().Add("Vary", "Accept")
		answer, err := negotiation.Negotiate(d.formats, views, req, func(negotiation.View) bool { return true })
		if err != nil {
			return err
		}
		groups := d.groups(legacy)
		switch {
		case answer.View != nil:
			return sendAggregated(w, req, aggregate(groups), answer)
		case legacy:
			return negotiation.WriteDocument(d.formats, w, req, legacyVersions(groups, req.Host))
		default:
			return negotiation.WriteDocument(d.formats, w, req, groupList(groups))
		}
	})
}

// groups are the installed group versions by group: the core one, or all others.
func (d *documents) groups(legacy bool) [][]server.GroupVersion {
	all := d.inventory.List()
	return byGroup(slices.DeleteFunc(all, func(g server.GroupVersion) bool { return (g.Group == "") != legacy }))
}

// sendAggregated sends the document with a tag, by which a client that has it
// already is spared it.
func sendAggregated(w http.ResponseWriter, req *http.Request, document any, answer negotiation.Answer) error {
	body, err := json.Marshal(document)
	if err != nil {
		return err
	}
	body = append(body, '\n')
	if answer.Format.Encode != nil {
		if body, err = answer.Format.Encode(body); err != nil {
			return err
		}
	}
	etag := fmt.Sprintf(`"%X"`, sha256.Sum256(body))
	w.Header().Set("Etag", etag)
	w.Header().Set("Cache-Control", "public")
	if req.Header.Get("If-None-Match") == etag {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	w.Header().Set("Content-Type", answer.Format.MediaType+";g=apidiscovery.k8s.io;v="+answer.Version+";as=APIGroupDiscoveryList")
	w.Write(body) // a client that has gone needs no answer
	return nil
}

// below answers /api/v1, /apis/GROUP and /apis/GROUP/VERSION. The router has
// had its turn already, so anything else is not there. A group that nobody
// knows is answered in plain text, as upstream: it was no API that was asked.
func (d *documents) below(w http.ResponseWriter, req *http.Request) {
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	if len(parts) == 1 { // /api/ and /apis/
		d.root(parts[0] == "api").ServeHTTP(w, req)
		return
	}
	legacy := parts[0] == "api"
	if legacy {
		parts = append([]string{"apis", ""}, parts[1:]...)
	}
	var versions []server.GroupVersion
	for _, group := range d.groups(legacy) {
		if group[0].Group == parts[1] {
			versions = group
		}
	}
	if versions == nil && !legacy {
		http.NotFound(w, req)
		return
	}
	if len(parts) == 2 {
		d.get(func(w http.ResponseWriter, req *http.Request) error {
			return negotiation.WriteDocument(d.formats, w, req, group(versions))
		}).ServeHTTP(w, req)
		return
	}
	i := slices.IndexFunc(versions, func(g server.GroupVersion) bool { return g.Version == parts[2] })
	if i < 0 || len(parts) > 3 {
		negotiation.WriteStatus(d.formats, w, req, status.New(http.StatusNotFound, "NotFound", "the server could not find the requested resource", &status.Details{}))
		return
	}
	d.get(func(w http.ResponseWriter, req *http.Request) error {
		return negotiation.WriteDocument(d.formats, w, req, resourceList(versions[i]))
	}).ServeHTTP(w, req)
}

// get refuses every other method, and turns errors into a Status.
func (d *documents) get(serve func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var err error = endpoints.NoSuchMethod()
		if req.Method == http.MethodGet {
			err = serve(w, req)
		}
		if err != nil {
			negotiation.WriteStatus(d.formats, w, req, status.From(err))
		}
	})
}

// paths are those of groups and versions, for the list of all paths.
func (d *documents) paths() []string {
	var list []string
	for _, g := range d.inventory.List() {
		if g.Group == "" {
			list = append(list, "/api/"+g.Version)
		} else {
			list = append(list, "/apis/"+g.Group, "/apis/"+g.Group+"/"+g.Version)
		}
	}
	return list
}
