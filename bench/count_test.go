// Package bench compares counters of tokens side by side, in a module of its own so that the others stay out of kfw's:
//
//	go test -C bench -bench . -benchtime 200ms
package bench

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pkoukk/tiktoken-go"
	tiktokenloader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/tiktoken-go/tokenizer"

	"github.com/kfw-dev/kfw/budget"
)

// sample is a text of one kind, in lines that differ.
type sample struct {
	name  string
	lines []string
}

func samples() []sample {
	json := sample{name: "json"}
	prose := sample{name: "prose"}
	code := sample{name: "code"}
	cjk := sample{name: "cjk"}
	subjects := []string{"the night porter", "a retired surveyor", "our neighbour", "the smaller of the two ferries", "nobody in the village"}
	verbs := []string{"remembered", "had quietly postponed", "never quite understood", "sold", "was asked to describe"}
	objects := []string{"the lighthouse inventory", "seventeen boxes of unsorted letters", "what the winter had cost", "that particular melody"}
	words := strings.Fields("发货单 已经 打印 完成 请在 星期五 之前 确认 收货 地址 库存 不足 商品 自动 退款 明天 上午 仓库 盘点 系统 升级 客户 投诉 处理 结果 " +
		"配達 午前中 返品 手続き 店頭 承ります 在庫 確認 してください 電話番号 変更 予定 ありがとう 荷物 届きました 東京都 営業所 受付 時間")
	random := rand.New(rand.NewPCG(1, 2))
	clause := func() (text string) {
		for range 3 + random.IntN(8) {
			text += words[random.IntN(len(words))]
		}
		return text
	}
	for i := range 400 {
		json.lines = append(json.lines, fmt.Sprintf(`{"id":"ord_%05d","at":"2026-03-%02dT09:%02d:07Z","status":%q,"total":%d.%02d,"customer":{"name":"Customer %d","tags":["new","eu-%d"]}}`+"\n",
			10000+i*37, 1+i%28, i%60, []string{"paid", "open", "refunded"}[i%3], i*13%900, i*7%100, i, i%9))
		prose.lines = append(prose.lines, fmt.Sprintf("On the %dth of that month %s %s %s, and %s.\n", i%30+1, subjects[i%5], verbs[i*3%5], objects[i*7%4], verbs[(i+2)%5]))
		code.lines = append(code.lines, fmt.Sprintf("\tif err := store.update%d(ctx, rows[%d:], options{retry: %t}); err != nil {\n\t\treturn fmt.Errorf(\"update of shard %d: %%w\", err)\n\t}\n", i%12, i, i%2 == 0, i))
		cjk.lines = append(cjk.lines, fmt.Sprintf("%s，%s%d。%s、%s！\n", clause(), clause(), i, clause(), clause()))
	}
	return []sample{json, prose, code, cjk}
}

// counter is one way to count the tokens of o200k_base.
type counter struct {
	name  string
	count func(line string) int
}

// lent returns the bytes of a string, in a buffer that is used again: kfw counts bytes.
func lent() func(line string) []byte {
	var buffer []byte
	return func(line string) []byte {
		buffer = append(buffer[:0], line...)
		return buffer
	}
}

func counters(b *testing.B) []counter {
	b.Helper()
	own, err := budget.NewCounter("o200k_base")
	if err != nil {
		b.Fatal(err)
	}
	tiktoken.SetBpeLoader(tiktokenloader.NewOfflineLoader())
	reference, err := tiktoken.GetEncoding("o200k_base")
	if err != nil {
		b.Fatal(err)
	}
	other, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		b.Fatal(err)
	}
	line := lent()
	return []counter{
		{"kfw", func(text string) int { return own.Count(line(text)) }},
		{"tiktoken-go", func(line string) int { return len(reference.EncodeOrdinary(line)) }},
		{"tokenizer", func(line string) int {
			n, err := other.Count(line)
			if err != nil {
				b.Fatal(err)
			}
			return n
		}},
	}
}

func BenchmarkCount(b *testing.B) {
	for _, sample := range samples() {
		size := len(strings.Join(sample.lines, ""))
		for _, counter := range counters(b) {
			b.Run(sample.name+"/"+counter.name, func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					for _, line := range sample.lines {
						counter.count(line)
					}
				}
			})
		}
	}
}

// BenchmarkLong is of what is no text: a counter that takes the square of a run takes seconds for it.
func BenchmarkLong(b *testing.B) {
	counter, err := budget.NewCounter("o200k_base")
	if err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	base64 := make([]byte, 1<<20)
	for i := range base64 {
		base64[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[random.IntN(64)]
	}
	for name, text := range map[string][]byte{"letter": bytes.Repeat([]byte("a"), 1<<20), "blanks": bytes.Repeat([]byte(" "), 1<<20), "base64": base64} {
		for _, size := range []int{1 << 16, 1 << 20} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					counter.Count(text[:size])
				}
			})
		}
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		counter, err := budget.NewCounter("o200k_base")
		if err != nil {
			b.Fatal(err)
		}
		counter.Count([]byte("hello world\n"))
	}
}
