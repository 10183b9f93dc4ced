private enum AddsDefaultHeaders: CallKey {
    static let defaultValue = true
}

private enum AddsCommonParameters: CallKey {
    static let defaultValue = true
}

private enum AddsIdempotencyKey: CallKey {
    static let defaultValue = true
}

private enum IdempotencyKey: CallKey {
    static let defaultValue: String? = nil
}

private enum CompressesBody: CallKey {
    static let defaultValue = true
}

extension Call {
    /// Whether this call's requests get the fields of ``DefaultHeadersInterceptor`` and
    /// ``UserAgentInterceptor``. Defaults to `true`.
    public var addsDefaultHeaders: Bool {
        get { self[AddsDefaultHeaders.self] }
        set { self[AddsDefaultHeaders.self] = newValue }
    }

    /// Whether this call's requests get the parameters of ``CommonParametersInterceptor``. Defaults to
    /// `true`.
    public var addsCommonParameters: Bool {
        get { self[AddsCommonParameters.self] }
        set { self[AddsCommonParameters.self] = newValue }
    }

    /// Whether ``IdempotencyKeyInterceptor`` gives this call's request a key. Defaults to `true`.
    public var addsIdempotencyKey: Bool {
        get { self[AddsIdempotencyKey.self] }
        set { self[AddsIdempotencyKey.self] = newValue }
    }

    /// The key that ``IdempotencyKeyInterceptor`` gives this call's request, whatever its method; `nil`, the
    /// default, makes one for the methods that need it.
    public var idempotencyKey: String? {
        get { self[IdempotencyKey.self] }
        set { self[IdempotencyKey.self] = newValue }
    }

    /// Whether ``CompressionInterceptor`` may compress the bodies of this call's requests. Defaults to
    /// `true`.
    public var compressesBody: Bool {
        get { self[CompressesBody.self] }
        set { self[CompressesBody.self] = newValue }
    }
}
