package server

import (
	"fmt"

	stage1 "example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// GenericAPIServer is stage 1's with groups of resources.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go GenericAPIServer
type GenericAPIServer struct {
	*stage1.GenericAPIServer
	Endpoints *endpoints.Config
	Installed *Inventory // shared by all servers of a chain: the outermost answers for all
	Router    *endpoints.Router
}

// New makes a server that has no API yet.
func New(c stage1.Config, tables *endpoints.Config, installed *Inventory, delegate *GenericAPIServer) *GenericAPIServer {
	var inner *stage1.GenericAPIServer
	if delegate != nil {
		inner = delegate.GenericAPIServer
	}
	s := &GenericAPIServer{
		GenericAPIServer: stage1.New(c, inner), Endpoints: tables, Installed: installed, Router: endpoints.NewRouter(tables),
	}
	s.API = s.Router.Mount
	return s
}

// APIGroupInfo is a group with its storages by version and path.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go APIGroupInfo
type APIGroupInfo struct {
	Group                        string
	PrioritizedVersions          []string
	VersionedResourcesStorageMap map[string]map[string]rest.Storage
}

// InstallLegacyAPIGroup installs the core group, whose path has no name of a group.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go InstallLegacyAPIGroup
func (s *GenericAPIServer) InstallLegacyAPIGroup(apiPrefix string, info *APIGroupInfo) error {
	if apiPrefix != "/api" {
		return fmt.Errorf("%q is not in the allowed legacy API prefixes: [/api]", apiPrefix)
	}
	return s.install(apiPrefix, info)
}

// InstallAPIGroup installs a named group below /apis.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go InstallAPIGroup
func (s *GenericAPIServer) InstallAPIGroup(info *APIGroupInfo) error {
	if info.Group == "" {
		return fmt.Errorf("cannot register handler with an empty group for %v", info.PrioritizedVersions)
	}
	return s.install("/apis/"+info.Group, info)
}

// RemoveAPIGroupVersion takes away a version of a named group. Groups may come
// and go while the server serves: router and discovery follow at once.
//
// Upstream: staging/src/k8s.io/kube-aggregator/pkg/apiserver/apiserver.go RemoveAPIService
func (s *GenericAPIServer) RemoveAPIGroupVersion(group, version string) {
	s.Installed.Remove(GroupVersion{Group: group, Version: version})
	s.Router.Remove("/apis/" + group + "/" + version)
}

func (s *GenericAPIServer) install(prefix string, info *APIGroupInfo) error {
	for _, version := range info.PrioritizedVersions {
		group := endpoints.APIGroupVersion{Root: prefix + "/" + version, Storage: info.VersionedResourcesStorageMap[version], Config: s.Endpoints}
		installed, err := group.InstallREST(s.Router)
		if err != nil {
			return fmt.Errorf("unable to set up API %s: %w", group.Root, err)
		}
		s.Installed.Add(GroupVersion{Group: info.Group, Version: version, Resources: installed})
	}
	return nil
}

// GroupVersion is what is installed under one root.
type GroupVersion struct {
	Group, Version string
	Resources      []endpoints.APIResource
}
