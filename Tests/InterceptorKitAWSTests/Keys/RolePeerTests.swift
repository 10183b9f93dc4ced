import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitSigning
import TestRun
import Testing

@testable import InterceptorKitAWS

private let endpoint = ProcessInfo.processInfo.environment["INTERCEPTORKIT_STS"]

@Suite(
    "Roles of a real token service",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10)),
    .enabled(
        if: endpoint != nil,
        "no server: run Tests/Comparisons/identities, which needs moto of PyPI"
    )
)
struct RolePeerTests {
    @Test("are assumed, and known to the service")
    func roles() async throws {
        let endpoint = try unwrap(endpoint)
        let files = try Files([
            "/token": "header.claims.signature",
            "/home/.aws/config": """
            [profile chained]
            role_arn = arn:aws:iam::123456789012:role/second
            source_profile = base
            [profile base]
            role_arn = arn:aws:iam::123456789012:role/first
            credential_source = Environment
            [profile web]
            role_arn = arn:aws:iam::123456789012:role/web
            web_identity_token_file = \(NSTemporaryDirectory())
            """,
        ])
        var environment = AWSEnvironment(
            transport: try CurlTransport(),
            variables: [
                "HOME": files.path + "/home", "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
                "AWS_SECRET_ACCESS_KEY": "secret", "AWS_ENDPOINT_URL_STS": endpoint,
                "AWS_REGION": "eu-west-1",
            ]
        )
        environment.profile = nil
        let providers: [(AWSCredentialProvider, String)] = [
            (
                .assumedRole(
                    "arn:aws:iam::123456789012:role/reader",
                    by: .environment,
                    sessionName: "session"
                ), "assumed-role/reader/session"
            ), (.profile("chained"), "assumed-role/second/"),
            (
                .webIdentity(
                    "arn:aws:iam::123456789012:role/web",
                    tokenFile: files.path + "/token",
                    sessionName: "pod"
                ), "assumed-role/web/pod"
            ),
        ]
        var result = Conformance("aws-roles")

        for (provider, name) in providers {
            let keys = try AWSSigningKeys(provider, in: environment)
            let identity = try await Self.identity(endpoint, keys)
            result.note(identity.contains(name), "\(name): \(identity)")
        }

        expectEqual(result.failures, [])
        print(result.summary)
    }

    /// Who the service takes the keys' owner for.
    private static func identity(_ endpoint: String, _ keys: AWSSigningKeys) async throws -> String
    {
        let client = try HTTP.Client(transport: try CurlTransport()) {
            SignInterceptor(RequestSigner(.aws(service: "sts", region: "eu-west-1"), keys: keys))
        }
        let form: HTTP.Parameters = ["Action": "GetCallerIdentity", "Version": "2011-06-15"]
        let response = try await client.send(
            .post(HTTP.URL(unvalidated: endpoint + "/"), body: .form(form))
        )
        return String(decoding: try await response.body.collect(), as: UTF8.self)
    }
}
