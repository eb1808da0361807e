package mastodon

import (
	"fmt"
	"strconv"

	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) adminDimensions(r *request.Request) (any, error) {
	keys := r.In.Strings("keys")
	if len(keys) > 20 {
		r.In.Fault("keys", "has more than 20 keys")
	}
	from, to := r.In.Period()
	limit := r.In.Limit()
	if limit == 0 {
		limit = 10
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	found, err := a.svc.Moderation.Dimensions(r.Context(), r.Actor(), keys, from, to, limit)
	if err != nil {
		return nil, err
	}
	out := make([]wire.AdminDimension, len(found))
	for i, d := range found {
		out[i] = wire.AdminDimension{Key: d.Key, Data: make([]wire.DimensionData, len(d.Parts))}
		for j, p := range d.Parts {
			out[i].Data[j] = wire.DimensionData{Key: p.Key, HumanKey: p.Name, Value: p.Value, Unit: p.Unit}
			if n, err := strconv.ParseInt(p.Value, 10, 64); err == nil && p.Unit == "bytes" {
				out[i].Data[j].HumanValue = megabytes(n)
			}
		}
		if d.Key == "software_versions" {
			out[i].Data = []wire.DimensionData{{Key: "mastodon", HumanKey: "Mastodon", Value: a.version(), Unit: "", HumanValue: a.version()}, {Key: "linnet", HumanKey: "Linnet", Value: a.opts.Version, Unit: "", HumanValue: a.opts.Version}}
		}
	}
	return out, nil
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func (a *API) adminRetention(r *request.Request) (any, error) {
	from, to := r.In.Day("start_at"), r.In.Day("end_at")
	frequency := "day"
	if r.In.String("frequency") == "month" {
		frequency = "month"
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	found, err := a.svc.Moderation.Retention(r.Context(), r.Actor(), from, to, frequency == "month")
	if err != nil {
		return nil, err
	}
	out := make([]wire.AdminCohort, len(found))
	for i, c := range found {
		out[i] = wire.AdminCohort{Period: wire.Timestamp(c.Period), Frequency: frequency, Data: make([]wire.CohortData, len(c.Dates))}
		for j, n := range c.Active {
			out[i].Data[j] = wire.CohortData{Date: wire.Timestamp(c.Dates[j]), Rate: float64(n) / float64(max(c.Size, 1)), Value: strconv.FormatInt(n, 10)}
		}
	}
	return out, nil
}
