package store

import (
	"errors"
	"slices"
	"testing"
)

func TestUpdateConflict(t *testing.T) {
	var s Store
	for i := range 2 {
		if _, err := s.Update("a", "x", i); err != nil {
			t.Fatalf("update over version %d: got %v, want no error", i, err)
		}
	}
	if _, err := s.Update("a", "y", 1); !errors.Is(err, ErrConflict) {
		t.Errorf("update from an old version: got %v, want ErrConflict", err)
	}
	if _, err := s.Update("a", "y", 7); !errors.Is(err, ErrConflict) {
		t.Errorf("update from a version that never was: got %v, want ErrConflict", err)
	}
}

func TestKeysAreSorted(t *testing.T) {
	var s Store
	for _, k := range []string{"b", "a", "c"} {
		if _, err := s.Update(k, "", 0); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.Keys(); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("Keys: got %q, want them in order", got)
	}
}

// The article says that a write never fails.
func TestErratumE1(t *testing.T) {
	var s Store
	t.Log("two clients read version 0 and both write")
	s.Update("a", "x", 0)
	_, err := s.Update("a", "y", 0)
	t.Logf("the second is told: %v", err)
	if err == nil {
		t.Error("the second write went through")
	}
}

func TestNothing(t *testing.T) {}

func TestSkipped(t *testing.T) { t.Skip("not today") }

func TestHangs(t *testing.T) {
	var s Store
	if v, _ := s.Update("a", "", 3); v > 0 {
		select {}
	}
}
