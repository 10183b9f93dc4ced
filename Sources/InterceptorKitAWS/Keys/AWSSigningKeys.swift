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
    private let source: AWSKeySource
    private let cache: CredentialCache
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
    /// - Throws: `SettingError` for a policy that cannot work.
    public init(
        _ provider: AWSCredentialProvider = .default,
        in environment: AWSEnvironment,
        policy: RefreshPolicy = .awsKeys,
        expiryTolerance: Duration = .zero,
        events: (any EventSink)? = nil
    ) throws(SettingError) {
        source = AWSKeySource(provider, environment, tolerance: expiryTolerance)
        cache = try CredentialCache(source: source, policy: policy)
        self.environment = environment
        self.events = events
    }

    /// Returns the key to sign with now.
    /// - Parameter id: The key that a call asks for; with another id than the current one's there is none.
    /// - Throws: `TokenError`; `TokenError` if no key came in time.
    public func key(id: String?) async throws -> SigningKey? {
        guard let key = latest.key(of: try await current()) else { return nil }
        return id == nil || id == key.id ? key : nil
    }

    /// Returns the current credentials, for what signs by itself.
    /// - Throws: `TokenError`; `TokenError` if none came in time.
    public func credentials() async throws -> AWSCredentials {
        guard let credentials = try await current().flatMap(AWSCredentials.init(_:)) else {
            throw TokenError(.noCredentials, "There are no credentials of AWS here.")
        }
        return credentials
    }

    private func current() async throws -> Credential? {
        let call = Call(runtime: environment.runtime, events: events).of(HTTP.Request.self)
        do {
            return try await cache.credential(for: call)
        } catch let error where !(error is CancellationError) {
            guard let tolerated = source.tolerated else { throw error }
            return tolerated
        }
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
    private let made = Lock<(credential: Credential, key: SigningKey)?>(nil)

    func key(of credential: Credential?) -> SigningKey? {
        made.withLock { made in
            guard let credential else { return nil }
            if let made, made.credential.isSame(as: credential) { return made.key }
            let key = AWSCredentials(credential)?.signingKey
            made = key.map { (credential, $0) }
            return key
        }
    }
}

/// Gives the credentials of a provider, none of them expired.
private final class AWSKeySource: CredentialSource {
    private let environment: AWSEnvironment
    private let tolerance: Double
    /// The provider, and once it gave credentials, the link that did.
    private let provider: Lock<AWSCredentialProvider>
    /// What it gave last, expired or not.
    private let newest = Lock<Credential?>(nil)

    init(_ provider: AWSCredentialProvider, _ environment: AWSEnvironment, tolerance: Duration) {
        self.environment = environment
        self.tolerance = tolerance.inSeconds
        self.provider = Lock(provider)
    }

    /// The newest credentials, while they are tolerated after their expiry.
    var tolerated: Credential? {
        let date = environment.runtime.date
        return newest.withLock { newest in
            let end = newest?.expiresAt?.addingTimeInterval(tolerance)
            return end.map { date < $0 } ?? false ? newest : nil
        }
    }

    func load() async throws -> Credential? { try await provided() }

    func refresh(_ rejected: Credential?) async throws -> Credential? { try await provided() }

    private func provided() async throws -> Credential {
        let provider = provider.withLock { $0 }
        let (credentials, link) = try await provider.resolve(in: environment)
        let credential = credentials.credential
        self.provider.withLock { $0 = link }
        newest.withLock { $0 = credential }
        if let expiresAt = credentials.expiresAt, expiresAt <= environment.runtime.date {
            throw TokenError(
                .expired,
                "The \(link.name) gave credentials that have expired: \(HTTP.text(for: expiresAt)). "
                    + "Compare the clocks, or refresh them where they come from."
            )
        }
        return credential
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
