import InterceptorKitConformance

/// The rows that URLSession does not pass, each seen by running it on the toolchain named.
enum MalformedResponseExclusions {
    private typealias Exclusion = TransportConformance.Exclusion

    static var all: [TransportConformance.Exclusion] {
        #if canImport(FoundationNetworking)
        onLinux
        #else
        []
        #endif
    }

    private static let linux = "Swift 6.3.1 on Linux, libcurl 7.88.1"
    private static let trailers =
        "Trailers end the process (NativeProtocol.swift:240, \"Transfer completed, but there's no "
        + "response\")."
    private static let emptyReason =
        "The header parser wants a blank after the status even where no reason follows."

    private static let onLinux: [Exclusion] = [
        .endsProcess(
            "curl-266 HTTP GET with chunked Transfer-Encoding and chunked trailer",
            because: trailers,
            seenOn: linux
        ),
        .endsProcess(
            "curl-1116 HTTP GET with chunked trailer without Trailer:",
            because: trailers,
            seenOn: linux
        ),
        .endsProcess(
            "rfc closed inside the head",
            because: "A head cut off after its status line counts as a completed transfer "
                + "(NativeProtocol.swift:240, as with trailers).",
            seenOn: linux
        ),
        .limitation("llhttp sample: No reason phrase", because: emptyReason, seenOn: linux),
        .limitation("rfc no reason and no space", because: emptyReason, seenOn: linux),
        .limitation(
            "llhttp sample: Non ASCII in status line",
            because: "The header parser takes UTF-8 alone.",
            seenOn: linux
        ),
        .limitation(
            "rfc latin-1 header value",
            because: "The header parser takes UTF-8 alone.",
            seenOn: linux
        ),
    ]
}
