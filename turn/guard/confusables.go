package guard

import "sync"

// confusables are the letters and signs that are drawn like Latin letters or digits, by what they
// are drawn like, in small letters. They are those of
// https://www.unicode.org/Public/security/13.0.0/confusables.txt that NFKD makes no ASCII of. A
// capital and a small letter may be drawn like two different ones: they are looked up before
// letter case is folded. Small capitals and some letters more that are read as a Latin one are
// added.
var confusables = map[string]string{
	"2": "ƧƻϨᒿꙄꛯꝚ",
	"3": "ƷȜЗҘӠⳌꝪꞫ𑣊𖼻𝈆",
	"4": "Ꮞ𑢯",
	"5": "Ƽ𑢻",
	"6": "бᏮⳒ𑣕",
	"7": "𐓒𑣆𝈒",
	"8": "Ȣȣ𐌚\U0001e8cb",
	"9": "ⳊꝮ𑢬𑣌𑣖",
	"a": "ɑΑαАаᎪᗅ⍶⍺ⲁꓮꭺ𐊠𖽀𝚨𝛂𝛢𝛼𝜜𝜶𝝖𝝰𝞐𝞪",
	"b": "ƀƂƃƄɓʙΒβБВЬвьѢѣҌҍᏏᏴᏼᑲᑳᖯᗷⲃꓐꞴ𐊂𐊡𐌁𝚩𝛣𝜝𝝗𝞑",
	"c": "¢ȼϲϹСсҪҫᏟᴄ₡Ⲥⲥꓚꮯ𐊢𐌂𐐕𐐽𐔜𑣲🅮🝌",
	"d": "ÐĐđƉƌɖɗԁᎠᏧᑯᗞᗪ₫ꓒꓓꭰꮷ",
	"e": "ɆɇəΕεЕеєҽҿᎬᴇ℮⋿ⲉⴹꓰꬲꭼ𐊆𑢦𑢮𝚬𝛦𝜠𝝚𝞔",
	"f": "ƑƒϜϝքᖴᵮẝꓝꜰꞘꞙꬵ𐊇𐊥𐔥𑢢𑣂𝈓𝟊",
	"g": "ƍǤǥɠɡɢԌԍցᏀᏳᏻᶃᶢꓖꮐ",
	"h": "ĦħɦʜΗНнћҢңһӇӈӉӊհᎻᏂᏲᕼᵸℏⱧⲎⲏꓧꚕꮋꮒ𐋏𝚮𝛨𝜢𝝜𝞖",
	"i": "ıɨɩɪιіӏᎥᵻᵼι⍳⍸ꙇꭵ𑣃𝚤𝛊𝜄𝜾𝝸𝞲",
	"j": "ɈɉͿϳЈјᎫᒍᴊꓙꞲꭻ",
	"k": "ƙΚκКкҚҞᏦᛕᴋ₭ⱩⲔꓗꝀ𐔘𝚱𝛫𝜥𝝟𝞙",
	"l": "ŁłƖƗƚǀɫɭʟΙІӀւ\u05c0\u05d5\u05df\u0625\u0627\u0673\u07caᏞᒪᛁ∣⏽ⲒⳐⳑⵏꓡꓲꮮ\ufd3c\ufd3d" +
		"\ufe87\ufe88\ufe8d\ufe8e￨𐊊𐌉𐌠𐐛𐑃𐔦𑢣𑢲𖼖𖼨𝈪𝚰𝛪𝜤𝝞𝞘\U0001e8c7\U0001ee00\U0001ee80",
	"m": "ΜμϺϻМмӍᎷᗰᛖᴍⲘⲙꓟ𐊰𐌑𝚳𝛭𝜧𝝡𝞛",
	"n": "ƝƞɳɴΝηпոռᵰⲚⲛꓠ𐆎𐔓𝚴𝛈𝛮𝜂𝜨𝜼𝝢𝝶𝞜𝞰",
	"o": "ØøƟǾɵΘΟθοςσϑϴОоѲѳӨөՕօ\u05e1\u0647\u06be\u06c1\u06d5\u06ffଠഠဝჿዐᎾᏫᴏᴑ⊖⊝⍬Ⲟⲟⴱⵁⵔ〇ꓳꝊꝋꬽꬾ" +
		"ꭴꮎꮻ\ufba6\ufba7\ufba8\ufba9\ufbaa\ufbab\ufbac\ufbad\ufcd9\ufee9\ufeea\ufeeb" +
		"\ufeec𐊒𐊫𐐄𐐬𐓂𐓪𐔖𑢵𑣈𑣗𝈚𝚯𝚶𝚹𝛉𝛐𝛔𝛝𝛩𝛰𝛳𝜃𝜊𝜎𝜗𝜣𝜪𝜭𝜽𝝄𝝈𝝑𝝝𝝤𝝧𝝷𝝾𝞂𝞋𝞗𝞞𝞡𝞱𝞸𝞼𝟅\U0001ee24\U0001ee64" +
		"\U0001ee84🜔",
	"p":   "ƥƿΡρϱРрᏢᑭᴘᴩᵽ⍴Ⲣⲣꓑꮲ𐊕𝚸𝛒𝛠𝛲𝜌𝜚𝜬𝝆𝝔𝝦𝞀𝞎𝞠𝞺𝟈",
	"q":   "ʠԛգզⵕ",
	"r":   "ƦɍɼɽʀгғᎡᏒᖇᴦᵲⲅꓣꭇꭈꭱꮁꮢ𐒴𖼵𝈖",
	"s":   "ƽʂЅѕՏᏕᏚᵴꓢꜱꮪ𐊖𐐠𐑈𑣁𖼺",
	"t":   "ŦŧƭƮȾΤτТтҬҭᎢᴛᵵ₮⊤⍡⟙Ⲧⲧꓔꭲ𐊗𐊱𐌕𑢼𖼊𝚻𝛕𝛵𝜏𝜯𝝉𝝩𝞃𝞣𝞽🝨",
	"u":   "ɄʋυцՍսሀᏌᑌᴜᵾ∪⋃ꓴꞟꭎꭒꮜ𐓎𐓶𑢸𑣘𖽂𝛖𝜐𝝊𝞄𝞾",
	"v":   "νѴѵ\u05d8Ꮩᐯᴠ∨⋁ⴸꓦꛟꮩ𐆗𐔝𑜆𑢠𑣀𖼈𝈍𝛎𝜈𝝂𝝼𝞶🜈",
	"w":   "ɯωѡѽԜԝաᎳᏔᴡ₩ꓪꝡꮃ𑓅𑜊𑜎𑜏𑣯",
	"x":   "×ΧχХхҲᕁᕽ᙭᙮ᚷ╳⤫⤬⨯⨰ⲬⲭⵝꓫꞳ𐆖𐊐𐊴𐌗𐌢𐔧𑣬𝚾𝛸𝜲𝝬𝞦",
	"y":   "¥ƴɎɏɣʏΥγϒУуҮүҰұყᎩᎽᶌỿℽⲨꓬꭚ𐊲𑢤𑣜𖽃𝚼𝛄𝛶𝛾𝜰𝜸𝝪𝝲𝞤𝞬",
	"z":   "ƵƶȤȥʐΖζᏃᴢᵶꓜꮓ𐋵𑢩𑣄𝚭𝛧𝜡𝝛𝞕",
	"10":  "⏨",
	"aa":  "Ꜳꜳ",
	"ae":  "ÆæӔӕ",
	"ao":  "Ꜵꜵ",
	"ar":  "🜇",
	"au":  "Ꜷꜷ",
	"av":  "ꜸꜹꜺꜻ",
	"ay":  "Ꜽꜽ",
	"bl":  "Ы",
	"dz":  "ʣ",
	"ll":  "ǁ\u05f0‖∥𐆙",
	"lo":  "Ю",
	"ls":  "ʪ",
	"lt":  "₶",
	"lz":  "ʫ",
	"mb":  "🝫",
	"oe":  "Œœɶ",
	"oo":  "∞ꚘꚙꝎꝏ",
	"qe":  "🜀",
	"rn":  "ɱᵯ₥𑜀",
	"t3":  "Ꜩ",
	"tf":  "ꝷ",
	"ts":  "ʦ",
	"ue":  "ᵫ",
	"uo":  "ꭣ",
	"vb":  "🝬",
	"cct": "🅭",
	"lls": "𐆘",
	"sss": "🝜",
}

// drawn returns what a letter is drawn like, by letter.
var drawn = sync.OnceValue(func() map[rune]string {
	all := make(map[rune]string)
	for like, letters := range confusables {
		for _, letter := range letters {
			all[letter] = like
		}
	}
	return all
})
