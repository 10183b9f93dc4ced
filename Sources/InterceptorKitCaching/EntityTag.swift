import InterceptorKit

/// A validator that tells versions of a resource apart (RFC 9110 section 8.8.3).
struct EntityTag: Sendable, Hashable {
    /// The tag as received, with its quotes.
    let text: String
    let isWeak: Bool

    /// - Returns: `nil` if the text is not a tag. A tag without quotes is accepted, because some servers send them.
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
        isWeak = text.begins(with: "W/")
    }

    private var opaque: Substring { text.rest(after: "W/") ?? text[...] }

    /// Weak comparison (section 8.8.3.2).
    func isWeaklyEqual(to other: EntityTag) -> Bool { opaque == other.opaque }

    /// Whether both tags name one version, compressed or not: Apache's `mod_deflate` appends `-gzip` to the tag and
    /// confirms with the original one (`DeflateAlterETag`), `mod_brotli` and Caddy append `-br` and `-zstd`, Jetty
    /// `--gzip`.
    func isOfSameVersion(as other: EntityTag) -> Bool {
        isWeaklyEqual(to: other) || uncoded == other.opaque || opaque == other.uncoded
    }

    /// The tag without a coding suffix; `nil` if it has none.
    private var uncoded: Substring? {
        for coding in ["-gzip", "-br", "-zstd", "-deflate"] {
            guard let rest = opaque.rest(before: "\(coding)\"") else { continue }
            return "\(rest.rest(before: "-") ?? rest)\""
        }
        return nil
    }

    /// Strong comparison (section 8.8.3.2).
    func isStronglyEqual(to other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && text == other.text
    }

    /// Whether a list of tags, as in `If-None-Match`, contains this tag or `*`.
    func isNamed(in list: [String]) -> Bool {
        list.contains { value in
            CacheDirectives.members(of: value).contains { member in
                member == "*" || EntityTag(String(member)).map(isWeaklyEqual) == true
            }
        }
    }
}
