#if AsyncHTTPClient
import InterceptorKitConformance

/// What AsyncHTTPClient does not do, each seen by running the requirement on the version named.
enum AsyncHTTPClientExclusions {
    private static let version = "AsyncHTTPClient 1.37.0, SwiftNIO 2.101.2"

    static let all: [TransportConformance.Exclusion] = [
        .limitation(
            "delivers a redirect whose target is no URL",
            because: "The parser refuses a field value with a control character.",
            seenOn: version
        ),
        .limitation(
            "survives that the server closes a connection between two requests",
            because: unnoticedEnd,
            seenOn: version
        ),
        .limitation(
            "sends a POST once where the used connection was closed while idle",
            because: unnoticedEnd,
            seenOn: version
        ),
        .limitation(
            "sends a POST once where the used connection was reset while idle",
            because: unnoticedEnd,
            seenOn: version
        ),
        .limitation(
            "sends a tag back byte for byte that is not UTF-8",
            because: "It makes U+FFFD of what is not UTF-8 in a field.",
            seenOn: version
        ),
        .limitation(
            "keeps brackets that are not percent-encoded",
            because: "It encodes them, and once more what was encoded before, so it is refused.",
            seenOn: version
        ),
    ]

    private static let unnoticedEnd =
        "A kept connection whose end was not yet noticed is used, which fails the request as lost; "
        + "sending it again is the retry's."

    static let decompressing: [TransportConformance.Exclusion] = [
        .limitation(
            "keeps the length of a compressed answer to HEAD",
            because: "The decompressor takes the missing body for one that was cut off.",
            seenOn: version
        ),
        .limitation(
            "delivers every member of a gzip body, also after an empty one",
            because: "The decompressor reads one member and fails on the next.",
            seenOn: version
        ),
    ]

    /// Of the cases of Apple's proposal for a client.
    static let httpAPI: [TransportConformance.Exclusion] = [
        .limitation(
            "testTrailerRead",
            because: "It reads trailers and drops them.",
            seenOn: version
        )
    ]

    static let malformed: [TransportConformance.Exclusion] = [
        .limitation(
            "llhttp sample: RTSP response",
            because: "The parser takes RTSP/1.1 for HTTP/1.1.",
            seenOn: version
        ),
        .limitation(
            "llhttp sample: ICE response",
            because: "The parser takes ICE/1.1 for HTTP/1.1.",
            seenOn: version
        ),
    ]
}
#endif
