extension HTTP {
    /// The rest of a quota: an item of the field `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11, section 5.1).
    public struct RateLimit: Sendable, Hashable {
        /// The quota's name, the same as its policy's.
        public var name: String
        /// The remaining amount, in the policy's unit.
        public var remaining: Int
        /// The time until more is available; `nil` if not stated.
        public var resetsIn: Duration?
        /// The server's identifier of the quota's partition, such as a user; `nil` if not stated.
        public var partition: [UInt8]?

        /// Reads an item; `nil` if it violates the draft.
        init?(_ member: StructuredField.Member) {
            guard let name = member.value?.string,
                let remaining = member.parameters["r"]?.integer, remaining >= 0,
                let resetsIn = member.parameters.seconds("t"),
                let partition = member.parameters.optional("pk", \.bytes)
            else { return nil }
            self.name = name
            self.remaining = remaining
            self.resetsIn = resetsIn
            self.partition = partition
        }
    }

    /// The amount allowed in a window: an item of the field `RateLimit-Policy`
    /// (draft-ietf-httpapi-ratelimit-headers-11, section 4.1).
    public struct QuotaPolicy: Sendable, Hashable {
        /// The quota's name.
        public var name: String
        /// The allowed amount, in ``unit``.
        public var quota: Int
        /// The window of the quota; `nil` if not stated.
        public var window: Duration?
        /// The unit that is counted, such as `content-bytes`; `requests` if not stated.
        public var unit: String
        /// The server's identifier of the quota's partition, such as a user; `nil` if not stated.
        public var partition: [UInt8]?

        /// Reads an item; `nil` if it violates the draft. Other parameters are ignored.
        init?(_ member: StructuredField.Member) {
            guard let name = member.value?.string,
                let quota = member.parameters["q"]?.integer, quota >= 0,
                let window = member.parameters.seconds("w"),
                let unit = member.parameters.optional("qu", \.string),
                let partition = member.parameters.optional("pk", \.bytes)
            else { return nil }
            self.name = name
            self.quota = quota
            self.window = window
            self.unit = unit ?? "requests"
            self.partition = partition
        }
    }
}

extension HTTP.Headers {
    /// The items of the field `RateLimit`, in order. Empty without the field, or if any part of it violates the draft.
    public var rateLimits: [HTTP.RateLimit] { members("RateLimit", HTTP.RateLimit.init) }

    /// The items of the field `RateLimit-Policy`, in order. Empty without the field, or if any part of it violates the
    /// draft.
    public var quotaPolicies: [HTTP.QuotaPolicy] {
        members("RateLimit-Policy", HTTP.QuotaPolicy.init)
    }

    private func members<Item>(
        _ name: String,
        _ read: (HTTP.StructuredField.Member) -> Item?
    ) -> [Item] {
        guard let list = try? structuredList(name) else { return [] }
        let items = list.compactMap(read)
        return items.count == list.count ? items : []
    }
}

extension HTTP.StructuredField.Parameters {
    /// Returns a parameter that may be missing: the inner optional is `nil` if it is, the outer if it has another type.
    fileprivate func optional<Wanted>(
        _ key: String,
        _ read: (HTTP.StructuredField.BareItem) -> Wanted?
    ) -> Wanted?? {
        guard let value = self[key] else { return .some(nil) }
        guard let wanted = read(value) else { return nil }
        return .some(wanted)
    }

    fileprivate func seconds(_ key: String) -> Duration?? {
        optional(key) { $0.integer.flatMap { $0 < 0 ? nil : Duration.seconds($0) } }
    }
}
