package split

import (
	"fmt"
	"testing"

	"github.com/tidwall/gjson"
)

// TestPathKeys: gjson finds a member by its key as it stands in a path, whichever sign is in it, be it the first.
func TestPathKeys(t *testing.T) {
	for sign := range 128 {
		for _, form := range []string{"%c", "%ca", "a%c", "a%cb", "%[1]c%[1]c"} {
			key := fmt.Sprintf(form, rune(sign))
			object := fmt.Sprintf(`{"in":{%s:7}}`, gjson.AppendJSONString(nil, key))
			path := string(AppendPathKey([]byte("in."), key))
			if gjson.Get(object, path).Int() != 7 {
				t.Errorf("%s is not found in %s", path, object)
			}
		}
	}
}
