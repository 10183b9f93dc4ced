public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A store of a provider's keys, refreshed before they expire, for a `RequestSigner` with `AWSSignatureV4`.
///
/// ```swift
/// let keys = try AWSSigningKeys(.default, in: environment)
/// let sign = SignInterceptor(RequestSigner(.s3(region: region), keys: keys))
/// ```
///
/// Keys are refreshed as by `TokenInterceptor`: once for all signers, in the background some minutes before they
/// expire, and not at the same moment on all machines. A cancelled call stops waiting at once. While their source
/// cannot be reached, valid keys are used until they expire, and never longer.
///
/// Create one store and share it among all signers of the process.
public struct AWSSigningKeys: SigningKeyStore {
    private let source: AWSKeySource
    private let cache: CredentialCache
    private let environment: AWSEnvironment
    private let events: (any EventSink)?
    private let latest = LatestKey()

    /// Creates a store.
    /// - Parameters:
    ///   - provider: The provider of the credentials. Defaults to the default chain. The link of a chain that gave the
    ///     first credentials gives all later ones.
    ///   - environment: The environment of the provider.
    ///   - policy: The times of a refresh, and the wait for it. Defaults to ``InterceptorKit/RefreshPolicy/awsKeys``.
    ///   - expiryTolerance: The time for which expired keys are still sent if no others can be had, for services or
    ///     clocks that allow it. Defaults to zero: expired keys are never sent.
    ///   - events: The sink for events of the refresh, which have no keys. Defaults to none.
    /// - Throws: `SettingError` for an invalid policy.
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

    /// Returns the current key to sign with.
    /// - Parameter id: The key that a call asks for. The result is `nil` if the current key has another id.
    /// - Throws: `TokenError`; `TokenError` if no key arrived in time.
    public func key(id: String?) async throws -> SigningKey? {
        guard let key = latest.key(of: try await current()) else { return nil }
        return id == nil || id == key.id ? key : nil
    }

    /// Returns the current credentials, for code that signs by itself.
    /// - Throws: `TokenError`; `TokenError` if none arrived in time.
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
    /// The policy for AWS keys. They are refreshed in the background from 5 minutes before they expire, when the
    /// metadata services have new ones (Amazon EC2, "Retrieve security credentials from instance metadata"). Calls wait
    /// up to 30 s for the first keys, and a refresh is abandoned after 90 s.
    public static var awsKeys: RefreshPolicy {
        var policy = RefreshPolicy.standard
        policy.backgroundMargin = .seconds(300)
        policy.waitLimit = .seconds(30)
        policy.abandonAfter = .seconds(90)
        return policy
    }
}

/// The signing key of the newest credentials, cached so that it is not created for each signature.
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

/// A source of a provider's credentials that never returns expired ones.
private final class AWSKeySource: CredentialSource {
    private let environment: AWSEnvironment
    private let tolerance: Double
    /// The provider; after the first credentials, the link that gave them.
    private let provider: Lock<AWSCredentialProvider>
    /// The last credentials, expired or not.
    private let newest = Lock<Credential?>(nil)

    init(_ provider: AWSCredentialProvider, _ environment: AWSEnvironment, tolerance: Duration) {
        self.environment = environment
        self.tolerance = tolerance.inSeconds
        self.provider = Lock(provider)
    }

    /// The newest credentials until the tolerance after their expiry ends.
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
    /// A text with the environment and without a key.
    public var description: String { "AWSSigningKeys(\(environment))" }
}

extension AWSSigningKeys: CustomReflectable {
    /// The description only, so that `dump` and debuggers do not show keys.
    public var customMirror: Mirror { Mirror(self, children: ["keys": description]) }
}
