package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

const (
	DirectorySlices = 16
)

func directoryKeys() []KeyDoc {
	return []KeyDoc{{KindDirectory, "set", "order", "discoverable users, in 16 slices: active by last status, new by time of sign-up", "1,000 a slice", "", noSecret()}}
}

func DirectoryKey(order linnet.DirectoryOrder, slice int) kv.Key {
	return kv.Key{Kind: KindDirectory, Shard: uint16(slice * (kv.Shards / DirectorySlices)), ID: string(order)}
}

func DirectorySlice(user linnet.ID) int { return int(user.Shard()) % DirectorySlices }
