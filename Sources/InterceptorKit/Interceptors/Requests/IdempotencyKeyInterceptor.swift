/// Gives requests that are not idempotent a key, by which the server recognises a repetition
/// (draft-ietf-httpapi-idempotency-key-header).
///
/// The key is made once per call, above interceptors that send again: every attempt and every redirect that keeps the
/// request's fields carries the same key. A ``RetryPolicy`` retries a request with a key. An existing key is kept.
///
/// Put it **outside** retry and hedge: inside, each attempt would carry its own key, and the server would do the work
/// twice. ``Call/idempotencyKey`` sets a key that outlives the process, for example for an order that is placed again
/// after a crash; ``Call/addsIdempotencyKey`` turns the key off for one call.
public struct IdempotencyKeyInterceptor: Interceptor {
    /// A closure that makes a key for a request.
    public typealias Maker = @Sendable (_ request: HTTP.Request, _ call: Call) throws -> String

    /// The form of a key in its field.
    public enum Form: Sendable, Hashable {
        /// A string of structured fields, in quotes, as the draft requires.
        case string
        /// Without quotes, for services that are older than the draft.
        case bare
    }

    private let methods: Set<HTTP.Method>
    private let form: Form
    private let make: Maker?

    /// Creates an interceptor.
    /// - Parameters:
    ///   - methods: The methods whose requests get a key. Defaults to `POST` and `PATCH`.
    ///   - form: The form of the key in its field. Defaults to ``Form/string``.
    ///   - make: Makes the key. Defaults to a random UUID (RFC 9562 section 5.4) from the call's runtime.
    public init(
        for methods: Set<HTTP.Method> = [.post, .patch],
        form: Form = .string,
        make: Maker? = nil
    ) {
        self.methods = methods
        self.form = form
        self.make = make
    }

    public var placement: Placement? { .idempotencyKey }

    public var keepsDeadline: Bool { true }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let (request, call) = (chain.input, chain.call)
        let wantsKey = methods.contains(request.method) || call.idempotencyKey != nil
        guard wantsKey, call.addsIdempotencyKey, !request.headers.contains("Idempotency-Key") else {
            return try await chain.proceed()
        }
        let key = try call.idempotencyKey ?? make?(request, call) ?? call.runtime.randomUUID()
        try check(key)
        return try await chain.proceed { request in
            switch form {
            case .string: request.headers.idempotencyKey = key
            case .bare: request.headers["Idempotency-Key"] = key
            }
        }
    }

    private func check(_ key: String) throws {
        let isToken = form == .bare
        guard !key.isEmpty, key.utf8.allSatisfy({ (isToken ? 0x21 : 0x20)...0x7E ~= $0 }) else {
            throw HTTP.RequestError(
                .invalidField,
                "The idempotency key is empty or has characters other than printable ASCII. Give one as "
                    + "a UUID is."
            )
        }
    }
}

extension Runtime {
    /// Returns a random UUID (RFC 9562 section 5.4), in lower case.
    fileprivate func randomUUID() -> String {
        var bytes = randomBytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
            .map(\.hexadecimal).joined(separator: "-")
    }
}

private enum AddsIdempotencyKey: CallKey {
    static let defaultValue = true
}

private enum IdempotencyKey: CallKey {
    static let defaultValue: String? = nil
}

extension Call {
    /// Whether ``IdempotencyKeyInterceptor`` gives this call's request a key. Defaults to `true`.
    public var addsIdempotencyKey: Bool {
        get { self[AddsIdempotencyKey.self] }
        set { self[AddsIdempotencyKey.self] = newValue }
    }

    /// The key that ``IdempotencyKeyInterceptor`` gives this call's request, whatever its method; `nil`, the default,
    /// makes one for the methods that need it.
    public var idempotencyKey: String? {
        get { self[IdempotencyKey.self] }
        set { self[IdempotencyKey.self] = newValue }
    }
}
