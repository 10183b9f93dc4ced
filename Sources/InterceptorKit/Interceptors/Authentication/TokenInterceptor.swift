import InterceptorKitConcurrency
import Synchronization

/// Attaches a credential to requests for allowed origins, and refreshes it when it is rejected.
///
/// Any number of concurrent rejections lead to one refresh, after which each rejected request is sent once more, or
/// twice if the first new credential came from another process (`StoredCredentialSource`). Requests for other origins,
/// requests that already have the field and the refresh's own requests pass unchanged: a source can use the client.
///
/// Put it **inside** retry, so that each attempt carries the newest credential, and **outside** signing, so that the
/// signature covers it. For several credentials, use several interceptors; the first with a credential attaches it,
/// unless ``Call/credentialName`` names another.
///
/// A request whose body can be sent only once is not replayed: its 401 goes to the caller, and the credential is
/// refreshed for the next request. A 401 that another token would not change also goes to the caller, without a
/// refresh: one that asks for a wider scope (``HTTP/Challenge/BearerError/insufficientScope``), a valid request, a
/// nonce or another sign-in, unless the source can bring it (``CredentialSource/need(in:of:)``). A cancelled call stops
/// waiting at once; the refresh continues for the others.
public struct TokenInterceptor: Interceptor {
    private let name: String?
    let cache: CredentialCache
    private let origins: [HTTP.Origin]
    private let classifier: OutcomeClassifier<HTTP.Request>

    /// Creates an interceptor.
    /// - Parameters:
    ///   - name: The name by which calls choose an interceptor; see ``Call/credentialName``. Defaults to none.
    ///   - source: The source of the credentials.
    ///   - origins: The only origins that receive the credentials. Building a pipeline fails with invalid text or an
    ///     empty list.
    ///   - classifier: Classifies outcomes; `unauthorized` means that the credential was rejected. Defaults to the
    ///     client's classifier, and without one to status 401.
    ///   - policy: The rules for when to refresh and how long to wait. Defaults to ``RefreshPolicy/standard``.
    public init(
        _ name: String? = nil,
        source: some CredentialSource,
        origins: [HTTP.Origin],
        classifier: OutcomeClassifier<HTTP.Request> = .inherited,
        policy: RefreshPolicy = .standard
    ) {
        self.name = name
        cache = CredentialCache(source, validated: policy)
        self.origins = origins
        self.classifier = classifier
    }

    /// Creates an interceptor that shares its credential with other users of a cache, such as interceptors with other
    /// origins, a handshake or a body.
    /// - Parameters:
    ///   - name: The name by which calls choose an interceptor; see ``Call/credentialName``. Defaults to none.
    ///   - cache: Keeps the credential, and refreshes it once for all users.
    ///   - origins: The only origins that receive the credentials. Building a pipeline fails with invalid text or an
    ///     empty list.
    ///   - classifier: Classifies outcomes; `unauthorized` means that the credential was rejected. Defaults to the
    ///     client's classifier, and without one to status 401.
    public init(
        _ name: String? = nil,
        cache: CredentialCache,
        origins: [HTTP.Origin],
        classifier: OutcomeClassifier<HTTP.Request> = .inherited
    ) {
        self.name = name
        self.cache = cache
        self.origins = origins
        self.classifier = classifier
    }

    public var placement: Placement? { .token }

    public var keepsDeadline: Bool { true }

    public func validate() throws {
        try SettingCheck(of: "TokenInterceptor").origins(origins)
        try cache.policy.validate()
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        guard attachesCredential(for: chain.call, to: chain.input.url) else {
            return try await chain.proceed()
        }
        let cached: CredentialState.Cached
        if let known = cache.attachableAtOnce(to: chain.call) {
            cached = known
        } else {
            cached = try await cache.attachable(to: chain.call)
        }
        if let credential = cached.credential, credential.isCarried(by: chain.input) {
            return try await chain.proceed()
        }
        let candidates = chain.call.candidates(adding: cached.credential)
        let response: HTTP.Response
        do {
            response = try await send(chain, with: cached.credential, candidates)
        } catch {
            if error is LateError { throw error }
            return try await renew(.failure(error), chain, cached, candidates)
        }
        if classifier.recognises(response, of: chain.call) { return response }
        return try await renew(.success(response), chain, cached, candidates)
    }

    // Functions of their own, because an asynchronous one takes room for all that it may do, and nearly every response
    // needs no more than the above.

    @inline(never)
    private nonisolated(nonsending) func renew(
        _ first: Result<HTTP.Response, any Error>,
        _ chain: InterceptorChain<HTTP.Request>,
        _ cached: CredentialState.Cached,
        _ candidates: CredentialCandidates?
    ) async throws -> HTTP.Response {
        try await chain.call.keepingDeadline { call in
            try await response(after: first, chain.guarded(call), cached, candidates)
        }
    }

    private nonisolated(nonsending) func response(
        after first: Result<HTTP.Response, any Error>,
        _ chain: InterceptorChain<HTTP.Request>,
        _ cached: CredentialState.Cached,
        _ candidates: CredentialCandidates?
    ) async throws -> HTTP.Response {
        var (result, cached, met) = (first, cached, Met())
        while true {
            let outcome = Outcome(input: chain.input, result: result, call: chain.call)
            if case .success(let response) = result,
                classifier.recognises(response, of: chain.call)
            {
                return response
            }
            let rejected = await rejection(
                outcome,
                of: chain.call,
                cached.credential,
                candidates,
                met
            )
            guard let (reason, context) = rejected else { return try outcome.result.get() }
            chain.call.emit(.credentialRejected, ["reason": .text(reason)])
            guard chain.input.body.isReplayable else {
                cache.beginRefresh(after: cached, context)
                return try outcome.result.get()
            }
            let refreshed = try await cache.refreshed(after: cached, context)
            guard refreshed.version != cached.version, let credential = refreshed.credential,
                !credential.isCarried(by: chain.input)
            else { return try outcome.result.get() }
            if case .success(let response) = outcome.result {
                await response.discard(on: chain.call.runtime)
            }
            cached = context.need == nil ? cache.latest(since: refreshed) : refreshed
            // Another process's credential may be just as old: only the rejection of a new one goes to the caller.
            if !(cached.credential?.isFromAnotherProcess ?? false) { met.note(context.need) }
            result = await self.result(of: chain, with: cached.credential, candidates)
        }
    }

    /// Returns why another credential may change the outcome; `nil` if it goes to the caller.
    private nonisolated(nonsending) func rejection(
        _ outcome: Outcome<HTTP.Request>,
        of call: Call,
        _ credential: Credential?,
        _ candidates: CredentialCandidates?,
        _ met: Met
    ) async -> (reason: String, context: RefreshContext)? {
        let response = outcome.response
        if credential != nil, let response, response.status.code >= 400,
            let need = cache.source.need(in: response, of: call)
        {
            let context = RefreshContext(call: call, response: response, need: need)
            return met.allows(need) ? (need.description, context) : nil
        }
        guard !met.isRefreshed else { return nil }
        let classification = await classifier.classify(outcome)
        let hadCredential = credential != nil || candidates?.isOne ?? false
        guard classification.kind == .unauthorized && hadCredential,
            credential == nil || !(response?.refusesAnyToken ?? false)
        else { return nil }
        return (classification.reason, RefreshContext(call: call, response: response))
    }

    func attachesCredential(for call: Call, to url: HTTP.URL) -> Bool {
        guard call.credentialUse != .none, (call.credentialName ?? name) == name,
            let origin = url.origin
        else { return false }
        return origins.contains(origin) && !cache.isRefreshingHere
    }

    private nonisolated(nonsending) func result(
        of chain: InterceptorChain<HTTP.Request>,
        with credential: Credential?,
        _ candidates: CredentialCandidates?
    ) async -> Result<HTTP.Response, any Error> {
        do {
            return .success(try await send(chain, with: credential, candidates))
        } catch {
            return .failure(error)
        }
    }

    private nonisolated(nonsending) func send(
        _ chain: InterceptorChain<HTTP.Request>,
        with credential: Credential?,
        _ candidates: CredentialCandidates?
    ) async throws -> HTTP.Response {
        guard let credential else {
            let call = chain.call.offering(candidates)
            return try await chain.proceed(chain.input, call: call)
        }
        var request = chain.input
        credential.apply(to: &request)
        let call = chain.call.credentialFields(adding: credential.fieldNames)
        call.emit(.credentialAttached)
        return try await chain.proceed(request, call: call)
    }
}

/// What the new credentials of one request were for.
private struct Met {
    /// One for the scope and one for the sign-in: a challenge asks for either (RFC 9470 section 3).
    private static let mostNeeds = 2

    private var needs: [CredentialNeed] = []
    /// Whether a new credential took the place of a rejected one.
    private(set) var isRefreshed = false

    func allows(_ need: CredentialNeed) -> Bool {
        needs.count < Self.mostNeeds && !needs.contains(need)
    }

    mutating func note(_ need: CredentialNeed?) {
        if let need { needs.append(need) } else { isRefreshed = true }
    }
}

extension TokenInterceptor: CredentialScope {
    package var credentialOrigins: [HTTP.Origin]? { origins }
}

extension HTTP.Response {
    /// Whether a 401 has only reasons that a refresh does not change: RFC 6750 section 3.1, RFC 9449 section 9, RFC
    /// 9470 section 3.
    fileprivate var refusesAnyToken: Bool {
        guard status == 401 else { return false }
        let codes = headers.challenges().compactMap(\.bearerError)
        let lasting: [HTTP.Challenge.BearerError] = [
            .insufficientScope, .invalidRequest, .useDPoPNonce, .insufficientUserAuthentication,
        ]
        return !codes.isEmpty && codes.allSatisfy(lasting.contains)
    }
}

extension Credential {
    fileprivate func isCarried(by request: HTTP.Request) -> Bool {
        fields.contains { request.headers.contains($0.name) }
    }
}

/// Whether a call gets a credential.
public enum CredentialUse: String, Sendable, Hashable {
    /// Attach a credential if there is one, even an expired one if its source has no other: the server decides.
    case automatic
    /// Attach a credential. If there is none, or only an expired one, ask the source; if it has no other, send nothing
    /// and throw ``TokenError/Code-swift.struct/missingCredential``, ``TokenError/Code-swift.struct/expiredCredential``
    /// or ``TokenError/Code-swift.struct/signedOut``.
    case required
    /// Attach no credential, for example for a public route.
    case none
}

private enum CredentialUseKey: PartitioningCallKey {
    static let defaultValue = CredentialUse.automatic
}

private enum CredentialNameKey: PartitioningCallKey {
    static let defaultValue: String? = nil
}

private enum CandidatesKey: CallKey {
    static let defaultValue: CredentialCandidates? = nil
}

extension Call {
    /// Whether this call gets a credential. Defaults to ``CredentialUse/automatic``.
    public var credentialUse: CredentialUse {
        get { self[CredentialUseKey.self] }
        set { self[CredentialUseKey.self] = newValue }
    }

    /// The name of the ``TokenInterceptor`` whose credential this call gets; `nil`, the default, uses the first one
    /// that allows the request's origin and has a credential.
    public var credentialName: String? {
        get { self[CredentialNameKey.self] }
        set { self[CredentialNameKey.self] = newValue }
    }

    /// Counts an interceptor that could give the request a credential.
    /// - Parameter credential: The interceptor's credential, if it has one.
    /// - Returns: The counter of such interceptors for a request without a credential; `nil` if one is known.
    func candidates(adding credential: Credential?) -> CredentialCandidates? {
        let known = self[CandidatesKey.self]
        known?.add()
        guard credential == nil, credentialFields.isEmpty else { return nil }
        if let known { return known }
        let candidates = CredentialCandidates()
        candidates.add()
        return candidates
    }

    /// Returns this call with the counter, for the interceptors below.
    func offering(_ candidates: CredentialCandidates?) -> Call {
        guard let candidates, self[CandidatesKey.self] == nil else { return self }
        return withValue(candidates, for: CandidatesKey.self)
    }
}

/// The number of interceptors that could give one request a credential.
///
/// If a request is sent without a credential past several of them and is rejected, it is unknown whose credential is
/// missing, so none is refreshed. Shared, so that interceptors above learn of those below.
final class CredentialCandidates: Sendable {
    private let count = Lock(0)

    var isOne: Bool { count.withLock { $0 == 1 } }

    func add() { count.withLock { $0 += 1 } }
}
