/// The hosts that the engine may have an unused connection to.
///
/// When a kept connection breaks before any response, the engine itself resends the request on a new connection. If
/// that connection is refused, its error describes only the second try, so the request is not known to be unsent. A
/// connection is kept when a transfer ends without an error. A transfer that is refused, and was the only one to its
/// host, has used up a kept connection or found none.
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
        // Whether transfers have overlapped since the host was last idle, so that it is unknown which connection each
        // used.
        var isShared = false

        var isUnknown: Bool { kept == 0 && underWay == 0 }
    }

    private let perHostLimit: Int
    private let hostLimit: Int
    private var hosts: [String: Host] = [:]
    // Beyond the limit any host may have a connection; this keeps the table bounded.
    private var hasMoreHosts = false

    /// - Parameters:
    ///   - perHostLimit: The largest number of connections that the engine has to one host.
    ///   - hostLimit: The number of hosts that are tracked separately. Defaults to 1,024.
    init(perHostLimit: Int, hostLimit: Int = 1024) {
        self.perHostLimit = perHostLimit
        self.hostLimit = hostLimit
    }

    /// Counts a transfer; returns whether it may use a kept connection.
    mutating func begin(_ host: String) -> Bool {
        var entry = hosts[host] ?? Host()
        entry.underWay += 1
        if entry.underWay > 1 { entry.isShared = true }
        guard hosts[host] != nil || hosts.count < hostLimit else {
            hasMoreHosts = true
            return true
        }
        hosts[host] = entry
        return hasMoreHosts || entry.kept > 0
    }

    /// Whether transfers to a host may wait for a connection.
    func mayWait(_ host: String) -> Bool {
        hosts[host].map { $0.underWay >= perHostLimit } ?? hasMoreHosts
    }

    /// Ends a transfer; returns whether others may have kept a connection for it since it began.
    mutating func end(_ host: String, _ ending: Ending) -> Bool {
        guard var entry = hosts[host] else { return true }
        let mayHaveUsedKept = hasMoreHosts || entry.kept > 0
        switch ending {
        case .whole: entry.kept = min(perHostLimit, entry.kept + 1)
        case .refused where !entry.isShared: entry.kept = max(0, entry.kept - 1)
        case .refused, .failed: break
        }
        entry.underWay -= 1
        if entry.underWay == 0 { entry.isShared = false }
        hosts[host] = entry.isUnknown ? nil : entry
        return mayHaveUsedKept
    }
}
