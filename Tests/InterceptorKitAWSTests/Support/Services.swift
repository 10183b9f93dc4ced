import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

@testable import InterceptorKitAWS

/// Services at any addresses, which answer as told and record what they were asked.
final class Services: Transport {
    typealias Handler = @Sendable (HTTP.Request, Call) async throws -> HTTP.Response

    private let handler: Handler
    private let recorded = Lock<[HTTP.Request]>([])

    init(_ handler: @escaping Handler) { self.handler = handler }

    /// Nobody, at any address.
    static var absent: Services {
        Services { _, _ in
            throw TransportError(.cannotConnect, "Nobody is there.", isUnsent: true)
        }
    }

    var requests: [HTTP.Request] { recorded.withLock { $0 } }
    /// Methods and URLs, in order.
    var lines: [String] { requests.map { "\($0.method) \($0.url.text)" } }

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        recorded.withLock { $0.append(input) }
        return try await handler(input, call)
    }
}

extension HTTP.Response {
    static func text(_ text: String, _ status: HTTP.Status = 200) -> HTTP.Response {
        HTTP.Response(status, body: .text(text))
    }
}

/// The answer of a metadata service.
func metadataAnswer(_ id: String, expiresAt date: Date) -> String {
    """
    {"Code": "Success", "AccessKeyId": "\(id)", "SecretAccessKey": "secret-of-\(id)",
    "Token": "token-of-\(id)", "Expiration": "\(date.ISO8601Format())"}
    """
}

/// The answer of AWS Security Token Service.
func roleAnswer(_ id: String, expiresAt date: Date) -> String {
    """
    <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
    <AssumedRoleUser><Arn>arn:aws:sts::123456789012:assumed-role/r/s</Arn></AssumedRoleUser>
    <Credentials><AccessKeyId>\(id)</AccessKeyId><SecretAccessKey>secret-of-\(id)</SecretAccessKey>
    <SessionToken>token-of-\(id)</SessionToken><Expiration>\(date.ISO8601Format())</Expiration>
    </Credentials></AssumeRoleResult></AssumeRoleResponse>
    """
}

extension AWSEnvironment {
    /// An environment with these variables and files alone.
    static func test(
        _ transport: Services = .absent,
        _ variables: [String: String] = [:],
        files folder: String = "/nowhere",
        runtime: Runtime
    ) -> AWSEnvironment {
        var environment = AWSEnvironment(
            transport: transport,
            variables: ["HOME": "/home"].merging(variables) { $1 },
            runtime: runtime
        )
        environment.root = folder
        return environment
    }
}

/// A folder that stands for the root, with these files in it.
final class Files: Sendable {
    let path: String

    init(_ files: [String: String] = [:]) throws {
        path = FileManager.default.temporaryDirectory.path + "/interceptorkit-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, content) in files { try write(content, to: name) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ content: String, to name: String) throws {
        let url = URL(fileURLWithPath: path + name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(content.utf8).write(to: url)
    }
}

/// What a provider gave, or the code of its error.
func outcome(
    _ provider: AWSCredentialProvider,
    _ environment: AWSEnvironment
) async throws -> String {
    do {
        let credentials = try await provider.credentials(in: environment)
        return [credentials.accessKeyID, credentials.secretAccessKey, credentials.sessionToken]
            .compactMap(\.self).joined(separator: " ")
    } catch let error as TokenError {
        return error.code.description
    }
}
