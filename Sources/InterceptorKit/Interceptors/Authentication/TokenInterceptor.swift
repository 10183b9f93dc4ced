/// Attaches a credential to requests for allowed origins, and renews it when it is rejected.
///
/// Any number of concurrent rejections lead to one renewal, after which each rejected request is sent
/// once more. A request for another origin passes untouched, as does one that already carries the
/// field, and the renewal's own requests, so that a source may use the same client.
///
/// Put it **inside** retry, so that each attempt carries the newest credential, and **outside**
/// signing, so that the signature covers it.
///
/// A request whose body can be sent only once is not replayed: its 401 is the caller's. A call that is
/// cancelled stops waiting at once; the renewal goes on for the others.
public struct TokenInterceptor: Interceptor {
    private let vault: CredentialVault
    private let origins: [HTTP.Origin]
    private let classifier: OutcomeClassifier<HTTP.Request>

    /// Creates an interceptor.
    /// - Parameters:
    ///   - source: Where credentials come from.
    ///   - origins: The only origins that receive them. Text that is no origin, or an empty list, fails
    ///     when a pipeline is built.
    ///   - classifier: Says which outcomes mean that the credential was rejected. Defaults to status
    ///     401; give one that looks into envelopes for services that say so inside a 200.
    ///   - renewalLimit: How long a call waits for a renewal at most. Defaults to 10 s.
    public init(
        source: some CredentialSource,
        origins: [HTTP.Origin],
        classifier: OutcomeClassifier<HTTP.Request> = .standard,
        renewalLimit: Duration = .seconds(10)
    ) {
        vault = CredentialVault(source: source, waitLimit: renewalLimit)
        self.origins = origins
        self.classifier = classifier
    }

    public var placement: Placement? { .token }

    public func validate() throws {
        guard !origins.isEmpty else { throw TokenError.noOrigins }
        for origin in origins { try origin.validate() }
    }

    /// Puts a credential in place of whatever there is, as after a sign-in; `nil` signs out.
    ///
    /// The result of a renewal under way is discarded, and calls that wait for it go on with this one.
    /// After a sign-out requests go out bare and the source is not asked until the next sign-in.
    public func replaceCredential(with credential: Credential?) {
        vault.replace(with: credential)
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let use = chain.call.credentialUse
        guard use != .none, !vault.isRenewingHere, isAllowed(chain.input.url) else {
            return try await chain.proceed()
        }
        let held = try await vault.current(for: chain.call)
        if use == .required && held.credential == nil { throw TokenError.missingCredential }
        if let credential = held.credential, credential.isCarried(by: chain.input) {
            return try await chain.proceed()
        }
        let outcome = await outcome(of: chain, with: held.credential)
        let classification = await classifier.classify(outcome)
        guard classification.kind == .unauthorized, chain.input.body.isReplayable else {
            return try outcome.result.get()
        }
        chain.call.emit(
            .credentialRejected,
            from: "TokenInterceptor",
            ["reason": .text(classification.reason)]
        )
        let renewed = try await vault.renewed(after: held, for: chain.call)
        guard renewed.version != held.version, let credential = renewed.credential else {
            return try outcome.result.get()
        }
        if case .success(let response) = outcome.result { await response.discard() }
        return try await send(chain, with: credential)
    }

    private func isAllowed(_ url: HTTP.URL) -> Bool {
        guard let origin = url.origin else { return false }
        return origins.contains(origin)
    }

    private nonisolated(nonsending) func outcome(
        of chain: InterceptorChain<HTTP.Request>,
        with credential: Credential?
    ) async -> Outcome<HTTP.Request> {
        let result: Result<HTTP.Response, any Error>
        do {
            result = .success(try await send(chain, with: credential))
        } catch {
            result = .failure(error)
        }
        return Outcome(input: chain.input, result: result, call: chain.call)
    }

    private nonisolated(nonsending) func send(
        _ chain: InterceptorChain<HTTP.Request>,
        with credential: Credential?
    ) async throws -> HTTP.Response {
        guard let credential else { return try await chain.proceed() }
        var request = chain.input
        credential.apply(to: &request)
        let call = chain.call.credentialFields(adding: credential.fields.map(\.name))
        call.emit(.credentialAttached, from: "TokenInterceptor")
        return try await chain.proceed(request, call: call)
    }
}

extension Credential {
    fileprivate func isCarried(by request: HTTP.Request) -> Bool {
        fields.contains { request.headers.contains($0.name) }
    }
}
