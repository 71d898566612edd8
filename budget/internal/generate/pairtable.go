package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	tiktokenloader "github.com/pkoukk/tiktoken-go-loader"

	"github.com/kfw-dev/kfw/budget/internal/pairs"
)

// pairTable returns the table of package pairs for a vocabulary: a perfect hash of pairs of tokens, found by giving
// each bucket of pairs, the largest first, the first displacement that puts all of them on free slots.
func pairTable(encoding string, layout pairs.Layout) ([]byte, error) {
	ranks, err := tiktokenloader.NewOfflineLoader().LoadTiktokenBpe(encoding + ".tiktoken")
	if err != nil {
		return nil, err
	}
	table := make([]byte, layout.Size())
	for i := range layout.Slots() * 8 {
		table[i] = 0xFF // no pair
	}
	buckets := make([][]uint64, layout.Buckets())
	for token, rank := range ranks {
		if rank >= 1<<pairs.TokenBits {
			return nil, fmt.Errorf("rank %d is too large", rank)
		}
		if len(token) == 1 {
			if rank > 0xFF {
				return nil, errors.New("a byte has a rank above 255")
			}
			table[layout.ByteAt(token[0])] = byte(rank)
			continue
		}
		left, right, err := halves(ranks, token)
		if err != nil {
			return nil, err
		}
		key := pairs.Key(left, right)
		bucket := layout.Bucket(key)
		buckets[bucket] = append(buckets[bucket], key<<pairs.TokenBits|uint64(rank))
	}

	order := make([]int, len(buckets))
	for i := range order {
		order[i] = i
		slices.Sort(buckets[i]) // which a map has in no order
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(buckets[b]) - len(buckets[a]) })
	taken := make([]bool, layout.Slots())
	for _, bucket := range order {
		displacement, err := displace(layout, buckets[bucket], taken)
		if err != nil {
			return nil, err
		}
		binary.LittleEndian.PutUint16(table[layout.DisplacementAt(bucket):], displacement)
		for _, entry := range buckets[bucket] {
			slot := layout.Slot(entry>>pairs.TokenBits, displacement)
			binary.LittleEndian.PutUint64(table[slot*8:], entry)
		}
	}
	return table, nil
}

// displace finds a displacement for the entries of a bucket, and takes the slots.
func displace(layout pairs.Layout, entries []uint64, taken []bool) (uint16, error) {
	var slots []int
search:
	for displacement := range 1 << 16 {
		slots = slots[:0]
		for _, entry := range entries {
			slot := layout.Slot(entry>>pairs.TokenBits, uint16(displacement))
			if taken[slot] || slices.Contains(slots, slot) {
				continue search
			}
			slots = append(slots, slot)
		}
		for _, slot := range slots {
			taken[slot] = true
		}
		return uint16(displacement), nil
	}
	return 0, errors.New("no displacement for a bucket: the table needs another multiplier, or more slots")
}

// halves returns the two tokens that byte-pair encoding merges last when it makes the token. That there are exactly two
// is what the table rests on: any two tokens that are ever merged are then those.
func halves(ranks map[string]int, token string) (left, right uint32, err error) {
	cuts := make([]int, 0, len(token)+1) // where parts begin, and the end
	for i := range len(token) + 1 {
		cuts = append(cuts, i)
	}
	for len(cuts) > 3 {
		lowest, at := len(ranks), -1
		for i := range len(cuts) - 2 {
			if rank, ok := ranks[token[cuts[i]:cuts[i+2]]]; ok && rank < lowest {
				lowest, at = rank, i
			}
		}
		if at < 0 {
			return 0, 0, fmt.Errorf("token %d can't be made of two others", ranks[token])
		}
		cuts = slices.Delete(cuts, at+1, at+2)
	}
	return uint32(ranks[token[:cuts[1]]]), uint32(ranks[token[cuts[1]:]]), nil
}
