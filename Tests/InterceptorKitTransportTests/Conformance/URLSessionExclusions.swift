import InterceptorKitTesting

/// What URLSession does not do, each seen by running the behaviour on the toolchain named.
enum URLSessionExclusions {
    private typealias Exclusion = TransportConformance.Exclusion

    static var all: [TransportConformance.Exclusion] {
        #if canImport(FoundationNetworking)
        everywhere + onLinux
        #else
        everywhere
        #endif
    }

    private static let everywhere: [Exclusion] = [
        .limitation(
            "sends what a stream has made before it makes more",
            because: "A stream is read to its end first, so that its length is true; Foundation on "
                + "Linux reads one on the queue of all sessions and takes a pause for its end.",
            seenOn: "Swift 6.3.1"
        ),
        .limitation("keeps dot segments", because: target, seenOn: seenOnLinux),
        .limitation(
            "keeps dot segments that are percent-encoded",
            because: target,
            seenOn: seenOnLinux
        ),
        .limitation(
            "keeps a question mark with nothing after it",
            because: target,
            seenOn: seenOnLinux
        ),
    ]

    private static let seenOnLinux = "Swift 6.3.1 on Linux, libcurl 7.88.1"
    private static let target =
        "It is refused, since libcurl would send another target than the one signed."

    private static let onLinux: [Exclusion] = [
        .endsProcess(
            "delivers a body that has trailers",
            because: "Trailers reset the stored response (NativeProtocol.swift:240, \"Transfer "
                + "completed, but there's no response\").",
            seenOn: "Swift 6.3.1 on Linux"
        ),
        .endsProcess(
            "fails when the connection closes within the head",
            because: "A head cut off after its status line counts as a completed transfer "
                + "(NativeProtocol.swift:240, as above).",
            seenOn: "Swift 6.3.1 on Linux"
        ),
        .endsProcess(
            "delivers a redirect to an address without a scheme",
            because: "The target is computed before the delegate can refuse "
                + "(HTTPURLProtocol.swift:612, \"Invalid URL\").",
            seenOn: "Swift 6.3.1 on Linux"
        ),
        .limitation(
            "delivers a field without blank after the colon",
            because: "The header parser wants the blank; fixed after 6.4.",
            seenOn: "Swift 6.3.1 on Linux"
        ),
        .limitation(
            "delivers an answer that has a field value in Latin-1",
            because: "The header parser takes UTF-8 alone.",
            seenOn: "Swift 6.3.1 on Linux"
        ),
        .limitation(
            "delivers a body in a coding it does not know as it came",
            because: "libcurl refuses a coding that it cannot decode.",
            seenOn: "Swift 6.3.1 on Linux, libcurl 7.88.1"
        ),
        .limitation(
            "fails on a compressed body that was cut off, or delivers it as it came",
            because: "libcurl does not report a compressed stream that ends early.",
            seenOn: "Swift 6.3.1 on Linux, libcurl 7.88.1"
        ),
        .limitation(
            "fails on two lengths that differ",
            because: "libcurl takes the last of them.",
            seenOn: "Swift 6.3.1 on Linux, libcurl 7.88.1"
        ),
    ]
}
