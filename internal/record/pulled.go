package record

import (
	"linnet/internal/kv"
)

func PulledKey() kv.Key { return ShardKey(KindPulled, 0) }

func PushedKey() kv.Key { return ShardKey(KindPushed, 0) }
