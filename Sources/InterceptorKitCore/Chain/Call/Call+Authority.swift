private struct CallDestination: Sendable {
    var authority: String?
    var partition: String?
}

// One key for both, because limits ask for both.
private enum CallDestinationKey: CallKey {
    static let defaultValue = CallDestination()
}

extension Call {
    /// The server that an attempt goes to, where the input's own authority does not tell it apart, as with
    /// several addresses behind one name; `nil`, the default, leaves it to the input.
    ///
    /// An interceptor that chooses the server sets it for the stages below, to a text that differs for each
    /// server, such as `https://api.example.com at 10.0.0.7:8443`. Circuit breakers, rate limits and adaptive
    /// limits below then keep their state by this text, and their errors and events show it. Nothing is
    /// connected or sent by it.
    public var authority: String? {
        get { self[CallDestinationKey.self].authority }
        set { self[CallDestinationKey.self].authority = newValue }
    }

    /// The partition of the server's limits that the call counts against, such as a tenant or a user; `nil`,
    /// the default, means that it is not known.
    ///
    /// A server that limits each tenant asks one of them to wait and not the others. So a wait that the server
    /// asks for is shared among the calls to an authority with the same partition, and among no others. Rate
    /// limits, adaptive limits and throttles keep their state by authority and partition. No error and no
    /// event shows it.
    public var limitPartition: String? {
        get { self[CallDestinationKey.self].partition }
        set { self[CallDestinationKey.self].partition = newValue }
    }

    /// The key of the state of a limit: the authority, and the partition if there is one.
    func limitKey(to authority: String?) -> String? {
        let destination = self[CallDestinationKey.self]
        let authority = destination.authority ?? authority
        guard let partition = destination.partition else { return authority }
        return "\(authority ?? "")\n\(partition)"
    }
}

extension InterceptorChain {
    /// The server that the input goes to: the call's ``Call/authority`` if it is set, else the input's;
    /// `nil` if neither is known.
    ///
    /// Interceptors that keep state for each server, and see each attempt, keep it by this. Above a retry or
    /// where no server is chosen yet, it is the input's.
    public var authority: String? {
        // The frame's own call, because being observed changes no value of it.
        frame.call.authority ?? Input.authority(of: frame.input)
    }

    /// The key of the state of a limit for the input; see ``Call/limitPartition``.
    var limitKey: String? { frame.call.limitKey(to: Input.authority(of: frame.input)) }
}

/// The authority in a key of ``Call/limitKey(to:)``.
func authority(ofLimitKey key: String?) -> String? {
    guard let key, let end = key.utf8.firstIndex(of: UInt8(ascii: "\n")) else { return key }
    return end == key.startIndex ? nil : String(key[..<end])
}
