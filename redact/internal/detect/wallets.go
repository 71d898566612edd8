package detect

import (
	"encoding/base32"
	"encoding/binary"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
)

// WalletKeys are the keys of wallets and of networks. Most have a checksum; only where the prefix
// is too short to tell is it asked for, since a key with a mistake in it is still nearly the key.
func WalletKeys() []Rule {
	return []Rule{
		tok("nats_seed", Token{prefix: []string{"SUA", "SAA", "SOA", "SNA", "SCA", "SXA"},
			body: lex.Upper | lex.HexUpper | lex.Digits, Min: 55, max: 55, loose: true, check: checkFunc(isNATSSeed)},
			"SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY", "NATS documentation: NKeys").
			unlike("SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCUZVY"),
		tok("wallet_key", Token{prefix: []string{"xprv", "yprv", "zprv", "Yprv", "Zprv", "tprv", "uprv", "vprv",
			"Uprv", "Vprv", "Ltpv", "Mtpv", "dgpv"},
			body: lex.Alnum, Min: 90, max: 120, common: true, check: checkFunc(isMixedCase)},
			"xprv9s21ZrQH143K"+strings.ReplaceAll(Made(95), "0", "1"), "BIP 32, SLIP 132").
			unlike("xprvalue"),
		tok("nostr_key", Token{prefix: []string{"nsec1", "ncryptsec1"}, body: lex.Lower | lex.HexLower | lex.Digits,
			Min:   50,
			check: checkFunc(candidate.HasDigit)},
			"nsec1"+strings.Repeat("qpzry9x8gf", 6)[:58], "NIP-19, NIP-49").
			unlike("nsec1234567890"),
		tok("cardano_key", Token{prefix: []string{"ed25519_sk1", "ed25519e_sk1", "ed25519bip32_sk1", "root_sk1",
			"root_xsk1", "acct_sk1", "acct_xsk1",
			"addr_sk1", "addr_xsk1", "stake_sk1", "stake_xsk1"}, body: lex.Lower | lex.HexLower | lex.Digits, Min: 50,
			check: checkFunc(candidate.HasDigit)},
			"addr_xsk1"+strings.Repeat("qpzry9x8gf", 16)[:155], "CIP-5").
			unlike("addr_sk1_of_the_socket"),
		tok("sui_key", Token{prefix: []string{"suiprivkey1"}, body: lex.Lower | lex.HexLower | lex.Digits, Min: 50},
			"suiprivkey1"+strings.Repeat("qpzry9x8gf", 6)[:59], "Sui SIP-15").
			unlike("suiprivkey1"),
		tok("aptos_key", Token{prefix: []string{"ed25519-priv-0x", "secp256k1-priv-0x"}, body: lex.Hexadecimal,
			Min: 60},
			"ed25519-priv-0x"+MadeHex(64), "Aptos AIP-80").
			unlike("ed25519-priv-0x"),
	}
}

// isNATSSeed says whether tok, in base32, ends with the checksum of what is before it.
func isNATSSeed(tok []byte) bool {
	const size = 2 + 32 + 2 // the prefix, the seed, the checksum
	var raw [size]byte
	n, err := base32.StdEncoding.WithPadding(base32.NoPadding).Decode(raw[:], tok)
	return err == nil && n == size && crc16(raw[:size-2]) == binary.LittleEndian.Uint16(raw[size-2:])
}

// crc16 returns the checksum of NKeys: polynomial 0x1021, from zero (XMODEM).
func crc16(b []byte) (sum uint16) {
	const polynomial = 0x1021
	for _, c := range b {
		sum ^= uint16(c) << 8
		for range 8 {
			if sum&0x8000 != 0 {
				sum = sum<<1 ^ polynomial
			} else {
				sum <<= 1
			}
		}
	}
	return sum
}
