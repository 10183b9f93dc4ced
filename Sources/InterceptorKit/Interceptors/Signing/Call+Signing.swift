private enum SignsRequest: PartitioningCallKey {
    static let defaultValue = true
}

private enum SigningKeyID: PartitioningCallKey {
    static let defaultValue: String? = nil
}

extension Call {
    /// Whether this call's requests are signed. Defaults to `true`.
    public var signsRequest: Bool {
        get { self[SignsRequest.self] }
        set { self[SignsRequest.self] = newValue }
    }

    /// The id of the key to sign this call's requests with; `nil`, the default, lets the store choose.
    public var signingKeyID: String? {
        get { self[SigningKeyID.self] }
        set { self[SigningKeyID.self] = newValue }
    }
}
