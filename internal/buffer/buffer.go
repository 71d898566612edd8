// Package buffer makes buffers whose memory does not depend on the input.
package buffer

// Resident returns a buffer whose memory the system provides now, not as the input fills it, so that peak memory is the
// same for the smallest input.
func Resident[T any](length int) []T {
	b := make([]T, length)
	clear(b)
	return b
}
