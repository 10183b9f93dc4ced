/// Which hosts the engine may have an unused connection to.
///
/// A request whose kept connection breaks before any answer is sent again by the engine itself, on a new
/// connection. If that is refused, its error tells of the second time only, so nobody may say that nothing was sent.
/// A connection is kept when a transfer ends without an error. A transfer that is refused, and was alone with its host,
/// has used one up or found none.
struct KeptConnections {
    enum Ending {
        case whole
        /// No connection could be made.
        case refused
        case failed
    }

    private struct Host {
        var kept = 0
        var underWay = 0
        // Whether transfers ran side by side since none was under way, so that which used which is unknown.
        var isShared = false

        var isUnknown: Bool { kept == 0 && underWay == 0 }
    }

    private let mostOfHost: Int
    private let mostHosts: Int
    private var hosts: [String: Host] = [:]
    // Beyond so many hosts any may have a connection, so that the table stays bounded.
    private var hasMoreHosts = false

    /// - Parameters:
    ///   - mostOfHost: How many connections to one host the engine has at most.
    ///   - mostHosts: How many hosts are told apart. Defaults to 1,024.
    init(mostOfHost: Int, mostHosts: Int = 1024) {
        self.mostOfHost = mostOfHost
        self.mostHosts = mostHosts
    }

    /// Counts a transfer; returns whether it may use a kept connection.
    mutating func begin(_ host: String) -> Bool {
        var entry = hosts[host] ?? Host()
        entry.underWay += 1
        if entry.underWay > 1 { entry.isShared = true }
        guard hosts[host] != nil || hosts.count < mostHosts else {
            hasMoreHosts = true
            return true
        }
        hosts[host] = entry
        return hasMoreHosts || entry.kept > 0
    }

    /// Whether transfers to a host may wait for a connection.
    func mayWait(_ host: String) -> Bool {
        hosts[host].map { $0.underWay >= mostOfHost } ?? hasMoreHosts
    }

    /// The end of a transfer; returns whether others may have kept a connection for it since it began.
    mutating func end(_ host: String, _ ending: Ending) -> Bool {
        guard var entry = hosts[host] else { return true }
        let mayHaveUsedOne = hasMoreHosts || entry.kept > 0
        switch ending {
        case .whole: entry.kept = min(mostOfHost, entry.kept + 1)
        case .refused where !entry.isShared: entry.kept = max(0, entry.kept - 1)
        case .refused, .failed: break
        }
        entry.underWay -= 1
        if entry.underWay == 0 { entry.isShared = false }
        hosts[host] = entry.isUnknown ? nil : entry
        return mayHaveUsedOne
    }
}
