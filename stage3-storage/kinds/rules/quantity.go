package rules

import (
	"math/big"
	"strings"
)

// suffixes are the units of quantities: powers of 1024 and of 1000.
var suffixes = map[string]*big.Rat{
	"Ki": power(2, 10), "Mi": power(2, 20), "Gi": power(2, 30), "Ti": power(2, 40), "Pi": power(2, 50), "Ei": power(2, 60),
	"": power(10, 0), "k": power(10, 3), "M": power(10, 6), "G": power(10, 9), "T": power(10, 12), "P": power(10, 15), "E": power(10, 18),
	"m": fraction(3), "u": fraction(6), "n": fraction(9),
}

func power(base, exponent int64) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(base), big.NewInt(exponent), nil))
}

func fraction(exponent int64) *big.Rat { return new(big.Rat).Inv(power(10, exponent)) }

// maxQuantity is longer than any quantity that makes sense; it keeps a hostile
// exponent from being computed.
const maxQuantity = 64

// Quantity reads an amount such as "100m", "1.5Gi" or "1e3" exactly.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go ParseQuantity
func Quantity(v any) (*big.Rat, bool) {
	text, ok := v.(string)
	if !ok || len(text) > maxQuantity {
		return nil, false
	}
	digits := strings.TrimRight(text, "KMGTPEikmun")
	if mantissa, exponent, scientific := strings.Cut(strings.ToLower(digits), "e"); scientific && (mantissa == "" || len(exponent) > 3) {
		return nil, false
	}
	unit, ok := suffixes[text[len(digits):]]
	if !ok || strings.ContainsAny(digits, "/xXoObB_pP") {
		return nil, false
	}
	n, ok := new(big.Rat).SetString(digits)
	if !ok {
		return nil, false
	}
	return n.Mul(n, unit), true
}

// QuantityText is the one way to write an amount, with the largest unit that
// leaves a whole number. binary prefers powers of 1024.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go CanonicalizeBytes
func QuantityText(n *big.Rat, binary bool) string {
	units := []string{"E", "P", "T", "G", "M", "k", "", "m", "u", "n"}
	if binary && n.IsInt() {
		units = []string{"Ei", "Pi", "Ti", "Gi", "Mi", "Ki", ""}
	}
	if n.Sign() == 0 {
		return "0"
	}
	for _, unit := range units {
		if q := new(big.Rat).Quo(n, suffixes[unit]); q.IsInt() {
			return q.Num().String() + unit
		}
	}
	return n.FloatString(9)
}

// BinaryQuantity reports whether an amount is written in powers of 1024.
func BinaryQuantity(text string) bool { return strings.HasSuffix(text, "i") }
