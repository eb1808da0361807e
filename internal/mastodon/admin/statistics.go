package admin

import (
	"fmt"
	"strconv"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/moderation"
)

// statisticsHandler handles statistics.
// https://docs.joinmastodon.org/methods/admin/measures/
type statisticsHandler struct {
	release    string // of Linnet
	version    string // that clients read
	core       *core.Service
	moderation *moderation.Service
}

func (h *statisticsHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("POST /api/v1/admin/measures", request.User("admin:read"), staff(h.core, linnet.ViewDashboard, h.measures)),
		request.Handle("POST /api/v1/admin/dimensions", request.User("admin:read"), staff(h.core, linnet.ViewDashboard, h.dimensions)),
		request.Handle("POST /api/v1/admin/retention", request.User("admin:read"), staff(h.core, linnet.ViewDashboard, h.retention)),
	}
}

func (h *statisticsHandler) measures(r *request.Request) (any, error) {
	keys := r.In.Strings("keys")
	if len(keys) > 20 {
		r.In.Fault("keys", "can have at most 20 entries")
	}
	from, to := r.In.Day("start_at"), r.In.Day("end_at")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	found, err := h.moderation.Statistics.Measures(r.Context(), r.Actor(), keys, from, to)
	if err != nil {
		return nil, err
	}
	out := make([]wire.AdminMeasure, len(found))
	for i, m := range found {
		out[i] = wire.AdminMeasure{Key: m.Key, Total: strconv.FormatInt(m.Total, 10), Previous: strconv.FormatInt(m.Previous, 10), Data: make([]wire.AdminDate, len(m.Days))}
		for d, day := range m.Days {
			out[i].Data[d] = wire.AdminDate{Date: wire.Timestamp(day), Value: strconv.FormatInt(m.Values[d], 10)}
		}
	}
	return out, nil
}

func (h *statisticsHandler) dimensions(r *request.Request) (any, error) {
	keys := r.In.Strings("keys")
	if len(keys) > 20 {
		r.In.Fault("keys", "can have at most 20 entries")
	}
	from, to := r.In.Period()
	limit := r.In.Limit()
	if limit == 0 {
		limit = 10
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	found, err := h.moderation.Statistics.Dimensions(r.Context(), r.Actor(), keys, from, to, limit)
	if err != nil {
		return nil, err
	}
	out := make([]wire.AdminDimension, len(found))
	for i, d := range found {
		out[i] = wire.AdminDimension{Key: d.Key, Data: make([]wire.DimensionData, len(d.Parts))}
		for j, p := range d.Parts {
			out[i].Data[j] = wire.DimensionData{Key: p.Key, HumanKey: p.Name, Value: p.Value, Unit: p.Unit}
			if n, err := strconv.ParseInt(p.Value, 10, 64); err == nil && p.Unit == "bytes" {
				out[i].Data[j].HumanValue = fmt.Sprintf("%.1f MB", float64(n)/1e6)
			}
		}
		if d.Key == "software_versions" {
			out[i].Data = []wire.DimensionData{{Key: "mastodon", HumanKey: "Mastodon", Value: h.version, Unit: "", HumanValue: h.version}, {Key: "linnet", HumanKey: "Linnet", Value: h.release, Unit: "", HumanValue: h.release}}
		}
	}
	return out, nil
}

func (h *statisticsHandler) retention(r *request.Request) (any, error) {
	from, to := r.In.Day("start_at"), r.In.Day("end_at")
	frequency := "day"
	if r.In.String("frequency") == "month" {
		frequency = "month"
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	found, err := h.moderation.Statistics.Retention(r.Context(), r.Actor(), from, to, frequency == "month")
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
