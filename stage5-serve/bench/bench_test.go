package bench_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// stored is how many pods there are while something else is measured.
const stored = 5000

const pods = "/api/v1/namespaces/bench/pods"

func pod(name string, i int) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{"app":"web","shard":"s%d"},"annotations":{"note":"%s"}},
		"spec":{"nodeName":"node-%d","containers":[{"name":"web","image":"registry.example/web:1.2.3","env":[{"name":"A","value":"1"},{"name":"B","value":"2"}],
		"ports":[{"containerPort":8080}],"resources":{"requests":{"cpu":"100m","memory":"64Mi"}}}]}}`, name, i%100, strings.Repeat("n", 800), i%50)
}

// note is the part of a pod that an update changes.
var note = regexp.MustCompile(`"note":"\d*`)

// filled is a server with n pods in it.
func filled(tb testing.TB, n int) *process { return fill(tb, tb.TempDir(), n) }

func fill(tb testing.TB, folder string, n int) *process {
	p := start(tb, "server", folder)
	p.must(tb, "POST", "/api/v1/namespaces", `{"metadata":{"name":"bench"}}`)
	crowd(16, n, func(i int) { p.must(tb, "POST", pods, pod(fmt.Sprintf("p%06d", i), i)) })
	return p
}

// crowd calls f for 0 to n-1 from so many workers.
func crowd(workers, n int, f func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range workers {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				f(int(i))
			}
		})
	}
	wg.Wait()
}

// measure runs an operation b.N times and reports the server's share.
func measure(b *testing.B, p *process, workers int, op func(i int)) {
	profile := os.Getenv("BENCH_PROFILE") // a folder
	if profile != "" {
		profile = filepath.Join(profile, strings.ReplaceAll(b.Name(), "/", "-")+".prof")
	}
	before := p.usage(b, profile)
	b.ResetTimer()
	crowd(workers, b.N, op)
	b.StopTimer()
	after := p.usage(b, "")
	b.ReportMetric(float64((after.CPU-before.CPU).Microseconds())/float64(b.N), "cpu-µs/op")
	b.ReportMetric(float64(after.Heap>>20), "MB")
}

func BenchmarkCreate(b *testing.B) {
	for _, workers := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("c=%d", workers), func(b *testing.B) {
			p := filled(b, 0)
			measure(b, p, workers, func(i int) { p.must(b, "POST", pods, pod(fmt.Sprintf("p%06d", i), i)) })
		})
	}
}

func BenchmarkRead(b *testing.B) {
	p := filled(b, stored)
	static := start(b, "static", b.TempDir())
	one := pods + "/p000007"
	for _, row := range []struct {
		name, path string
		workers    int
		compare    bool
	}{
		{"get", one, 16, true},
		{"list-all", "/api/v1/pods", 1, true},
		{"list-selector-1%", "/api/v1/pods?labelSelector=shard%3Ds7", 1, true},
		{"list-field-2%", "/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-7", 1, true},
		{"list-paged", "/api/v1/pods?limit=500", 1, true},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.SetBytes(int64(len(p.must(b, "GET", row.path, ""))))
			measure(b, p, row.workers, func(int) { p.must(b, "GET", row.path, "") })
		})
		if row.compare {
			b.Run(row.name+"-static", func(b *testing.B) {
				body := p.must(b, "GET", row.path, "")
				static.must(b, "PUT", "/", string(body))
				b.SetBytes(int64(len(body)))
				measure(b, static, row.workers, func(int) { static.must(b, "GET", "/", "") })
			})
		}
	}
}

func BenchmarkChange(b *testing.B) {
	p := filled(b, stored)
	name := func(i int) string { return fmt.Sprintf("%s/p%06d", pods, i%stored) }
	b.Run("update", func(b *testing.B) {
		measure(b, p, 16, func(i int) {
			live := string(p.must(b, "GET", name(i), ""))
			p.must(b, "PUT", name(i), note.ReplaceAllString(live, fmt.Sprint(`"note":"`, i)))
		})
	})
	b.Run("merge-patch", func(b *testing.B) {
		measure(b, p, 16, func(i int) { p.must(b, "PATCH", name(i), fmt.Sprintf(`{"metadata":{"annotations":{"n":"%d"}}}`, i)) })
	})
	b.Run("conflict", func(b *testing.B) {
		measure(b, p, 16, func(i int) {
			for code := 409; code == 409; {
				live := string(p.must(b, "GET", name(0), ""))
				code, _ = p.do(b, "PUT", name(0), note.ReplaceAllString(live, fmt.Sprint(`"note":"`, i)))
			}
		})
	})
}

func BenchmarkDelete(b *testing.B) {
	b.Run("c=16", func(b *testing.B) {
		p := filled(b, b.N)
		measure(b, p, 16, func(i int) { p.must(b, "DELETE", fmt.Sprintf("%s/p%06d?gracePeriodSeconds=0", pods, i), "") })
	})
	b.Run("collection", func(b *testing.B) {
		p := filled(b, b.N)
		measure(b, p, 1, func(i int) {
			if i == 0 {
				p.must(b, "DELETE", pods+"?gracePeriodSeconds=0", "")
			}
		})
	})
}
