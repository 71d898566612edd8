package pipeline_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
)

// A response is filtered from a reader to a writer: redacted, and within a budget.
func Example() {
	firewall, err := pipeline.New(pipeline.Options{Budget: 400, Plan: fit.Digest, Encoding: encode.Text{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	response := strings.NewReader(
		"{\"id\":1,\"mail\":\"ada@example.com\"}\n{\"id\":2,\"password\":\"hunter2-hunter2\"}\n")
	if err := firewall.Run(response, os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"id":1,"mail":"[REDACTED:email]"}
	// {"id":2,"password":"[REDACTED:password]"}
}

// Frames come one by one, while the response is read.
func ExampleFirewall_Frames() {
	firewall, err := pipeline.New(pipeline.Options{Budget: 300})
	if err != nil {
		fmt.Println(err)
		return
	}
	records := func(yield func([]byte, error) bool) {
		for i := 1; yield(fmt.Appendf(nil, `{"id":%d,"state":"open","amount":12.5}`, i), nil) && i < 5000; i++ {
		}
	}
	response := pipeline.Records(records)
	defer response.Close()
	modes := map[string]int{}
	for frame, err := range firewall.Frames(response) {
		if err != nil {
			fmt.Println(err)
			return
		}
		modes[frame.Mode.String()]++
		if frame.Final {
			fmt.Println(frame.Totals.Chunks, "records,", modes["raw"] > 0 && modes["table"] > 0 && modes["summary"] > 0)
		}
	}
	// Output: 5000 records, true
}

// A driver is a tool that is asked; one that has its answer at once is a driver like one that streams.
func ExampleFirewall_Invoke() {
	firewall, err := pipeline.New(pipeline.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	weather := pipeline.Whole(func(_ context.Context, request []byte) ([]byte, error) {
		return fmt.Appendf(nil, `[{"city":%q,"sky":"clear"}]`, request), nil
	})
	for frame, err := range firewall.Invoke(context.Background(), weather, []byte("Oslo")) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if !frame.Final {
			fmt.Printf("%s", frame.Data)
		}
	}
	// Output: [{"city":"Oslo","sky":"clear"}]
}

// Of a driver that streams, each element of an array is a chunk of its own, which is out when it is there.
func ExampleStreaming() {
	firewall, err := pipeline.New(pipeline.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	cities := pipeline.Streaming(func(_ context.Context, request []byte) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(`["Oslo","Lima"]`)), nil
	})
	for frame, err := range firewall.Invoke(context.Background(), cities, nil) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if !frame.Final {
			fmt.Printf("%s\n", frame.Data)
		}
	}
	// Output:
	// "Oslo"
	// "Lima"
}
