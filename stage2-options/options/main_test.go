package options_test

import (
	"io"
	"log"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard) // warnings; the test of them looks itself
	os.Exit(m.Run())
}
