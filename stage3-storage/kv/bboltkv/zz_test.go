package bboltkv_test
import ("testing";"os";"fmt";"path/filepath";"example.com/kube-apiserver/stage3-storage/kv/bboltkv")
func TestZZ(t *testing.T) {
	content := full(t)
	for _, left := range []int{5, 5000, 9000, len(content) / 4, len(content) / 2} {
		path := filepath.Join(t.TempDir(), "cut.db")
		os.WriteFile(path, content[:left], 0o600)
		_, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: path})
		fmt.Println(len(content), left, err)
	}
	page := 4096
	m := map[string]int{}
	for n := 2; n < len(content)/page; n++ {
		d := append([]byte(nil), content...)
		for i := range page { d[n*page+i] = byte(37 * i) }
		path := filepath.Join(t.TempDir(), "damaged.db")
		os.WriteFile(path, d, 0o600)
		s, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: path})
		if err == nil { s.Close(); m["ok"]++ } else { m[fmt.Sprintf("%.200s",err.Error()[len(path):])]++ }
	}
	for k, v := range m { fmt.Println(v, k) }
}
