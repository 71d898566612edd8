package turn_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/kfw-dev/kfw/turn"
)

// TestStored: a turn and a snapshot that were stored are the same when they are read back, wherever the stream was cut.
func TestStored(t *testing.T) {
	t.Run("samples", func(t *testing.T) {
		for p, stream := range samples() {
			storedAndRead(t, string(p), []byte(stream))
		}
	})
	t.Run("recorded", func(t *testing.T) {
		for path := range recorded(t, "turn-field*") {
			stream, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			storedAndRead(t, filepath.Base(path), stream)
		}
	})
}

func storedAndRead(t *testing.T, name string, stream []byte) {
	t.Helper()
	same := func(stored, read any) {
		text, err := json.Marshal(stored)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, read); err != nil || !reflect.DeepEqual(stored, read) {
			t.Errorf("%s: %v\nstored %+v\nread   %+v", name, err, stored, read)
		}
	}
	const piece = 97
	a := turn.New(turn.Options{})
	for i := 0; i < len(stream); i += piece {
		if err := a.Push(stream[i:min(i+piece, len(stream))]); err != nil {
			t.Fatal(err)
		}
		for _, ok := a.Next(); ok; _, ok = a.Next() {
		}
		now := a.Snapshot().Stored()
		same(&now, &turn.Stored{})
	}
	result := a.Close()
	same(&result, &turn.Turn{})
}
