package allocator_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds/allocator"
)

func TestAPickIsNotTakenYet(t *testing.T) {
	p := allocator.NewPool(1, 0)
	for range 3 {
		if n, err := p.Pick(); n != 0 || err != nil {
			t.Fatalf("the only number is free until somebody claims it, got %d, %v", n, err)
		}
	}
}

func TestTheNumbersInFrontAreTheLastToGo(t *testing.T) {
	p := allocator.NewPool(6, 3)
	var got []int
	for i := range 6 {
		n, err := p.Pick()
		if err != nil {
			t.Fatalf("number %d cannot be picked although some are free: %v", i, err)
		}
		got = append(got, n)
		if err := p.Claim(fmt.Sprint(i), n); err != nil {
			t.Fatalf("a number that was just picked cannot be claimed: %v", err)
		}
	}
	if fmt.Sprint(got) != "[3 4 5 0 1 2]" {
		t.Errorf("the first three numbers should go last, the order is %v", got)
	}
	if _, err := p.Pick(); !errors.Is(err, allocator.ErrFull) {
		t.Errorf("nothing is free and Pick says %v", err)
	}
}

func TestANumberHasOneOwner(t *testing.T) {
	p := allocator.NewPool(10, 0)
	steps := []struct {
		who  string
		n    []int
		want error
	}{
		{"a", []int{1, 2}, nil},
		{"a", []int{1, 2, 3}, nil},
		{"b", []int{4, 1}, allocator.ErrTaken},
		{"c", []int{4}, nil}, // b got none of its two
		{"d", []int{10}, allocator.ErrOutside},
		{"d", []int{-1}, allocator.ErrOutside},
	}
	for _, s := range steps {
		if err := p.Claim(s.who, s.n...); !errors.Is(err, s.want) {
			t.Errorf("%s claims %v: got %v, want %v", s.who, s.n, err, s.want)
		}
	}
	p.Release("b", 1)
	if err := p.Check("b", 1); !errors.Is(err, allocator.ErrTaken) {
		t.Error("somebody freed what belongs to another")
	}
	p.Release("a", 1)
	if err := p.Check("b", 1); err != nil {
		t.Errorf("a freed number cannot be had: %v", err)
	}
}

func TestNoNumberIsGivenToTwoAtTheSameTime(t *testing.T) {
	const size = 64
	p := allocator.NewPool(size, 8)
	var mu sync.Mutex
	owners := map[int]string{}
	var wg sync.WaitGroup
	for w := range 16 {
		wg.Go(func() {
			for i := range 20 {
				who := fmt.Sprint(w, "/", i)
				n, err := p.Pick()
				if err != nil || p.Claim(who, n) != nil {
					continue
				}
				mu.Lock()
				if other, taken := owners[n]; taken {
					t.Errorf("number %d belongs to %s and was given to %s", n, other, who)
				}
				owners[n] = who
				mu.Unlock()
				if i%2 == 0 {
					mu.Lock()
					delete(owners, n)
					p.Release(who, n)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
}
