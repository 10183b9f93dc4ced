import InterceptorKitConformance

/// What URLSession does not do, each seen by running the requirement on the toolchain named.
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
        .limitation(
            "keeps brackets that are not percent-encoded",
            because: "Foundation makes no URL of them without encoding them, so it is refused.",
            seenOn: "Swift 6.3.1 on Linux"
        ),
    ]

    private static let seenOnLinux = "Swift 6.3.1 on Linux, libcurl 7.88.1"
    private static let target =
        "It is refused, since libcurl would send another target than the one signed."
    private static let repeats =
        "libcurl sends it again by itself. Nothing above URLSession stops that without a body, and a "
        + "connection for each GET would cost half the rate, with TLS nearly all of it. A safe method may "
        + "be repeated (RFC 9110 section 9.2.2); what is not safe, or not idempotent by its call, is sent "
        + "once."

    private static let onLinux: [Exclusion] = [
        .limitation(
            "sends a GET once when the used connection closes before the response",
            because: repeats,
            seenOn: "Swift 6.3.1 on Linux, libcurl 7.88.1"
        ),
        .limitation(
            "sends a GET once when the used connection is reset before the response",
            because: repeats,
            seenOn: "Swift 6.3.1 on Linux, libcurl 7.88.1"
        ),
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
        .endsProcess(
            "fails on the largest length that is a number, where the body ends",
            because:
                "The length is made a Double, which becomes 2^63, and that an Int64, which is too "
                + "small for it (EasyHandle.swift, didReceive(headerData:)); so do all lengths from "
                + "9223372036854775296. It comes before anything that code above could refuse.",
            seenOn: "Swift 6.3.1 on Linux"
        ),
        .endsProcess(
            "fails before the deadline, or at it, on a head of 100,000 lines",
            because:
                "Foundation's work grows with the square of the lines. The call ends at its deadline, "
                + "and when the server then closes before the engine has read on, that is within the "
                + "head and ends the process (as above). It passes in a process that is over first.",
            seenOn: "Swift 6.3.1 on Linux, libcurl 7.88.1"
        ),
        .limitation(
            "does not take what came on an idle connection for a response",
            because:
                "libcurl looks whether a kept connection was closed and not whether it has bytes "
                + "to read; it belongs to libcurl alone.",
            seenOn: "Swift 6.3.1 on Linux, libcurl 7.88.1"
        ),
        .limitation(
            "delivers a field without blank after the colon",
            because: "The header parser wants the blank; fixed after 6.4.",
            seenOn: "Swift 6.3.1 on Linux"
        ),
        .limitation(
            "delivers a response that has a field value in Latin-1",
            because: "The header parser takes UTF-8 alone.",
            seenOn: "Swift 6.3.1 on Linux"
        ),
        .limitation(
            "sends a tag back byte for byte that is not UTF-8",
            because: "The header parser takes UTF-8 alone.",
            seenOn: "Swift 6.3.1 on Linux"
        ),
        .limitation(
            "delivers a body in a coding it does not know as it came",
            because: "libcurl refuses a coding that it cannot decode.",
            seenOn: "Swift 6.3.1 on Linux, libcurl 7.88.1"
        ),
        .limitation(
            "delivers every member of a gzip body, also after an empty one",
            because: "libcurl takes the first member for all and fails on what follows.",
            seenOn: "Swift 6.3.1 on Linux, libcurl 7.88.1"
        ),
        .limitation(
            "fails on a compressed body that was cut off, or delivers it as it came",
            because: "libcurl does not report a compressed stream that ends early.",
            seenOn: "Swift 6.3.1 on Linux, libcurl 7.88.1"
        ),
    ]
}

extension URLSessionExclusions {
    /// Of the cases of Apple's proposal for a client.
    static let httpAPI: [TransportConformance.Exclusion] = [
        .endsProcess(
            "testTrailerRead",
            because: "Trailers reset the stored response (NativeProtocol.swift:240, \"Transfer "
                + "completed, but there's no response\").",
            seenOn: "Swift 6.3.1 on Linux"
        ),
        .limitation(
            "testBadHTTPCase",
            because: "A status line that begins with Http is taken for one of HTTP.",
            seenOn: "Swift 6.3.1 on Linux, libcurl 7.88.1"
        ),
        .limitation(
            "testNoReason",
            because: "A status line without the blank after the status is refused as no HTTP.",
            seenOn: "Swift 6.3.1 on Linux"
        ),
    ]
}
