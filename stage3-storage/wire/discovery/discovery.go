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
)

// Install adds the discovery paths to a mux. What they answer follows the inventory.
func Install(mux *stage1.PathRecorderMux, formats []endpoints.Format, inventory *server.Inventory) {
	d := &documents{formats: formats, inventory: inventory}
	core := func(g server.GroupVersion) bool { return g.Group == "" }
	named := func(g server.GroupVersion) bool { return g.Group != "" }
	mux.Handle("/api", d.root(core, legacyVersions))
	mux.Handle("/apis", d.root(named, groupList))
	mux.Handle("/api/", http.HandlerFunc(d.below))
	mux.Handle("/apis/", http.HandlerFunc(d.below))
}

type documents struct {
	formats   []endpoints.Format
	inventory *server.Inventory
}

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

// root answers /api and /apis: one document for all where the client can read
// it, else the list of versions or groups.
func (d *documents) root(which func(server.GroupVersion) bool, plain func([]server.GroupVersion, *http.Request) any) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		all := d.inventory.List()
		groups := slices.DeleteFunc(all, func(g server.GroupVersion) bool { return !which(g) })
		w.Header().Add("Vary", "Accept")
		if !wantsAggregated(req) {
			d.write(w, req, plain(groups, req))
			return
		}
		body, err := json.Marshal(aggregate(groups))
		if err != nil {
			endpoints.WriteStatus(d.formats, w, req, status.Internal(err))
			return
		}
		etag := fmt.Sprintf(`"%X"`, sha256.Sum256(body))
		w.Header().Set("Etag", etag)
		w.Header().Set("Cache-Control", "public")
		if req.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Type", aggregated)
		w.Write(append(body, '\n')) // a client that has gone needs no answer
	})
}

func wantsAggregated(req *http.Request) bool {
	for _, accept := range req.Header.Values("Accept") {
		for _, part := range strings.Split(accept, ",") {
			if strings.Contains(part, "as=APIGroupDiscoveryList") && strings.Contains(part, "v=v2") && !strings.Contains(part, "v2beta1") && strings.Contains(part, "application/json") {
				return true
			}
		}
	}
	return false
}

// below answers /api/v1, /apis/GROUP and /apis/GROUP/VERSION. The router has
// had its turn already, so anything else is not there.
func (d *documents) below(w http.ResponseWriter, req *http.Request) {
	groups := d.inventory.List()
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	if parts[0] == "api" {
		parts = append([]string{"apis", ""}, parts[1:]...)
	}
	var versions []server.GroupVersion
	for _, g := range groups {
		if g.Group == parts[1] && (len(parts) == 2 || g.Version == parts[2]) {
			versions = append(versions, g)
		}
	}
	switch {
	case len(versions) == 0 && parts[1] != "":
		http.NotFound(w, req)
	case len(versions) == 0 || len(parts) > 3:
		endpoints.WriteStatus(d.formats, w, req, status.NoSuchPath())
	case len(parts) == 2:
		d.write(w, req, group(versions))
	default:
		d.write(w, req, resourceList(versions[0]))
	}
}

func (d *documents) write(w http.ResponseWriter, req *http.Request, v any) {
	if err := endpoints.WriteDocument(d.formats, w, req, v); err != nil {
		endpoints.WriteStatus(d.formats, w, req, status.From(err))
	}
}
