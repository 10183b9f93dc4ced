/// The name of a charset, as a `Content-Type` field has it.
struct CharsetLabel {
    private let name: String

    init(_ name: String) { self.name = name.lowercased() }

    /// The charset that browsers read by this name (Encoding Standard section 4.2), or one of UTF-32; `nil` for another
    /// name.
    var charset: Charset? {
        switch name {
        case "utf-8", "utf8", "unicode-1-1-utf-8": .utf8
        case "utf-16", "utf-16le", "unicode", "ucs-2", "iso-10646-ucs-2", "csunicode":
            .utf16(isBigEndian: false)
        case "utf-16be": .utf16(isBigEndian: true)
        case "utf-32", "utf-32le", "utf-32be": .system(name.uppercased())
        case "us-ascii", "ascii", "ansi_x3.4-1968", "latin1", "l1", "iso_8859-1:1987",
            "csisolatin1", "ibm819":
            .windows1252
        case "shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "csshiftjis", "ms932":
            .system("CP932")
        case "windows-31j": .system("CP932")
        case "euc-jp", "x-euc-jp", "cseucpkdfmtjapanese": .system("EUC-JP")
        case "iso-2022-jp", "csiso2022jp": .system("ISO-2022-JP")
        case "gb18030", "gbk", "x-gbk", "gb2312", "gb_2312", "gb_2312-80", "csgb2312", "chinese":
            .system("GB18030")
        case "big5", "big5-hkscs", "cn-big5", "x-x-big5", "csbig5": .system("BIG5-HKSCS")
        case "euc-kr", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601", "ksc_5601", "korean",
            "cseuckr":
            .system("CP949")
        case "koi8-r", "koi8", "koi", "cskoi8r": .system("KOI8-R")
        case "koi8-u", "koi8-ru": .system("KOI8-U")
        case "macintosh", "mac", "x-mac-roman", "csmacintosh": .system("MACINTOSH")
        case "ibm866": .system("CP866")
        case "tis-620": .system("CP874")
        case "latin2", "l2", "csisolatin2": .system("ISO-8859-2")
        case "latin5", "l5", "csisolatin5": .system("CP1254")
        case "latin-9", "l9": .system("ISO-8859-15")
        case "iso-8859-8-i", "iso-8859-8-e": .system("ISO-8859-8")
        default: numbered
        }
    }

    private var numbered: Charset? {
        if let part = number(after: "iso-8859-", "iso8859-", "iso_8859-", "iso8859") {
            switch part {
            case 1: .windows1252
            // Supersets of what their names say, which servers send by these names.
            case 9: .system("CP1254")
            case 11: .system("CP874")
            case 2...8, 10, 13...16: .system("ISO-8859-\(part)")
            default: nil
            }
        } else if let page = number(after: "windows-", "x-cp", "cp", "dos-") {
            switch page {
            case 819, 1252: .windows1252
            case 866, 874, 932, 949, 1250...1258: .system("CP\(page)")
            case 936: .system("GB18030")
            case 950: .system("BIG5-HKSCS")
            case 65_001: .utf8
            default: nil
            }
        } else {
            nil
        }
    }

    private func number(after prefixes: String...) -> Int? {
        prefixes.lazy.compactMap { name.rest(after: $0) }.first.flatMap { Int($0) }
    }

    /// Whether text by this name may have the bytes of other text in ASCII, so that it must not be taken for UTF-8.
    var hidesText: Bool {
        name.begins(with: "iso-2022-") || name.begins(with: "hz") || name.ends(with: "utf-7")
    }
}
