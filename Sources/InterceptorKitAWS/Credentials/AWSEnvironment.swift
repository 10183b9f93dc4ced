public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where credentials and regions are looked up: variables, a home folder, and transports to services.
///
/// ```swift
/// let environment = AWSEnvironment(transport: transport)
/// let keys = try AWSSigningKeys(.default, in: environment)
/// ```
///
/// Copies share what they know of the metadata service: if it does not answer, that costs 1 s once, and it is
/// not asked again for 5 minutes.
public struct AWSEnvironment: Sendable {
    /// The variables. Defaults to those of the process.
    public var variables: [String: String]
    /// The profile to use; `nil`, the default, uses `AWS_PROFILE`, then `AWS_DEFAULT_PROFILE`, then
    /// `default`. With one, keys in variables are passed over.
    public var profile: String?
    /// Whether the metadata service of an instance may be asked in version 1, if it has no other. Defaults to
    /// `false`: a request that someone else was made to send would get the keys too.
    public var allowsIMDSv1 = false
    /// The longest time for a `credential_process`. Defaults to 60 s, as in the AWS SDK for Go.
    public var processTimeout: Duration = .seconds(60)
    /// The clock and random source.
    public let runtime: Runtime

    let transport: any Transport<HTTP.Request>
    let metadataTransport: (any Transport<HTTP.Request>)?
    let absence = MetadataAbsence()
    /// The folder that all paths are in; for tests.
    var root = ""

    /// Creates an environment.
    /// - Parameters:
    ///   - transport: Sends the requests to AWS, and to the metadata services unless there is another for
    ///     them.
    ///   - metadataTransport: Sends the requests to the metadata services of instances and containers. It
    ///     must use no proxy, which would learn the keys: `CurlTransport` with the proxy `.none`. Defaults to
    ///     `transport`, unless the variables name a proxy for these requests, which are then not made.
    ///   - variables: The variables. Defaults to those of the process.
    ///   - profile: The profile to use. Defaults to the variables' choice.
    ///   - runtime: The clock and random source. Defaults to the live runtime.
    public init(
        transport: some Transport<HTTP.Request>,
        metadataTransport: (any Transport<HTTP.Request>)? = nil,
        variables: [String: String]? = nil,
        profile: String? = nil,
        runtime: Runtime = .live
    ) {
        self.transport = transport
        self.metadataTransport = metadataTransport
        self.variables = variables ?? ProcessInfo.processInfo.environment
        self.profile = profile
        self.runtime = runtime
    }

    /// A variable that is set and not blank.
    func variable(_ name: String) -> String? {
        variables[name].flatMap {
            $0.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : $0
        }
    }

    /// The name of the profile in use.
    var profileName: String {
        profile ?? variable("AWS_PROFILE") ?? variable("AWS_DEFAULT_PROFILE") ?? "default"
    }

    /// A path with `~` for the home folder, below the root.
    func path(_ path: String) -> String {
        guard path == "~" || path.begins(with: "~/"), let rest = path.rest(after: "~") else {
            return root + path
        }
        return root + (variable("HOME") ?? "") + rest
    }
}

extension AWSEnvironment: CustomStringConvertible {
    /// The profile's name; never a variable, which may be a secret.
    public var description: String { "AWSEnvironment(profile \(HTTP.printable(profileName)))" }
}

extension AWSEnvironment: CustomReflectable {
    /// The description only, so that `dump` and debuggers do not show secrets.
    public var customMirror: Mirror { Mirror(self, children: ["profile": profileName]) }
}
