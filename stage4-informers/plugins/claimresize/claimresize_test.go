package claimresize_test

import (
	"net/http"
	"testing"

	"example.com/kube-apiserver/stage4-informers/plugins/plugintest"
)

const claims = "namespaces/default/persistentvolumeclaims"

func TestAClaimGrowsOnlyIfItsVolumeWould(t *testing.T) {
	s := plugintest.Start(t, "--admission-control=PersistentVolumeClaimResize")
	s.Create(claims, `{"metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"none","volumeName":"v","resources":{"requests":{"storage":"1Gi"}}}}`)
	if a := s.Do("PATCH", claims+"/c/status", `{"status":{"phase":"Bound"}}`); a.Code != http.StatusOK {
		t.Fatal(a.Message())
	}
	const want = `persistentvolumeclaims "c" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize`
	if a := s.Do("PATCH", claims+"/c", `{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}`); a.Code != http.StatusForbidden || a.Message() != want {
		t.Errorf("a claim whose class is not there grows: %d %q, want 403 %q", a.Code, a.Message(), want)
	}
	if a := s.Do("PATCH", claims+"/c", `{"metadata":{"labels":{"a":"b"}}}`); a.Code != http.StatusOK {
		t.Errorf("a change of something else is refused: %s", a.Message())
	}
}
