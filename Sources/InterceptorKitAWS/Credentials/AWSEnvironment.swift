public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The context in which credentials and regions are looked up: variables, a home folder, and transports to services.
///
/// ```swift
/// let environment = AWSEnvironment(transport: transport)
/// let keys = try AWSSigningKeys(.default, in: environment)
/// ```
///
/// Copies share their knowledge of the metadata service: a missing service costs 1 s once, and gets no requests for the
/// next 5 minutes.
public struct AWSEnvironment: Sendable {
    /// The environment variables. Defaults to those of the process.
    public var variables: [String: String]
    /// The profile to use; `nil`, the default, uses `AWS_PROFILE`, then `AWS_DEFAULT_PROFILE`, then `default`. If it is
    /// set, keys in variables are ignored.
    public var profile: String?
    /// Whether version 1 of the instance metadata service may be used where no newer one is available. Defaults to
    /// `false`: version 1 gives the keys to any request, even to one that an attacker tricked a program into sending.
    public var allowsIMDSv1 = false
    /// The longest time for a `credential_process`. Defaults to 60 s, as in the AWS SDK for Go.
    public var processTimeout: Duration = .seconds(60)
    /// The clock and random source.
    public let runtime: Runtime

    let transport: any Transport<HTTP.Request>
    let metadataTransport: (any Transport<HTTP.Request>)?
    let absence = MetadataAbsence()
    /// A folder to prepend to all paths, for tests.
    var root = ""

    /// Creates an environment.
    /// - Parameters:
    ///   - transport: The transport for requests to AWS, and to the metadata services unless there is another for them.
    ///   - metadataTransport: The transport for requests to the metadata services of instances and containers. It must
    ///     use no proxy, which would learn the keys: `CurlTransport` with the proxy `.none`. Defaults to `transport`;
    ///     no such requests are made if the variables name a proxy for them.
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

    /// Returns a variable's value; `nil` if it is unset or blank.
    func variable(_ name: String) -> String? {
        variables[name].flatMap {
            $0.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : $0
        }
    }

    var profileName: String {
        profile ?? variable("AWS_PROFILE") ?? variable("AWS_DEFAULT_PROFILE") ?? "default"
    }

    /// Returns a path below the root, with `~` replaced by the home folder.
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
