import InterceptorKitTesting

/// What libcurl does not do, each seen by running the behaviour on the version named.
enum CurlExclusions {
    static let all: [TransportConformance.Exclusion] = [
        .limitation(
            "delivers a body in a coding it does not know as it came",
            because: "libcurl refuses a coding that it cannot decode.",
            seenOn: "libcurl 7.88.1"
        ),
        .limitation(
            "fails on a compressed body that was cut off, or delivers it as it came",
            because: "libcurl does not report a compressed stream that ends early.",
            seenOn: "libcurl 7.88.1"
        ),
    ]
}
