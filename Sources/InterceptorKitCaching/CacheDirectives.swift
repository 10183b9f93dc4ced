import InterceptorKit

/// The `Cache-Control` directives of a request or response (RFC 9111 section 5.2, RFC 5861).
///
/// If a directive comes twice, its most restrictive value counts (section 4.2.1 permits this choice). A number that
/// overflows counts as the largest one (section 1.2.2); an invalid number makes the directive as strict as possible.
struct CacheDirectives: Sendable {
    var maxAge: Int?
    var sharedMaxAge: Int?
    var staleWhileRevalidate: Int?
    var staleIfError: Int?
    var minFresh: Int?
    /// The staleness that the request accepts, in seconds; `Int.max` for any.
    var maxStale: Int?
    var noStore = false
    var noCache = false
    /// The fields that may not be served without validation (section 5.2.2.4).
    var noCacheFields: [String] = []
    var isPrivate = false
    /// The fields that are for one user (section 5.2.2.7).
    var privateFields: [String] = []
    var isPublic = false
    var mustRevalidate = false
    var proxyRevalidate = false
    var mustUnderstand = false
    var onlyIfCached = false
    var immutable = false

    init(_ values: [String]) {
        for value in values {
            for directive in Self.members(of: value) { apply(directive) }
        }
    }

    private mutating func apply(_ directive: Substring) {
        let name = directive.beginning(before: "=")
        let argument =
            name.endIndex < directive.endIndex
            ? directive[directive.unicodeScalars.index(after: name.endIndex)...] : nil
        switch name.lowercased() {
        case "max-age": maxAge = Self.smaller(maxAge, argument)
        case "s-maxage": sharedMaxAge = Self.smaller(sharedMaxAge, argument)
        case "stale-while-revalidate":
            staleWhileRevalidate = Self.smaller(staleWhileRevalidate, argument)
        case "stale-if-error": staleIfError = Self.smaller(staleIfError, argument)
        case "max-stale":
            maxStale = argument == nil ? maxStale ?? Int.max : Self.smaller(maxStale, argument)
        case "min-fresh": minFresh = max(minFresh ?? 0, Self.seconds(argument) ?? Int.max)
        case "no-store": noStore = true
        case "no-cache":
            // Without quoted fields, the directive concerns the whole response.
            if let fields = Self.fields(argument) {
                noCacheFields += fields
            } else {
                noCache = true
            }
        case "private":
            if let fields = Self.fields(argument) {
                privateFields += fields
            } else {
                isPrivate = true
            }
        case "public": isPublic = true
        case "must-revalidate": mustRevalidate = true
        case "proxy-revalidate": proxyRevalidate = true
        case "must-understand": mustUnderstand = true
        case "only-if-cached": onlyIfCached = true
        case "immutable": immutable = true
        default: break
        }
    }

    private static func smaller(_ known: Int?, _ argument: Substring?) -> Int {
        min(known ?? Int.max, seconds(argument) ?? 0)
    }

    /// Parses a number of seconds (section 1.2.2), quoted or not; `nil` for any other text.
    static func seconds(_ text: Substring?) -> Int? {
        guard var text else { return nil }
        if let inner = unquoted(text) { text = inner }
        guard !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return Int(text) ?? Int.max
    }

    private static func fields(_ argument: Substring?) -> [String]? {
        argument.flatMap(unquoted).map { members(of: String($0)).map { $0.lowercased() } }
    }

    /// Returns the text between quotes; `nil` if the text is not quoted.
    private static func unquoted(_ text: Substring) -> Substring? {
        text.rest(after: "\"")?.rest(before: "\"")
    }

    /// Splits a list and trims its members; commas within quotes do not separate members (RFC 9110 section 5.6.1).
    static func members(of list: String) -> [Substring] {
        var members: [Substring] = []
        let bytes = list.utf8
        var start = bytes.startIndex
        var isQuoted = false
        var isEscaped = false
        func add(_ end: String.Index) {
            var member = bytes[start..<end]
            while member.first == 0x20 || member.first == 0x09 { member.removeFirst() }
            while member.last == 0x20 || member.last == 0x09 { member.removeLast() }
            if !member.isEmpty { members.append(Substring(member)) }
        }
        for index in bytes.indices {
            let byte = bytes[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted && byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ",") && !isQuoted {
                add(index)
                start = bytes.index(after: index)
            }
        }
        add(bytes.endIndex)
        return members
    }
}
