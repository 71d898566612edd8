package detect

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// NationalID is the form of such a number without a name: its checksum, and its separators or a
// date in it, tell it from other numbers. Its anchor begins lead bytes behind it.
type NationalID struct {
	id   *names.IDFormat
	lead int
}

// Find implements names.Form. The match is the whole number with its separators.
func (f NationalID) Find(w names.Window, at, to int) names.Finding {
	b := w.Text
	start := at - f.lead
	if start < 0 || !names.StartsWord(b, start) || joinedBack(b, start, lex.Dot|lex.Dash|lex.Slash) ||
		isNegative(b, start) {
		return names.Finding{}
	}
	if w.Cut(start + names.MaxID + 2) {
		return names.Finding{Verdict: names.Undecided, Start: start}
	}
	end := names.ReadID([]*names.IDFormat{f.id}, b, start, true)
	if end == start {
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: start, End: end}
}

// Excludes implements Excluder.
func (f NationalID) Excludes(b []byte, at, to int) bool { return findsNothing(f, b, at, to) }

var (
	nino        = &names.IDFormat{Layout: "LL_dd_dd_dd_L", Valid: isNINO}
	steuerID    = &names.IDFormat{Layout: "dd_ddd_ddd_ddd", Valid: isSteuerID, Sum: isMod1110}
	pensionDE   = &names.IDFormat{Layout: "dd_dd_dd_dd_L_dd_d"}
	pensionAT   = &names.IDFormat{Layout: "dddd_dddddd", Sum: isWeighted(11, 3, 7, 9, 0, 5, 8, 4, 2, 1, 6)}
	nirKey      = &names.IDFormat{Layout: "d_dd_dd_dX_ddd_ddd_dd", Valid: isNIR, Sum: isKeyedNIR}
	nir         = &names.IDFormat{Layout: "d_dd_dd_dX_ddd_ddd", Valid: isNIR}
	nirSpaced   = &names.IDFormat{Layout: "d dd dd dX ddd ddd dd", Valid: isNIR, Sum: isKeyedNIR}
	aadhaar     = &names.IDFormat{Layout: "dddd_dddd_dddd", Valid: isAadhaar, Sum: isVerhoeff}
	panIN       = &names.IDFormat{Layout: "LLLLLddddL", Valid: isPAN}
	cpf         = &names.IDFormat{Layout: "ddd_ddd_ddd_dd", Sum: isCPF}
	cpfSigns    = &names.IDFormat{Layout: "ddd.ddd.ddd-dd", Sum: isCPF}
	dni         = &names.IDFormat{Layout: "dd_ddd_ddd_L", Valid: isDNI, Sum: isDNI}
	nie         = &names.IDFormat{Layout: "L_ddddddd_L", Valid: isNIE, Sum: isNIE}
	nifPT       = &names.IDFormat{Layout: "ddd_ddd_ddd", Sum: isNIF}
	personSE    = &names.IDFormat{Layout: "dddddd_dddd", Valid: isDated(0), Sum: isLuhn}
	personSE12  = &names.IDFormat{Layout: "dddddddd_dddd", Valid: isDated(2), Sum: isLuhnOfTen}
	personNO    = &names.IDFormat{Layout: "dddddd_ddddd", Sum: isFodselsnummer}
	hetu        = &names.IDFormat{Layout: "dddddd-dddX", Sum: isHetu}
	hetu2000    = &names.IDFormat{Layout: "ddddddLdddX", Sum: isHetu}
	bsn         = &names.IDFormat{Layout: "dddd_dd_ddd", Sum: isBSN}
	nrn         = &names.IDFormat{Layout: "dd_dd_dd_ddd_dd", Sum: isNRN}
	nrnSigns    = &names.IDFormat{Layout: "dd.dd.dd-ddd.dd", Valid: isDatedNRN, Sum: isNRN}
	pesel       = &names.IDFormat{Layout: "ddddddddddd", Sum: isWeighted(10, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)}
	rodneCislo  = &names.IDFormat{Layout: "dddddd_dddd", Sum: isRodneCislo}
	codice      = &names.IDFormat{Layout: "LLLLLLXXLXXLXXXL", Valid: isCodice, Sum: isCodice}
	cnp         = &names.IDFormat{Layout: "ddddddddddddd", Sum: isCNP}
	pps         = &names.IDFormat{Layout: "ddddddd_L", Sum: isPPS}
	ahv         = &names.IDFormat{Layout: "ddd_dddd_dddd_dd", Valid: isSwiss, Sum: isEAN}
	ahvSigns    = &names.IDFormat{Layout: "ddd.dddd.dddd.dd", Valid: isSwiss, Sum: isEAN}
	nhs         = &names.IDFormat{Layout: "ddd_ddd_dddd", Sum: isWeighted(11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)}
	sinCA       = &names.IDFormat{Layout: "ddd_ddd_ddd", Sum: isLuhn}
	tfn         = &names.IDFormat{Layout: "ddd_ddd_ddd", Sum: isWeighted(11, 1, 4, 3, 7, 5, 8, 6, 9, 10)}
	medicareAU  = &names.IDFormat{Layout: "dddd_ddddd_d", Valid: isMedicare, Sum: isMedicare}
	medicareUS  = &names.IDFormat{Layout: "dLXd_LXd_LLdd"}
	curp        = &names.IDFormat{Layout: "LLLLddddddLLLLLLXd", Valid: isCURP, Sum: isCURP}
	cuil        = &names.IDFormat{Layout: "dd_dddddddd_d", Sum: isWeighted(11, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)}
	rut         = &names.IDFormat{Layout: "dd_ddd_ddd_X", Sum: isRUT}
	rut7        = &names.IDFormat{Layout: "d_ddd_ddd_X", Sum: isRUT}
	nric        = &names.IDFormat{Layout: "LdddddddL", Valid: isNRIC}
	mykad       = &names.IDFormat{Layout: "dddddd_dd_dddd", Valid: isDated(0)}
	rrn         = &names.IDFormat{Layout: "dddddd_ddddddd", Valid: isDated(0), Sum: isRRN}
	residentCN  = &names.IDFormat{Layout: "dddddddddddddddddX", Valid: isResidentCN, Sum: isResidentCN}
	snils       = &names.IDFormat{Layout: "ddd_ddd_ddd_dd", Sum: isSNILS}
	snilsSigns  = &names.IDFormat{Layout: "ddd-ddd-ddd dd", Sum: isSNILS}
	innRU       = &names.IDFormat{Layout: "dddddddddddd"}
	kimlik      = &names.IDFormat{Layout: "ddddddddddd", Sum: isKimlik}
	identityZA  = &names.IDFormat{Layout: "ddddddddddddd", Valid: isDated(0), Sum: isLuhn}
	cnic        = &names.IDFormat{Layout: "ddddd_ddddddd_d"}
	nik         = &names.IDFormat{Layout: "dddddddddddddddd"}
	identityAny = []*names.IDFormat{residentCN, identityZA, aadhaar, dni, nie}
)

// NationalIDs are the entries of the numbers that states give to persons: after a name in any
// form, behind a blank alone only with the right checksum.
func NationalIDs(n *names.Names) []Rule {
	id := func(name, words string, forms []*names.IDFormat, example, refused, source string) Rule {
		f := &names.Named{Names: n}
		x := Rule{Name: name, Group: names.PII, Form: f, Example: example, Refused: refused, Source: source}
		count := 1 + strings.Count(words, "|")
		f.Phrases, x.Anchors = make([]names.Phrase, 0, count), make([]string, 0, 5*count)
		for one := range strings.SplitSeq(words, "|") {
			f.Phrases = append(f.Phrases, names.Phrase{Words: one, Want: names.FormedID, Formats: forms})
			x.Anchors = append(x.Anchors, names.AnchorsOf(one)...)
		}
		return x
	}
	bare := func(name string, f NationalID, anchors []string, example, refused, source string) Rule {
		return Rule{Name: name, Group: names.PII, Anchors: anchors, Form: f, Example: example, Refused: refused,
			Source: source}
	}
	of := func(forms ...*names.IDFormat) []*names.IDFormat { return forms }
	return []Rule{
		id("uk_nino", "nino|ni number|national insurance no|national insurance", of(nino),
			"NINO: QQ 12 34 56 C", "nino: TN123456Z", "HMRC, National Insurance Manual NIM39110"),
		id("de_steuer_id",
			"steuer id|steuer idnr|steueridentifikationsnummer|steuerliche identifikationsnummer|"+
				"steuer identifikationsnummer|idnr", of(steuerID),
			"Steuer-ID: 86 095 742 719", "IdNr: 11111111111", "BZSt, Identifikationsnummer; ISO 7064, MOD 11,10"),
		id("de_pension_number", "sozialversicherungsnummer|rentenversicherungsnummer|sv nummer|svnr", of(pensionDE,
			pensionAT),
			"Sozialversicherungsnummer: 65 170839 J 003", "svnr: 65", "VKVV 2; ASVG 31"),
		id("fr_nir", "nir|numero de securite sociale|numero securite sociale|num secu|numero secu|numero insee",
			of(nirKey, nir),
			"NIR: 2 55 08 14 168 025 38", "nir: 2025", "INSEE, NIR"),
		bare("fr_nir", NationalID{id: nirSpaced}, []string{"0 00 00 00 000 000 00", "0 00 00 0a 000 000 00",
			"0 00 00 0b 000 000 00"},
			"2 55 08 14 168 025 38", "2 55 08 14 168 025 39", "INSEE, NIR"),
		id("in_aadhaar", "aadhaar|aadhar|aadhaar number|aadhaar no|aadhar number|aadhar no|uidai", of(aadhaar),
			"Aadhaar: 2345 6789 0124", "aadhaar: 1234 5678 9012", "UIDAI; Verhoeff"),
		id("in_pan", "pan number|pan no|pan card|permanent account number|pan", of(panIN),
			"PAN: ABCPL1234K", "pan: ABCDE1234K", "Income Tax Department of India, PAN"),
		id("br_cpf", "cpf|numero cpf|cadastro de pessoas fisicas", of(cpf),
			"CPF: 111.444.777-35", "cpf: 111", "Receita Federal, CPF"),
		bare("br_cpf", NationalID{id: cpfSigns}, []string{"000.000.000-00"},
			"111.444.777-35", "111.444.777-36", "Receita Federal, CPF"),
		id("es_dni", "dni|nie|numero dni|dni nie|documento nacional de identidad", of(dni, nie),
			"DNI: 12345678Z", "nie: 123456789", "Real Decreto 1553/2005"),
		id("es_dni", "nif", of(dni, nie, nifPT),
			"NIF: 123456789", "nif: 12345678I", "Real Decreto 1553/2005; Portaria 386/98"),
		id("se_personnummer", "personnummer|personnr|samordningsnummer|personal identity number", of(personSE,
			personSE12, personNO),
			"personnummer: 811218-9876", "personnummer: 819918-9876", "Skatteverket, SKV 704"),
		id("no_fodselsnummer", "fodselsnummer|fodselsnr|fødselsnummer|fødselsnr", of(personNO),
			"fodselsnummer: 01017012345", "fodselsnummer: 12", "Skatteetaten"),
		id("dk_cpr", "cpr|cpr nummer|cpr nr|cpr number", of(personSE),
			"CPR-nummer: 811212-9876", "cpr: 819918-9876", "CPR-kontoret"),
		id("fi_hetu", "hetu|henkilotunnus|henkilötunnus", of(hetu, hetu2000),
			"hetu: 131052-308T", "hetu: 131052", "Digital and Population Data Services Agency"),
		id("nl_bsn", "bsn|burgerservicenummer|sofinummer", of(bsn),
			"BSN: 111222333", "bsn: 1112", "Rijksdienst voor Identiteitsgegevens"),
		id("be_nrn", "rijksregisternummer|numero de registre national|numero national|insz|niss", of(nrn),
			"rijksregisternummer: 85.07.30-033.28", "niss: 85", "IBZ, Rijksregister"),
		bare("be_nrn", NationalID{id: nrnSigns}, []string{"00.00.00-000.00"},
			"85.07.30-033.28", "85.07.30-033.29", "IBZ, Rijksregister"),
		id("pl_pesel", "pesel|numer pesel", of(pesel),
			"PESEL: 44051401359", "pesel: 440", "Ministerstwo Cyfryzacji, PESEL"),
		id("cz_rodne_cislo", "rodne cislo|rodné číslo", of(rodneCislo),
			"rodne cislo: 780123/3540", "rodne cislo: 78", "133/2000 Sb."),
		id("it_codice_fiscale", "codice fiscale|codicefiscale|cod fiscale", of(codice),
			"codice fiscale: RSSMRA85T10A562S", "codice fiscale: RSSMRA85T10A562Q", "DM 23/12/1976"),
		bare("it_codice_fiscale", NationalID{id: codice, lead: 6}, codiceAnchors(),
			"RSSMRA85T10A562S", "RSSMRA85T10A562Q", "DM 23/12/1976"),
		id("ro_cnp", "cnp|cod numeric personal", of(cnp),
			"CNP: 1800101221144", "cnp: 180", "Legea 105/1996"),
		id("ie_pps", "pps number|pps no|ppsn", of(pps),
			"PPS number: 1234567T", "ppsn: 12", "Department of Social Protection"),
		id("ch_ahv", "ahv|ahv nummer|ahv nr|numero avs|avs", of(ahv),
			"AHV: 756.9217.0769.85", "ahv: 123.9217.0769.85", "BSV, AHV-Nummer; EAN-13"),
		bare("ch_ahv", NationalID{id: ahvSigns}, []string{"000.0000.0000.00"},
			"756.9217.0769.85", "756.9217.0769.84", "BSV, AHV-Nummer; EAN-13"),
		id("uk_nhs_number", "nhs number|nhs no", of(nhs),
			"NHS number: 943 476 5919", "nhs number: 943", "NHS Data Dictionary"),
		id("ca_sin", "social insurance number|sin number", of(sinCA),
			"social insurance number: 046 454 286", "sin number: 46", "Service Canada"),
		id("au_tfn", "tfn|tax file number", of(tfn),
			"TFN: 123 456 782", "tfn: 123", "ATO"),
		id("medicare_number",
			"medicare|medicare number|medicare no|medicare card|mbi|medicare beneficiary identifier", of(medicareAU,
				medicareUS),
			"Medicare: 2123 45670 1", "medicare: 2123 45680 1", "Services Australia; CMS, MBI format"),
		id("mx_curp", "curp", of(curp),
			"CURP: HEGG560427MVZRRL04", "curp: HEGG560427MVZRRL05", "RENAPO, CURP"),
		bare("mx_curp", NationalID{id: curp, lead: 4}, curpAnchors(),
			"HEGG560427MVZRRL04", "HEGG560427MVZRRL05", "RENAPO, CURP"),
		id("ar_cuil", "cuil|cuit", of(cuil),
			"CUIL: 20-12345678-6", "cuil: 20", "AFIP, Resolución General 10/97"),
		id("cl_rut", "rut|rol unico tributario", of(rut, rut7),
			"RUT: 12.345.678-5", "rut: 12", "Registro Civil de Chile"),
		id("nric", "nric|nric number|nric no|mykad", of(nric, mykad),
			"NRIC: S1234567D", "nric: A1234567D", "ICA; JPN"),
		id("kr_rrn", "rrn|resident registration number|주민등록번호", of(rrn),
			"RRN: 850101-1234567", "rrn: 859901-1234567", "Resident Registration Act"),
		id("cn_resident_id", "resident identity number|shenfenzheng|身份证号码|身份证号|身份证", of(residentCN),
			"shenfenzheng: 11010519491231002X", "shenfenzheng: 110105194912310021", "GB 11643"),
		bare("cn_resident_id", NationalID{id: residentCN}, []string{"000000000000000000", "00000000000000000x"},
			"11010519491231002X", "110105194912310021", "GB 11643"),
		id("ru_snils", "snils|снилс|СНИЛС", of(snils),
			"SNILS: 112-233-445 95", "snils: 112", "Pension Fund of Russia, 192p"),
		bare("ru_snils", NationalID{id: snilsSigns}, []string{"000-000-000 00"},
			"112-233-445 95", "112-233-445 96", "Pension Fund of Russia, 192p"),
		id("ru_inn", "inn number|nomer inn|инн|ИНН", of(innRU),
			"INN number: 500100732259", "ИНН: 5001", "Federal Tax Service of Russia"),
		id("tr_kimlik", "tckn|tc kimlik no|tc kimlik|kimlik no", of(kimlik),
			"TC Kimlik No: 10000000146", "tckn: 100", "NVI"),
		id("pk_cnic", "cnic|cnic number", of(cnic),
			"CNIC: 35202-1234567-1", "cnic: 35202", "NADRA"),
		id("id_nik", "nik|nomor induk kependudukan", of(nik),
			"NIK: 3171234567890123", "nik: 317", "Dukcapil"),
		id("national_id", "identity number|identity card number|identity card|id card number|citizen id", identityAny,
			"identity_number: 8001015009087", "identity_number: 8001", "the forms above"),
	}
}

// codiceAnchors returns what stands in codici fiscali from the year of birth on: the letter of the
// month and that of the place.
func codiceAnchors() []string {
	var a []string
	for _, month := range "abcdehlmprst" {
		for _, place := range "abcdefghilmz" {
			a = append(a, "00"+string(month)+"00"+string(place)+"000")
		}
	}
	return a
}

// curpAnchors returns what stands in a CURP from the date of birth on: the sex and the first
// letter of the state.
func curpAnchors() []string {
	var a []string
	for _, sex := range "hm" {
		for _, state := range "abcdghjmnopqstvyz" {
			a = append(a, "000000"+string(sex)+string(state))
		}
	}
	return a
}

// value of a digit, or of a letter as base 36 has it.
func digitOf(c byte) int {
	if lex.Digits.Has(c) {
		return int(c - '0')
	}
	return int(c-'A') + 10
}

// numberOf returns the number that digits are.
func numberOf(d []byte) (n int) {
	for _, c := range d {
		n = n*10 + digitOf(c)
	}
	return n
}

// weigh returns the sum of the digits, each times its weight.
func weigh(d []byte, weights ...int) (sum int) {
	for i, weight := range weights {
		sum += digitOf(d[i]) * weight
	}
	return sum
}

// isWeighted returns a checksum: the sum of all digits, each times its weight, is divisible.
func isWeighted(modulus int, weights ...int) func([]byte) bool {
	return func(d []byte) bool { return weigh(d, weights...)%modulus == 0 }
}

// isMonthAndDay says whether d is a month and a day, or a day and a month.
func isMonthAndDay(d []byte) bool {
	x, y := numberOf(d[:2]), numberOf(d[2:4])
	return x >= 1 && x <= 12 && y >= 1 && y <= 31
}

// isDated returns whether a number has year, month and day, or day, month and year, at i. A day
// may be 60 too large where the number is of a foreigner (Sweden).
func isDated(i int) func([]byte) bool {
	return func(d []byte) bool {
		month, day := numberOf(d[i+2:i+4]), numberOf(d[i+4:i+6])
		return month >= 1 && month <= 12 && (day >= 1 && day <= 31 || day >= 61 && day <= 91) ||
			isMonthAndDay([]byte{d[i+2], d[i+3], d[i], d[i+1]})
	}
}

// isLuhn checks the digit of ISO/IEC 7812-1 annex B.
func isLuhn(d []byte) bool {
	sum := 0
	for i := range d {
		n := digitOf(d[len(d)-1-i])
		if i%2 == 1 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}

func isLuhnOfTen(d []byte) bool { return isLuhn(d[2:]) }

// isEAN checks the digit of GS1's article numbers.
func isEAN(d []byte) bool { return weigh(d, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1)%10 == 0 }

func isSwiss(d []byte) bool { return string(d[:3]) == "756" }

// isMod1110 checks the digit of ISO 7064, MOD 11,10.
func isMod1110(d []byte) bool {
	product := 10
	for _, c := range d[:len(d)-1] {
		sum := (digitOf(c) + product) % 10
		if sum == 0 {
			sum = 10
		}
		product = sum * 2 % 11
	}
	return (11-product)%10 == digitOf(d[len(d)-1])
}

// isVerhoeff checks the digit of Verhoeff's scheme over the dihedral group of ten.
func isVerhoeff(d []byte) bool {
	const turns = 8
	permuted := [10]int{1, 5, 7, 6, 2, 8, 3, 0, 9, 4}
	product := func(x, y int) int {
		switch {
		case x < 5 && y < 5:
			return (x + y) % 5
		case x < 5:
			return (x+y-5)%5 + 5
		case y < 5:
			return (x-5-y+5)%5 + 5
		}
		return (x - y + 5) % 5
	}
	sum := 0
	for i := range d {
		n := digitOf(d[len(d)-1-i])
		for range i % turns {
			n = permuted[n]
		}
		sum = product(sum, n)
	}
	return sum == 0
}

// isNINO says whether the letters of id are ones that are given out, or the QQ of examples.
func isNINO(id []byte) bool {
	prefix := string(id[:2])
	if last := id[8]; last > 'D' {
		return false
	}
	if prefix == "QQ" {
		return true
	}
	return !strings.ContainsRune("DFIQUV", rune(id[0])) && !strings.ContainsRune("DFIOQUV", rune(id[1])) &&
		!slices.Contains([]string{"BG", "GB", "NK", "KN", "TN", "NT", "ZZ"}, prefix)
}

// isSteuerID says whether id begins with no zero, and one of its first ten digits, and only
// one, comes two or three times.
func isSteuerID(id []byte) bool {
	var times [10]int
	for _, c := range id[:10] {
		times[digitOf(c)]++
	}
	again := 0
	for _, n := range times {
		switch {
		case n > 3:
			return false
		case n > 1:
			again++
		}
	}
	return id[0] != '0' && again == 1
}

// isNIR says whether id begins with a sex and a month, and has a department.
func isNIR(id []byte) bool {
	month := numberOf(id[3:5])
	return strings.ContainsRune("123478", rune(id[0])) && (month >= 1 && month <= 12 || month >= 20) &&
		(lex.Digits.Has(id[6]) || id[5] == '2' && (id[6] == 'A' || id[6] == 'B'))
}

// isKeyedNIR checks the key, where Corsica counts as 19 or 18.
func isKeyedNIR(id []byte) bool {
	n := slices.Clone(id[:13])
	switch n[6] {
	case 'A':
		n[5], n[6] = '1', '9'
	case 'B':
		n[5], n[6] = '1', '8'
	}
	return 97-numberOf(n)%97 == numberOf(id[13:])
}

func isAadhaar(id []byte) bool { return id[0] >= '2' }

// isPAN says whether the fourth letter is one of a kind of holder.
func isPAN(id []byte) bool { return strings.ContainsRune("ABCFGHJKLPT", rune(id[3])) }

func isCPF(d []byte) bool {
	check := func(sum int) int { return sum * 10 % 11 % 10 }
	return bytes.Count(d, d[:1]) < len(d) && check(weigh(d, 10, 9, 8, 7, 6, 5, 4, 3, 2)) == digitOf(d[9]) &&
		check(weigh(d, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)) == digitOf(d[10])
}

const lettersOfDNI = "TRWAGMYFPDXBNJZSQVHLCKE"

func isDNI(id []byte) bool { return lettersOfDNI[numberOf(id[:8])%len(lettersOfDNI)] == id[8] }

func isNIE(id []byte) bool {
	return id[0] >= 'X' && lettersOfDNI[(int(id[0]-'X')*10000000+numberOf(id[1:8]))%len(lettersOfDNI)] == id[8]
}

func isNIF(d []byte) bool {
	check := 11 - weigh(d, 9, 8, 7, 6, 5, 4, 3, 2)%11
	if check > 9 {
		check = 0
	}
	return check == digitOf(d[8])
}

func isFodselsnummer(d []byte) bool {
	return weigh(d, 3, 7, 6, 1, 8, 9, 4, 5, 2, 1)%11 == 0 && weigh(d, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)%11 == 0
}

// isHetu checks the sign, of the date and the number of three digits.
func isHetu(id []byte) bool {
	const signs = "0123456789ABCDEFHJKLMNPRSTUVWXY"
	number := id[len(id)-4 : len(id)-1]
	return signs[(numberOf(id[:6])*1000+numberOf(number))%len(signs)] == id[len(id)-1]
}

func isBSN(d []byte) bool {
	sum := weigh(d, 9, 8, 7, 6, 5, 4, 3, 2, -1)
	return sum%11 == 0 && numberOf(d) > 0
}

func isNRN(d []byte) bool {
	const of2000 = 2000000000
	n, check := numberOf(d[:9]), 97-numberOf(d[9:])
	return n%97 == check || (n+of2000)%97 == check
}

// isDatedNRN reports whether id begins with a date of birth. The month of a number for a person
// who is not in the register is 20 or 40 too large, a day that is not known is 0.
func isDatedNRN(id []byte) bool {
	const unregistered = 20
	month, day := numberOf(id[2:4]), numberOf(id[4:6])
	return month%unregistered <= 12 && month <= 2*unregistered+12 && day <= 31
}

func isRodneCislo(d []byte) bool { return numberOf(d)%11 == 0 }

// isCodice says whether the letters of the month and of the check are right.
func isCodice(id []byte) bool {
	odd := [36]int{1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8,
		12, 14, 16, 10, 22, 25, 24, 23}
	if !strings.ContainsRune("ABCDEHLMPRST", rune(id[8])) {
		return false
	}
	sum := 0
	for i, c := range id[:15] {
		n := digitOf(c)
		switch {
		case i%2 == 0:
			sum += odd[n]
		case n >= 10:
			sum += n - 10
		default:
			sum += n
		}
	}
	return byte('A'+sum%26) == id[15]
}

func isCNP(d []byte) bool {
	check := weigh(d, 2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9) % 11
	if check == 10 {
		check = 1
	}
	return check == digitOf(d[12])
}

func isPPS(id []byte) bool {
	return "WABCDEFGHIJKLMNOPQRSTUV"[weigh(id, 8, 7, 6, 5, 4, 3, 2)%23] == id[7]
}

func isMedicare(d []byte) bool {
	return d[0] >= '2' && d[0] <= '6' && weigh(d, 1, 3, 7, 9, 1, 3, 7, 9)%10 == digitOf(d[8])
}

func isCURP(id []byte) bool {
	const signs = "0123456789ABCDEFGHIJKLMN" // the 25th is a letter with a tilde
	month, day := numberOf(id[6:8]), numberOf(id[8:10])
	if id[10] != 'H' && id[10] != 'M' || month < 1 || month > 12 || day < 1 || day > 31 {
		return false
	}
	sum := 0
	for i, c := range id[:17] {
		n := digitOf(c)
		if n >= len(signs) {
			n++
		}
		sum += n * (18 - i)
	}
	return (10-sum%10)%10 == digitOf(id[17])
}

func isRUT(id []byte) bool {
	last := len(id) - 1
	sum := 0
	for i := range last {
		sum += digitOf(id[last-1-i]) * (2 + i%6)
	}
	if !lex.Digits.Within(id[:last]) {
		return false
	}
	return "0K987654321"[sum%11] == id[last]
}

// isNRIC checks the letter of a Singaporean number, whatever series it is of.
func isNRIC(id []byte) bool {
	sum := weigh(id[1:], 2, 7, 6, 5, 4, 3, 2)
	switch id[0] {
	case 'S':
		return "JZIHGFEDCBA"[sum%11] == id[8]
	case 'T':
		return "JZIHGFEDCBA"[(sum+4)%11] == id[8]
	case 'F':
		return "XWUTRQPNMLK"[sum%11] == id[8]
	case 'G':
		return "XWUTRQPNMLK"[(sum+4)%11] == id[8]
	case 'M':
		return "KLJNPQRTUWX"[10-(sum+3)%11] == id[8]
	}
	return false
}

func isRRN(d []byte) bool {
	return (11-weigh(d, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)%11)%10 == digitOf(d[12])
}

// provincesCN are the codes of provinces that an address code begins with (GB/T 2260).
var provincesCN = func() (is [100]bool) {
	for _, codes := range [][2]int{{11, 15}, {21, 23}, {31, 37}, {41, 46}, {50, 54}, {61, 65}, {71, 71}, {81, 83}} {
		for i := codes[0]; i <= codes[1]; i++ {
			is[i] = true
		}
	}
	return is
}()

// isResidentCN checks the region, the date of birth and the check of ISO 7064, MOD 11-2.
func isResidentCN(id []byte) bool {
	year, month, day := numberOf(id[6:10]), numberOf(id[10:12]), numberOf(id[12:14])
	if !provincesCN[numberOf(id[:2])] || year < 1900 || year > 2049 || month < 1 || month > 12 || day < 1 || day > 31 {
		return false
	}
	return "10X98765432"[weigh(id, 7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)%11] == id[17]
}

func isSNILS(d []byte) bool {
	return weigh(d, 9, 8, 7, 6, 5, 4, 3, 2, 1)%101%100 == numberOf(d[9:])
}

func isKimlik(d []byte) bool {
	odd, even := weigh(d, 1, 0, 1, 0, 1, 0, 1, 0, 1), weigh(d, 0, 1, 0, 1, 0, 1, 0, 1)
	return d[0] != '0' && (odd*7-even+100)%10 == digitOf(d[9]) && (odd+even+digitOf(d[9]))%10 == digitOf(d[10])
}
