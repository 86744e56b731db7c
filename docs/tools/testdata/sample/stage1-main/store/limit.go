package store

// Limit is how many items there may be.
func Limit() int { return 0 }
