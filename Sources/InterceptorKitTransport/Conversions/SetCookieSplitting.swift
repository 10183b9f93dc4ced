/// Splits `Set-Cookie` lines that were joined with `, `.
///
/// A comma also occurs in the dates of `Expires` (RFC 6265 section 4.1.1). A new cookie begins where a comma and a
/// blank are followed by a token and `=`; in a date, a day and a blank follow.
func splitSetCookie(_ joined: String) -> [String] {
    let bytes = Array(joined.utf8)
    var cookies: [String] = []
    var start = 0
    var index = 0
    while index < bytes.count {
        if bytes[index] == UInt8(ascii: "\""), let end = endOfQuotation(bytes, index) {
            index = end
        } else if bytes[index] == UInt8(ascii: ","), beginsCookie(bytes, index + 1) {
            cookies.append(String(decoding: bytes[start..<index], as: UTF8.self))
            start = index + 2
        }
        index += 1
    }
    cookies.append(String(decoding: bytes[start...], as: UTF8.self))
    return cookies
}

private func beginsCookie(_ bytes: [UInt8], _ blank: Int) -> Bool {
    guard blank + 1 < bytes.count, bytes[blank] == UInt8(ascii: " ") else { return false }
    let rest = bytes[(blank + 1)...]
    guard let end = rest.firstIndex(where: { " ;,=\t".utf8.contains($0) }) else { return false }
    return bytes[end] == UInt8(ascii: "=") && end > rest.startIndex
}

/// The end of a quoted value, if it ends before the cookie's value does.
private func endOfQuotation(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard start > 0, bytes[start - 1] == UInt8(ascii: "=") else { return nil }
    guard let end = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    let isEnd = end + 1 == bytes.count || ";,".utf8.contains(bytes[end + 1])
    return isEnd ? end : nil
}
