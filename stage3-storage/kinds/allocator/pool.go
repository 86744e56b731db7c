package allocator

import (
	"errors"
	"sync"
)

// The reasons why a number cannot be had.
var (
	ErrTaken   = errors.New("already allocated")
	ErrOutside = errors.New("not in the range")
	ErrFull    = errors.New("range is full")
)

// Pool is a range of numbers from 0 on. It is safe for concurrent use.
//
// Upstream: pkg/registry/core/service/allocator/bitmap.go AllocationBitmap
type Pool struct {
	size, static int

	mu    sync.Mutex // guards the rest
	owner map[int]string
	next  int // where to look for a free number
}

// NewPool makes a pool of which all is free. The first numbers, as many as
// static says, are left to those who ask for a certain one, while there are others.
func NewPool(size, static int) *Pool {
	return &Pool{size: size, static: static, owner: map[int]string{}, next: static}
}

// Pick returns a number that is free now. It goes round, so that those who pick
// at the same time get different ones; upstream throws dice.
func (p *Pool) Pick() (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for range p.size - p.static {
		n := p.next
		if p.next++; p.next >= p.size {
			p.next = p.static
		}
		if _, taken := p.owner[n]; !taken {
			return n, nil
		}
	}
	for n := range p.static {
		if _, taken := p.owner[n]; !taken {
			return n, nil
		}
	}
	return 0, ErrFull
}

// Check says whether who can have the number.
func (p *Pool) Check(who string, n int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.check(who, n)
}

func (p *Pool) check(who string, n int) error {
	if n < 0 || n >= p.size {
		return ErrOutside
	}
	if owner, taken := p.owner[n]; taken && owner != who {
		return ErrTaken
	}
	return nil
}

// Claim gives the numbers to who: all of them, or none and an error. To claim
// again what one has is fine.
func (p *Pool) Claim(who string, numbers ...int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range numbers {
		if err := p.check(who, n); err != nil {
			return err
		}
	}
	for _, n := range numbers {
		p.owner[n] = who
	}
	return nil
}

// Release frees those of the numbers that who has.
func (p *Pool) Release(who string, numbers ...int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range numbers {
		if p.owner[n] == who {
			delete(p.owner, n)
		}
	}
}
