import InterceptorKit

/// A validator that tells versions of a resource apart (RFC 9110 section 8.8.3).
struct EntityTag: Sendable, Hashable {
    /// As it came, with its quotes.
    let text: String
    let isWeak: Bool

    /// - Returns: `nil` for text that isn't a tag. One without quotes is taken as it is, since some
    ///   servers send such.
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
        isWeak = text.begins(with: "W/")
    }

    private var opaque: Substring { text.rest(after: "W/") ?? text[...] }

    /// Weak comparison (section 8.8.3.2).
    func isWeaklyEqual(to other: EntityTag) -> Bool { opaque == other.opaque }

    /// Whether both are of one version, of which one is named as it is before a server compressed it: Apache's
    /// `mod_deflate` appends `-gzip` to the tag and confirms with the one before (`DeflateAlterETag`), `mod_brotli`
    /// and Caddy `-br` and `-zstd`, Jetty `--gzip`.
    func isOfSameVersion(as other: EntityTag) -> Bool {
        isWeaklyEqual(to: other) || uncoded == other.opaque || opaque == other.uncoded
    }

    /// The tag without the name of a coding at its end; `nil` without one.
    private var uncoded: Substring? {
        for coding in ["-gzip", "-br", "-zstd", "-deflate"] {
            guard let rest = opaque.rest(before: "\(coding)\"") else { continue }
            return "\(rest.rest(before: "-") ?? rest)\""
        }
        return nil
    }

    /// Strong comparison.
    func isStronglyEqual(to other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && text == other.text
    }

    /// Whether a list of tags, as in `If-None-Match`, names this one or any.
    func isNamed(in list: [String]) -> Bool {
        list.contains { value in
            CacheDirectives.members(of: value).contains { member in
                member == "*" || EntityTag(String(member)).map(isWeaklyEqual) == true
            }
        }
    }
}
