package redact

import (
	"regexp"
	"strings"
)

// Alphabets of what follows a prefix.
const (
	hexadecimal = "0123456789abcdef"
	capital     = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	letterDigit = capital + "abcdefghijklmnopqrstuvwxyz"
	inURL       = letterDigit + "_-"
	inBase64    = letterDigit + "+/="
)

// prefixed is a secret that is known by how it begins.
type prefixed struct {
	prefix, alphabet string
	least            int // characters behind the prefix
}

// prefixes are those of providers whose secrets begin with something that nothing else does. A prefix that is a word of its own, or is
// short, needs more behind it.
var prefixes = []prefixed{
	{"ghp_", letterDigit, 20}, {"gho_", letterDigit, 20}, {"ghu_", letterDigit, 20}, {"ghs_", letterDigit, 20}, {"ghr_", letterDigit, 20}, // GitHub
	{"github_pat_", letterDigit + "_", 20},
	{"glpat-", inURL + ".", 16}, {"gldt-", inURL, 20}, {"glrt-", inURL + ".", 20}, {"glcbt-", inURL, 20}, {"glptt-", inURL, 20}, {"glagent-", inURL, 20}, {"gloas-", inURL, 20}, // GitLab
	{"ATATT3", inURL + "=", 20}, {"ATCTT3", inURL + "=", 20}, {"ATBB", letterDigit, 28}, // Atlassian
	{"xapp-", letterDigit + "-", 20}, {"xwfp-", letterDigit + "-", 20}, // Slack
	{"npm_", letterDigit, 30}, {"pypi-AgE", inURL, 16}, {"rubygems_", hexadecimal, 40}, {"dckr_pat_", inURL, 16}, {"dckr_oat_", inURL, 16}, // registries
	{"hf_", letterDigit, 20}, {"gsk_", letterDigit, 24}, {"r8_", letterDigit, 24}, {"pplx-", letterDigit, 24}, {"xai-", letterDigit, 24}, // models
	{"tvly-", inURL, 20}, {"lsv2_pt_", letterDigit + "_", 32}, {"lsv2_sk_", letterDigit + "_", 32},
	{"AIza", inURL, 30}, {"ya29.", inURL + ".", 10}, {"GOCSPX-", inURL, 20}, {"1//0", inURL, 40}, // Google
	{"dop_v1_", hexadecimal, 40}, {"doo_v1_", hexadecimal, 40}, {"dor_v1_", hexadecimal, 40}, // DigitalOcean
	{"glsa_", letterDigit + "_", 32}, {"glc_", inBase64, 32}, // Grafana
	{"lin_api_", letterDigit, 32}, {"lin_oauth_", letterDigit, 32}, {"ntn_", letterDigit, 40}, {"figd_", inURL, 20}, {"PMAK-", hexadecimal + "-", 40},
	{"shpat_", letterDigit, 32}, {"shpca_", letterDigit, 32}, {"shppa_", letterDigit, 32}, {"shpss_", letterDigit, 32}, // Shopify
	{"whsec_", inBase64, 24}, {"sq0atp-", inURL, 22}, {"sq0csp-", inURL, 40}, {"EAAA", inURL, 56}, // Stripe and Square
	{"SG.", inURL + ".", 32}, {"key-", hexadecimal, 32}, // SendGrid and Mailgun
	{"tskey-", letterDigit + "-", 20}, {"dapi", hexadecimal, 32}, {"NRAK-", capital, 27}, {"sntrys_", inBase64 + "_", 32}, {"sntryu_", hexadecimal, 40},
	{"hvs.", inURL, 24}, {"hvb.", inURL, 24}, {"hvr.", inURL, 24}, {"pul-", hexadecimal, 40}, {"sbp_", hexadecimal, 40}, {"sb_secret_", inURL, 20},
	{"pscale_tkn_", inURL + ".", 32}, {"pscale_pw_", inURL + ".", 32}, {"dt0c01.", capital + ".", 64}, {"CCIPAT_", letterDigit + "_", 32}, {"bkua_", hexadecimal, 40},
	{"dp.pt.", letterDigit, 40}, {"dp.st.", inURL + ".", 40}, {"nfp_", letterDigit, 36}, {"AGE-SECRET-KEY-1", capital, 20},
}

// alphabets are those of the prefixes as sets.
var alphabets = func() [][256]bool {
	all := make([][256]bool, len(prefixes))
	for i, p := range prefixes {
		for _, c := range []byte(p.alphabet) {
			all[i][c] = true
		}
	}
	return all
}()

// beginnings are the prefixes by a number that is made of their first three characters: a line is gone through once, not for each of them.
var beginnings = func() (all [1024][]int) {
	for n, p := range prefixes {
		at := beginning(p.prefix, 0)
		all[at] = append(all[at], n)
	}
	return all
}()

func beginning(s string, i int) int { return (int(s[i])*37 ^ int(s[i+1])*5 ^ int(s[i+2])*193) % 1024 }

// leftOf is what stands before a secret.
var leftOf = regexp.MustCompile(left + `$`)

// withPrefixes are the secrets in a text that are known by how they begin.
func withPrefixes(s string, found []span) []span {
	for i := 0; i+2 < len(s); i++ {
		for _, n := range beginnings[beginning(s, i)] {
			if to := prefixes[n].end(s, i, &alphabets[n]); to > i {
				found = append(found, span{i, to})
				i = to - 1
				break
			}
		}
	}
	return found
}

// end is where a secret ends that begins at a place; the place itself if none does.
func (p prefixed) end(s string, i int, alphabet *[256]bool) int {
	if !strings.HasPrefix(s[i:], p.prefix) || !leftOf.MatchString(s[max(0, i-longestColour):i]) {
		return i
	}
	from := i + len(p.prefix)
	to := from
	for to < len(s) && alphabet[s[to]] {
		to++
	}
	if to-from < p.least {
		return i
	}
	return to
}
