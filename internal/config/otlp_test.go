package config_test

import (
	"strings"
	"testing"

	"linnet/internal/config"
)

// TestOTLPOptions expects errors with an example for invalid values.
func TestOTLPOptions(t *testing.T) {
	for _, c := range []struct{ name, value, advice string }{
		{"otlp.endpoint", "localhost:4318", "http://localhost:4318"}, {"otlp.endpoint", "grpc://a:4317", "http://localhost:4318"},
		{"otlp.endpoint", "https://user:pass@a.example", "otlp.headers"}, {"otlp.endpoint", "https://a.example?key=1", "otlp.headers"},
		{"otlp.headers", "Bearer x", "Authorization=Bearer"}, {"otlp.headers", "a b=c", "Authorization=Bearer"}, {"otlp.headers", "=c", "Authorization=Bearer"}, {"otlp.headers", "a=b\x00", "Authorization=Bearer"},
		{"otlp.share", "1.5", "0.1 for a tenth"}, {"otlp.share", "-1", "0.1 for a tenth"}, {"otlp.share", "NaN", "0.1 for a tenth"}, {"otlp.share", "10%", "0.1 for a tenth"},
	} {
		_, err := config.Resolve(map[string]string{"data": t.TempDir(), c.name: c.value}, config.Environment{})
		if err == nil || !strings.Contains(err.Error(), c.advice) {
			t.Errorf("%s %q: %v", c.name, c.value, err)
		}
	}
}
