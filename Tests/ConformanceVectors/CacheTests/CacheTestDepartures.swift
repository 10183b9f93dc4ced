extension CacheTest {
    /// Why a required or optimal case does not pass here, by its id. None is required.
    package static let departures = [
        "method-POST":
            "answers to POST are not stored: no request could be answered by them safely",
        "vary-normalise-space":
            "blanks count in fields whose syntax is not known (RFC 9111 section 4.1)",
        "vary-normalise-lang-select":
            "which language answers a request is the origin's choice, not the cache's",
        "conditional-lm-fresh-no-lm":
            "what is stored is dated after the condition and so modified since (RFC 9111 section 4.3.2)",
        "partial-store-partial-reuse-partial": partial,
        "partial-store-partial-reuse-partial-byterange": partial,
        "partial-store-partial-reuse-partial-absent": partial,
        "partial-store-partial-reuse-partial-suffix": partial,
        "partial-store-partial-complete": partial,
    ]

    /// Why a case that Chrome passes does not pass here, by its id. All only say what is worth knowing,
    /// but for the one that is not tried.
    package static let departuresFromChrome = [
        "cc-resp-immutable-stale": "it asks in Fetch's cache mode",
        "conditional-etag-vary-headers-mismatch":
            "the server is asked about what would answer the request, and not about other variants",
        "freshness-max-age-two-fresh-stale-sameline": strictest,
        "freshness-max-age-two-fresh-stale-sepline": strictest,
    ]

    private static let partial =
        "parts of a response are not stored (RFC 9111 section 3.3 allows it)"
    private static let strictest =
        "of several lifetimes the shortest counts (RFC 9111 section 4.2.1 encourages it)"
}
