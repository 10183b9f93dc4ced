/// What a fleet did.
public struct FleetReport: Sendable {
    /// How a process ended.
    public struct End: Sendable {
        public var worker: Int
        public var wasKilled: Bool
        public var status: Int32
        /// What it wrote to standard error.
        public var said: String
    }

    /// How often a refresh token was received.
    public var refreshes = 0
    /// How often it was taken, and a new one given.
    public var rotations = 0
    /// How often it was one that had been received before.
    public var reused = 0
    /// How often someone signed in.
    public var signIns = 0
    /// The processes that were ended with the response to a refresh on its way.
    public var killed: [String] = []
    /// What processes were told that needs a sign-in.
    public var problems: Set<String> = []
    /// How often they were, since the last was ended.
    public var problemsSinceKill = 0
    /// What else calls failed with, and how often.
    public var failures: [String: Int] = [:]
    /// How many requests were served, by worker.
    public var served: [String: Int] = [:]
    /// The refresh token that is good.
    public var lastRefreshToken = ""
    /// How the processes ended, in that order.
    public var ends: [End] = []

    /// What is wrong with it, in words: whatever is not as it must be in every fleet.
    /// - Parameters:
    ///   - load: What was to be done.
    ///   - kept: The refresh token that the store has in the end.
    public func violations(of load: TokenServer.Load, kept: String?) -> [String] {
        var violations: [String] = []
        func require(_ isRight: Bool, _ text: String) {
            if !isRight { violations.append(text) }
        }
        require(refreshes == rotations, "\(refreshes) refreshes and \(rotations) rotations")
        require(reused == 0, "\(reused) refresh tokens used twice")
        require(killed.count == load.kills.count, "\(killed.count) killed in a refresh")
        require(signIns == killed.count + 1, "\(signIns) sign-ins")
        require(
            problems == (killed.isEmpty ? [] : ["refreshOutcomeUnknown"]),
            "told to sign in by \(problems.sorted())"
        )
        let isWhole = (0..<load.workers).allSatisfy { served["\($0)"] == load.calls }
        require(isWhole, "served \(served.sorted { $0.key < $1.key })")
        let failed = ends.filter { !$0.wasKilled && $0.status != 0 }
        require(failed.isEmpty, "ended with an error: \(failed)")
        require(kept == lastRefreshToken, "kept \(kept ?? "nothing"), not \(lastRefreshToken)")
        return violations
    }

    /// One line for a log.
    public var summary: String {
        "\(refreshes) refreshes, \(rotations) rotations, \(reused) reused, \(ends.filter(\.wasKilled).count)"
            + " killed and replaced, \(signIns) sign-ins, \(served.values.reduce(0, +)) calls served"
    }
}
