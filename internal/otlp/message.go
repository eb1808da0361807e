package otlp

import (
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
)

// The types below are the JSON form of ExportTraceServiceRequest in opentelemetry-proto 1.x. Ids
// are hexadecimal, 64-bit numbers are strings, and kinds and codes are numbers. Fields that these
// spans never have (links, trace states) are omitted.
type request struct {
	Resources []resourceSpans `json:"resourceSpans"`
}

type resourceSpans struct {
	Resource described    `json:"resource"`
	Scopes   []scopeSpans `json:"scopeSpans"`
}

type described struct {
	Attributes []keyValue `json:"attributes,omitempty"`
}

type scopeSpans struct {
	Scope scope  `json:"scope"`
	Spans []span `json:"spans"`
}

type scope struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type span struct {
	Trace             string     `json:"traceId"`
	ID                string     `json:"spanId"`
	Parent            string     `json:"parentSpanId,omitempty"`
	Name              string     `json:"name"`
	Kind              int        `json:"kind"`
	Start             string     `json:"startTimeUnixNano"`
	End               string     `json:"endTimeUnixNano"`
	Attributes        []keyValue `json:"attributes,omitempty"`
	DroppedAttributes int        `json:"droppedAttributesCount,omitempty"`
	Status            status     `json:"status"`
}

type status struct {
	Code    int    `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

type keyValue struct {
	Key   string `json:"key"`
	Value value  `json:"value"`
}

// value has exactly one field set.
type value struct {
	String *string  `json:"stringValue,omitempty"`
	Bool   *bool    `json:"boolValue,omitempty"`
	Int    *string  `json:"intValue,omitempty"`
	Double *float64 `json:"doubleValue,omitempty"`
}

// message returns the request for spans, grouped by instrumentation scope. All spans have the
// resource of the process.
func message(spans []trace.ReadOnlySpan) request {
	var scopes []scopeSpans
	at := map[instrumentation.Scope]int{}
	for _, s := range spans {
		by := s.InstrumentationScope()
		i, ok := at[by]
		if !ok {
			i = len(scopes)
			at[by] = i
			scopes = append(scopes, scopeSpans{Scope: scope{by.Name, by.Version}})
		}
		scopes[i].Spans = append(scopes[i].Spans, spanOf(s))
	}
	return request{[]resourceSpans{{Resource: resourceOf(spans[0].Resource()), Scopes: scopes}}}
}

func resourceOf(r *resource.Resource) described { return described{attributes(r.Attributes())} }

func spanOf(s trace.ReadOnlySpan) span {
	out := span{Trace: s.SpanContext().TraceID().String(), ID: s.SpanContext().SpanID().String(), Name: s.Name(),
		Kind: int(s.SpanKind()), Start: nanos(s.StartTime()), End: nanos(s.EndTime()),
		Attributes: attributes(s.Attributes()), DroppedAttributes: s.DroppedAttributes(),
		Status: status{statusCode(s.Status().Code), s.Status().Description}}
	if s.Parent().SpanID().IsValid() {
		out.Parent = s.Parent().SpanID().String()
	}
	return out
}

// statusCode converts a status code of the library to the protocol, which numbers them differently.
func statusCode(c codes.Code) int {
	switch c {
	case codes.Ok:
		return 1
	case codes.Error:
		return 2
	}
	return 0
}

func nanos(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

// attributes encodes attributes. Types that the program does not use become strings.
func attributes(all []attribute.KeyValue) []keyValue {
	out := make([]keyValue, 0, len(all))
	for _, a := range all {
		out = append(out, keyValue{string(a.Key), valueOf(a.Value)})
	}
	return out
}

func valueOf(v attribute.Value) value {
	switch v.Type() {
	case attribute.BOOL:
		b := v.AsBool()
		return value{Bool: &b}
	case attribute.INT64:
		n := strconv.FormatInt(v.AsInt64(), 10)
		return value{Int: &n}
	case attribute.FLOAT64:
		f := v.AsFloat64()
		return value{Double: &f}
	}
	s := v.String()
	return value{String: &s}
}
