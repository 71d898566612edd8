package middleware_test

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kfw-dev/kfw/mcp/middleware"
)

// A server has one tool, whose results are long and have addresses in them.
func Example() {
	server := sdk.NewServer(&sdk.Implementation{Name: "orders", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "list_orders"},
		func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			var orders strings.Builder
			for i := range 2000 {
				fmt.Fprintf(&orders, "order %d of ada@example.com: paid\n", i+1)
			}
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: orders.String()}}}, nil, nil
		})

	guard, err := middleware.New(middleware.Options{Budget: 500})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer guard.Close()
	guard.Protect(server)

	near, far := sdk.NewInMemoryTransports()
	go func() { _ = server.Run(context.Background(), near) }()
	agent := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil)
	client, err := agent.Connect(context.Background(), far, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	call := func(tool string, arguments map[string]any) string {
		result, err := client.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			return err.Error()
		}
		return result.Content[0].(*sdk.TextContent).Text
	}
	first, _, _ := strings.Cut(call("list_orders", map[string]any{}), "\n")
	fmt.Println(first)
	fmt.Print(call("kfw_expand", map[string]any{"handle": "h1", "lines": "1999-2000"}))
	// Output:
	// kfw: 2000 lines, 73 kB; redacted: email 2000; any of it: kfw_expand {"handle":"h1","lines":"17-1996"}
	// order 1999 of [REDACTED:email]: paid
	// order 2000 of [REDACTED:email]: paid
}
