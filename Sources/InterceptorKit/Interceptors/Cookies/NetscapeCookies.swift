#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Cookie {
    /// Reads the cookies in the text of a file of Netscape's format, `cookies.txt`, as curl, wget, Python's
    /// `MozillaCookieJar` and browsers' extensions write it.
    ///
    /// ```swift
    /// let jar = CookieJar(try HTTP.Cookie.cookies(inNetscape: text))
    /// ```
    ///
    /// A line has seven fields with tabs between them: domain, `TRUE` if hosts below receive the cookie, path, `TRUE`
    /// for https only, seconds since 1970 (0 or nothing for a cookie of the session), name and value. `#HttpOnly_`
    /// before a domain marks ``isHTTPOnly``; other lines with `#` in front, and empty ones, mean nothing, and so does a
    /// byte order mark. Left out are cookies that no field could set, such as those without a name.
    /// - Throws: An ``HTTP/ContentError`` with ``HTTP/ContentError/Code-swift.struct/malformedCookieFile`` that names
    ///   the first line that is not of this form, and shows none of it.
    public static func cookies(inNetscape text: String) throws(HTTP.ContentError) -> [HTTP.Cookie] {
        var cookies: [HTTP.Cookie] = []
        let text = text.rest(after: "\u{FEFF}") ?? text[...]
        for (index, line) in text.split(at: "\n", omittingEmptySubsequences: false).enumerated() {
            if let cookie = try NetscapeLine(line, number: index + 1)?.cookie {
                cookies.append(cookie)
            }
        }
        return cookies
    }
}

extension Sequence where Element == HTTP.Cookie {
    /// Returns the text of a file of Netscape's format, `cookies.txt`, which curl, wget and Python's `MozillaCookieJar`
    /// read.
    ///
    /// > Warning: It contains every value as plain text: save it where you keep passwords.
    ///
    /// A cookie of the session has the expiry 0, which Python takes for a date in 1970: load the file there with
    /// `ignore_discard=True, ignore_expires=True`. Left out are cookies with a tab, which the format cannot hold.
    public func netscapeText() -> String {
        reduce(into: "# Netscape HTTP Cookie File\n\n") { $0 += NetscapeLine.text(of: $1) ?? "" }
    }
}

/// A line of a cookie file.
private struct NetscapeLine {
    private static let marker = "#HttpOnly_"
    // The end of the year 9999, the last that dates in fields can say.
    private static let latest = 253_402_300_799.0

    /// `nil` for a cookie that no field could set.
    let cookie: HTTP.Cookie?

    /// Returns `nil` for a comment and an empty line.
    init?(_ line: Substring, number: Int) throws(HTTP.ContentError) {
        let line = line.rest(before: "\r") ?? line
        let content = line.rest(after: Self.marker)
        let text = content ?? line
        guard content != nil || !line.begins(with: "#"),
            !text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 })
        else { return nil }
        let fields = text.split(at: "\t", omittingEmptySubsequences: false)
        // Old programs leave out an empty value with its tab.
        guard 6...7 ~= fields.count else {
            throw Self.failure(number, "has \(fields.count) fields between tabs and must have 7")
        }
        guard let includesSubdomains = Self.boolean(fields[1]),
            let isSecure = Self.boolean(fields[3])
        else {
            throw Self.failure(number, "must have TRUE or FALSE as its second and fourth field")
        }
        guard let seconds = Self.seconds(fields[4]) else {
            throw Self.failure(number, "must have seconds since 1970 as its fifth field")
        }
        cookie = try? HTTP.Cookie(
            name: String(fields[5]),
            value: fields.count > 6 ? String(fields[6]) : "",
            domain: String(fields[0].rest(after: ".") ?? fields[0]),
            path: String(fields[2]),
            isHostOnly: !includesSubdomains,
            isSecure: isSecure,
            isHTTPOnly: content != nil,
            expiresAt: seconds == 0 ? nil : Date(timeIntervalSince1970: seconds)
        )
    }

    private static func boolean(_ field: Substring) -> Bool? {
        switch field.uppercased() {
        case "TRUE": true
        case "FALSE": false
        default: nil
        }
    }

    // Some extensions write fractions, and others a negative number for a cookie that has ended.
    private static func seconds(_ field: Substring) -> Double? {
        if field.isEmpty { return 0 }
        let digits = field.rest(after: "-") ?? field
        guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2E }),
            let seconds = Double(field)
        else { return nil }
        return min(max(seconds, -1), latest)
    }

    private static func failure(_ number: Int, _ problem: String) -> HTTP.ContentError {
        HTTP.ContentError(
            .malformedCookieFile,
            "Line \(number) of the cookie file \(problem). The file must be of Netscape's format, with the "
                + "fields domain, subdomains, path, https, expiry, name and value.",
            place: "line \(number)"
        )
    }

    static func text(of cookie: HTTP.Cookie) -> String? {
        // As curl writes them: an IPv6 address without brackets, and a dot before a domain with hosts below.
        let isAddress = cookie.domain.begins(with: "[")
        let bare = isAddress ? cookie.domain.utf8.dropFirst().dropLast() : cookie.domain.utf8[...]
        let fields = [
            (cookie.isHostOnly ? "" : ".") + String(Substring(bare)),
            cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path,
            cookie.isSecure ? "TRUE" : "FALSE", seconds(until: cookie.expiresAt), cookie.name,
            cookie.value,
        ]
        guard !fields.contains(where: { $0.holds("\t") }) else { return nil }
        return (cookie.isHTTPOnly ? marker : "") + fields.joined(separator: "\t") + "\n"
    }

    // At least 1, since 0 is a cookie of the session; also for a date that is no number.
    private static func seconds(until date: Date?) -> String {
        guard let seconds = date?.timeIntervalSince1970 else { return "0" }
        return seconds >= 1 ? "\(Int(min(seconds, latest)))" : "1"
    }
}
