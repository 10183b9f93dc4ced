import InterceptorKitConformance

/// What a user's session does by itself, each seen by running the requirement on the toolchain named.
enum DataTaskExclusions {
    private typealias Exclusion = TransportConformance.Exclusion

    static var all: [TransportConformance.Exclusion] {
        #if canImport(FoundationNetworking)
        URLSessionExclusions.all + everywhere + onLinux
        #else
        URLSessionExclusions.all + everywhere
        #endif
    }

    private static let seen = "Swift 6.3.1 on Linux"

    private static let everywhere: [Exclusion] =
        [
            "delivers the head before the body is there",
            "delivers what has come of a body before the rest",
            "delivers a chunk before the next one comes",
            "delivers each chunk before the server makes the next",
            "delivers what arrived of a body before its failure",
            "leaves a body alone whose head came before the deadline",
            "ends the reading of a body, and its connection",
            "ends a body that is cancelled from outside, and its connection",
            "releases the connection of a body that nobody reads",
            "releases the connection of a body that is read in part",
        ].map { requirement in
            .limitation(
                requirement,
                because:
                    "A data task with a completion handler tells of a response when it is whole.",
                seenOn: seen
            )
        }
        + [
            "says that nothing was sent where nobody listens",
            "says that nothing was sent where the name has no address",
            "never says that no connection could be made of what a server took before it went",
        ].map { requirement in
            .limitation(
                requirement,
                because:
                    "Others may use the session, so nobody knows whether a kept connection was tried "
                    + "before; the error has the code of what came last, and never says that it is unsent.",
                seenOn: seen
            )
        }
        + [
            .limitation(
                "lets a body be read once",
                because: "It is in memory and can be read again.",
                seenOn: seen
            )
        ]

    private static let onLinux: [Exclusion] =
        [
            "delivers a redirect's body",
            "delivers a Basic challenge and its body, and does not answer it",
        ].map { requirement in
            .limitation(
                requirement,
                because:
                    "Foundation has no data for a completion handler then; the head comes, and the "
                    + "reader of the body gets an error.",
                seenOn: seen
            )
        }
}
