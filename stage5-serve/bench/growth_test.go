package bench_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// largest is how many objects the growth goes up to; GROWTH=100000 takes minutes.
func largest() int {
	if n, err := strconv.Atoi(os.Getenv("GROWTH")); err == nil {
		return n
	}
	return 10_000
}

// BenchmarkGrowth shows what does not grow: the cost of a request for few
// objects while more and more others are stored.
func BenchmarkGrowth(b *testing.B) {
	p := filled(b, 0)
	p.must(b, "POST", "/api/v1/namespaces", `{"metadata":{"name":"small"}}`)
	const small = "/api/v1/namespaces/small/pods"
	for i := range 50 {
		p.must(b, "POST", small, pod(fmt.Sprintf("p%06d", i), i))
	}
	stored := 0
	for n := 1000; n <= largest(); n *= 10 {
		crowd(16, n-stored, func(i int) { p.must(b, "POST", pods, pod(fmt.Sprintf("p%06d", stored+i), stored+i)) })
		stored = n
		name := func(i int) string { return fmt.Sprintf("%s/p%06d", pods, i*7919%n) }
		for _, row := range []struct {
			name string
			op   func(i int)
		}{
			{"get", func(i int) { p.must(b, "GET", name(i), "") }},
			{"merge-patch", func(i int) {
				p.must(b, "PATCH", name(i), fmt.Sprintf(`{"metadata":{"annotations":{"n":"%d.%d"}}}`, i, b.N))
			}},
			{"list-50-of-a-namespace", func(int) { p.must(b, "GET", small, "") }},
			{"list-page-of-50", func(int) { p.must(b, "GET", "/api/v1/pods?limit=50", "") }},
		} {
			b.Run(fmt.Sprintf("objects=%d/%s", n, row.name), func(b *testing.B) { measure(b, p, 16, row.op) })
		}
	}
}

func BenchmarkNamespaces(b *testing.B) {
	for _, n := range []int{1, 100, 1000} {
		p := filled(b, 0)
		crowd(16, n, func(i int) {
			p.must(b, "POST", "/api/v1/namespaces", fmt.Sprintf(`{"metadata":{"name":"ns-%d"}}`, i))
		})
		crowd(16, 1000, func(i int) {
			p.must(b, "POST", fmt.Sprintf("/api/v1/namespaces/ns-%d/pods", i%n), pod(fmt.Sprintf("p%06d", i), i))
		})
		b.Run(fmt.Sprintf("namespaces=%d/create", n), func(b *testing.B) {
			measure(b, p, 16, func(i int) {
				p.must(b, "POST", fmt.Sprintf("/api/v1/namespaces/ns-%d/pods", i%n), pod(fmt.Sprintf("c%d-%06d", b.N, i), i))
			})
		})
	}
}

// BenchmarkWatchers: an operation is a create, with its event delivered to
// every watcher. The static server is sent the event and passes it on.
func BenchmarkWatchers(b *testing.B) {
	for _, n := range []int{0, 1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("watchers=%d", n), func(b *testing.B) { deliver(b, n, 16, false) })
	}
	for _, n := range []int{0, 100} {
		b.Run(fmt.Sprintf("watchers=%d-static", n), func(b *testing.B) { deliver(b, n, 16, true) })
	}
}

// BenchmarkTrickle is the same without haste: one create at a time, fifty a second.
func BenchmarkTrickle(b *testing.B) {
	for _, n := range []int{0, 100} {
		b.Run(fmt.Sprintf("watchers=%d", n), func(b *testing.B) { deliver(b, n, 1, false) })
		b.Run(fmt.Sprintf("watchers=%d-static", n), func(b *testing.B) { deliver(b, n, 1, true) })
	}
}

// deliver lets writers create pods, a lone one fifty a second, and watchers see
// them, each over a connection of its own.
func deliver(b *testing.B, watchers, writers int, bare bool) {
	p := filled(b, 0)
	create := func(i int) { p.must(b, "POST", pods, pod(fmt.Sprintf("p%06d", i), i)) }
	if bare {
		frame := `{"type":"ADDED","object":` + strings.TrimSpace(string(p.must(b, "POST", pods, pod("p000000", 0)))) + "}\n"
		p = start(b, "static", b.TempDir())
		create = func(int) { p.must(b, "POST", "/", frame) }
	}
	ctx, cancel := context.WithCancel(b.Context())
	var watching, delivered sync.WaitGroup
	defer watching.Wait()
	defer cancel()
	delivered.Add(watchers)
	arrived := make([][]time.Time, watchers)
	for w := range watchers {
		stream := p.watch(b, ctx)
		watching.Go(func() {
			defer delivered.Done()
			for range b.N {
				if !stream.Scan() {
					b.Errorf("a watch ended: %v", stream.Err())
					return
				}
				arrived[w] = append(arrived[w], time.Now())
			}
		})
	}
	tick := time.NewTicker(time.Second / 50)
	defer tick.Stop()
	measure(b, p, writers, func(i int) {
		if writers == 1 {
			<-tick.C
		}
		create(i)
		if i == b.N-1 {
			delivered.Wait() // the time until the last has got the last
		}
	})
	b.ReportMetric(float64(watchers), "events/op")
	if watchers > 0 && writers == 1 {
		b.ReportMetric(spread(arrived).Seconds()*1000, "p99-ms")
	}
}

// spread is how long after the first watcher 99 of 100 have an event.
func spread(arrived [][]time.Time) time.Duration {
	var late []time.Duration
	for i := range arrived[0] {
		first := slices.MinFunc(arrived, func(a, b []time.Time) int { return a[i].Compare(b[i]) })[i]
		for _, at := range arrived {
			late = append(late, at[i].Sub(first))
		}
	}
	slices.Sort(late)
	return late[len(late)*99/100]
}

// watch opens a stream of all that happens to pods from now on, line by line.
func (p *process) watch(tb testing.TB, ctx context.Context) *bufio.Scanner {
	client := &http.Client{Transport: p.client.Transport.(*http.Transport).Clone()}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+pods+"?watch=true", nil)
	if err != nil {
		tb.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer admintoken")
	resp, err := client.Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		tb.Fatalf("a watch: %v, %v", resp, err)
	}
	context.AfterFunc(ctx, func() { resp.Body.Close() })
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	return lines
}

// BenchmarkStart is the time until a server is ready, over an empty folder and
// over one with many objects.
func BenchmarkStart(b *testing.B) {
	for _, n := range []int{0, largest()} {
		b.Run(fmt.Sprintf("objects=%d", n), func(b *testing.B) {
			folder := b.TempDir()
			first := fill(b, folder, n)
			first.stop()
			var cpu, took float64
			b.ResetTimer()
			for range b.N {
				p := start(b, "server", folder)
				cpu += p.usage(b, "").CPU.Seconds()
				took += p.took.Seconds()
				p.stop()
			}
			b.ReportMetric(cpu/float64(b.N)*1e6, "cpu-µs/op")
			b.ReportMetric(took/float64(b.N)*1e3, "ms-until-ready")
		})
	}
}
