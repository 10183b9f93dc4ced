public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The keys that a provider gives, refreshed before they expire; for a `RequestSigner` with `AWSSignatureV4`.
///
/// ```swift
/// let keys = try AWSSigningKeys(.default, in: environment)
/// let sign = SignInterceptor(RequestSigner(.s3(region: region), keys: keys))
/// ```
///
/// The refresh is that of `TokenInterceptor`: once for all that sign, in the background some minutes before
/// the expiry and not at the same moment on all machines. A cancelled call stops waiting at once. While the
/// source of the keys cannot be reached, keys that are valid are used until they expire; they are never taken
/// for valid longer.
///
/// Make one, and give it to all signers of the process.
public struct AWSSigningKeys: SigningKeyStore {
    private let manager: CredentialManager
    private let environment: AWSEnvironment
    private let events: (any EventSink)?
    private let latest = LatestKey()

    /// Creates a store.
    /// - Parameters:
    ///   - provider: Where the credentials come from. Defaults to the default chain. Of a chain, the link that
    ///     gave the first credentials gives all later ones.
    ///   - environment: Where to look.
    ///   - policy: When to refresh, and how long to wait for it. Defaults to ``InterceptorKit/RefreshPolicy/awsKeys``.
    ///   - expiryTolerance: How long keys are sent after their expiry while no others can be had, for
    ///     services or clocks that allow it. Defaults to zero: expired keys are never sent.
    ///   - events: The sink for events of the refresh, which have no keys. Defaults to none.
    /// - Throws: `TokenError` for a policy that cannot work.
    public init(
        _ provider: AWSCredentialProvider = .default,
        in environment: AWSEnvironment,
        policy: RefreshPolicy = .awsKeys,
        expiryTolerance: Duration = .zero,
        events: (any EventSink)? = nil
    ) throws(TokenError) {
        try policy.validate()
        let source = AWSKeySource(provider, environment, tolerance: expiryTolerance)
        manager = CredentialManager(source: source, policy: policy)
        self.environment = environment
        self.events = events
    }

    /// Returns the key to sign with now.
    /// - Parameter id: The key that a call asks for; with another id than the current one's there is none.
    /// - Throws: ``AWSCredentialError``; `TokenError` if no key came in time.
    public func key(id: String?) async throws -> SigningKey? {
        let cached = try await current()
        guard let key = latest.key(cached) else { return nil }
        return id == nil || id == key.id ? key : nil
    }

    /// Returns the current credentials, for what signs by itself.
    /// - Throws: ``AWSCredentialError``; `TokenError` if none came in time.
    public func credentials() async throws -> AWSCredentials {
        guard let credentials = try await current().credential.flatMap(AWSCredentials.init(held:))
        else { throw AWSCredentialError(.noCredentials, "There are no credentials of AWS here.") }
        return credentials
    }

    private func current() async throws -> CredentialState.Cached {
        let call = Call(runtime: environment.runtime, events: events).of(HTTP.Request.self)
        return try await manager.current(for: call)
    }
}

extension RefreshPolicy {
    /// The policy for keys of AWS: refreshed in the background from 5 minutes before they expire, when the
    /// metadata services have new ones (Amazon EC2, "Retrieve security credentials from instance metadata").
    /// Calls wait for the first ones for 30 s, and a refresh is given up after 90 s.
    public static var awsKeys: RefreshPolicy {
        var policy = RefreshPolicy.standard
        policy.backgroundMargin = .seconds(300)
        policy.waitLimit = .seconds(30)
        policy.abandonAfter = .seconds(90)
        return policy
    }
}

/// The key made of the newest credentials, so that each signature need not make one.
private final class LatestKey: Sendable {
    private let made = Lock<(version: Int, key: SigningKey)?>(nil)

    func key(_ cached: CredentialState.Cached) -> SigningKey? {
        made.withLock { made in
            if let made, made.version == cached.version { return made.key }
            let key = cached.credential.flatMap(AWSCredentials.init(held:))?.signingKey
            made = key.map { (cached.version, $0) }
            return key
        }
    }
}

/// Gives the credentials of a provider, none of them expired.
private final class AWSKeySource: CredentialSource {
    /// How often expired keys are tried to be refreshed while they are tolerated, in seconds.
    private static let retryInterval: Double = 60

    private let environment: AWSEnvironment
    private let tolerance: Double
    /// The provider, and once it gave credentials, the link that did.
    private let provider: Lock<AWSCredentialProvider>
    /// When the last credentials expire.
    private let expiry = Lock<Date?>(nil)

    init(_ provider: AWSCredentialProvider, _ environment: AWSEnvironment, tolerance: Duration) {
        self.environment = environment
        self.tolerance = tolerance.inSeconds
        self.provider = Lock(provider)
    }

    func load() async throws -> Credential? { try await provided() }

    func refresh(_ rejected: Credential?) async throws -> Credential? {
        do {
            return try await provided()
        } catch let error where !(error is CancellationError) {
            guard let rejected, let held = AWSCredentials(held: rejected),
                let expiry = expiry.withLock({ $0 }), expiry <= environment.runtime.date,
                let tolerated = tolerated(held, expiry)
            else { throw error }
            return tolerated
        }
    }

    private func provided() async throws -> Credential {
        let provider = provider.withLock { $0 }
        let (credentials, link) = try await provider.resolve(in: environment)
        let expiresAt = credentials.expiresAt
        self.provider.withLock { $0 = link }
        if let expiresAt, expiresAt <= environment.runtime.date {
            guard let tolerated = tolerated(credentials, expiresAt) else {
                throw AWSCredentialError(
                    .expired,
                    "The \(link.name) gave credentials that have expired: \(HTTP.text(for: expiresAt)). "
                        + "Compare the clocks, or refresh them where they come from."
                )
            }
            expiry.withLock { $0 = expiresAt }
            return tolerated
        }
        expiry.withLock { $0 = expiresAt }
        return credentials.held(until: expiresAt)
    }

    /// Expired credentials, as long as they are tolerated.
    private func tolerated(_ credentials: AWSCredentials, _ expiry: Date) -> Credential? {
        let date = environment.runtime.date
        let left = expiry.addingTimeInterval(tolerance).timeIntervalSince(date)
        guard left > 0 else { return nil }
        return credentials.held(until: date.addingTimeInterval(min(left, Self.retryInterval)))
    }
}

extension AWSSigningKeys: CustomStringConvertible {
    /// Where the keys are looked up, never a key.
    public var description: String { "AWSSigningKeys(\(environment))" }
}

extension AWSSigningKeys: CustomReflectable {
    /// The description only, so that `dump` and debuggers do not show keys.
    public var customMirror: Mirror { Mirror(self, children: ["keys": description]) }
}
