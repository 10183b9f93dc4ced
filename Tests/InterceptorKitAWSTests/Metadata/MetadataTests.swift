import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import Testing

@testable import InterceptorKitAWS

@Suite("Metadata services")
struct MetadataTests {
    /// An instance with one role.
    private static func instance(_ token: HTTP.Status = 200) -> Services {
        Services { request, _ in
            let path = request.url.path
            if request.method == .put { return .text("session", token) }
            if path.hasSuffix("/security-credentials/") { return .text("role-1\n") }
            return .text(metadataAnswer("A", expiresAt: .distantFuture))
        }
    }

    @Test("begins a session with an instance before it asks for keys")
    func session() async throws {
        let services = Self.instance()
        let environment = AWSEnvironment.test(services, runtime: .live)

        let outcome = try await outcome(.default, environment)

        expectEqual(outcome, "A secret-of-A token-of-A")
        let base = "http://169.254.169.254/latest"
        expectEqual(
            services.lines,
            [
                "PUT \(base)/api/token", "GET \(base)/meta-data/iam/security-credentials/",
                "GET \(base)/meta-data/iam/security-credentials/role-1",
            ]
        )
        let requests = services.requests
        expectEqual(requests[0].headers["X-aws-ec2-metadata-token-ttl-seconds"], "21600")
        expectTrue(
            requests[1...].allSatisfy { $0.headers["X-aws-ec2-metadata-token"] == "session" }
        )
    }

    @Test("uses version 1 only if it is asked to", arguments: [false, true])
    func version1(_ isAllowed: Bool) async throws {
        let services = Self.instance(404)
        var environment = AWSEnvironment.test(services, runtime: .live)
        environment.allowsIMDSv1 = isAllowed

        let outcome = try await outcome(.instanceMetadata, environment)

        expectEqual(outcome, (isAllowed ? "A secret-of-A token-of-A" : "notConfigured"))
        expectEqual(services.lines.count, (isAllowed ? 3 : 1))
    }

    @Test("takes 1 s to find that nobody is there, once in 5 minutes")
    func absent() throws {
        try Simulation.run { simulation in
            let runtime = simulation.runtime
            let services = Services { _, _ in
                try await runtime.sleep(for: .seconds(3600))
                return .text("")
            }
            let environment = AWSEnvironment.test(services, runtime: runtime)

            var costs: [Duration] = []
            for pause in [0, 1, 290, 10] {
                try await runtime.sleep(for: .seconds(pause))
                let start = runtime.now
                let outcome = try await outcome(.default, environment)
                costs.append(start.duration(to: runtime.now))
                expectEqual(outcome, "noCredentials")
            }

            expectEqual(costs, [.seconds(1), .zero, .zero, .seconds(1)])
        }
    }

    @Test("asks a busy service again, and gives up with its status")
    func busy() throws {
        try Simulation.run { simulation in
            let count = Lock(0)
            let services = Services { request, _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number < 3 ? .text("", 503) : .text("", request.method == .put ? 403 : 500)
            }
            let environment = AWSEnvironment.test(services, runtime: simulation.runtime)

            let outcome = try await outcome(.instanceMetadata, environment)

            expectEqual(outcome, "notConfigured")
            expectEqual(services.lines.count, 3)
        }
    }

    @Test("does not follow a redirect")
    func redirect() async throws {
        let services = Services { _, _ in
            HTTP.Response(302, headers: ["Location": "http://169.254.170.2/other"])
        }
        let environment = AWSEnvironment.test(
            services,
            ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/keys"],
            runtime: .live
        )

        let outcome = try await outcome(.default, environment)

        expectEqual(outcome, "refused")
        expectEqual(services.lines, ["GET http://169.254.170.2/keys"])
    }

    @Test(
        "asks at documented addresses only",
        arguments: [
            "http://169.254.169.254/x", "http://example.com/x", "http://127.0.0.1.example.com/x",
            "http://127.1/x", "http://10.0.0.1/x", "http://[::2]/x", "ftp://localhost/x", "/x",
            "http://169.254.170.2@example.com/x", "http://localhost.example.com/x",
        ]
    )
    func addresses(_ uri: String) async throws {
        let services = Self.instance()
        let environment = AWSEnvironment.test(
            services,
            ["AWS_CONTAINER_CREDENTIALS_FULL_URI": uri],
            runtime: .live
        )

        let outcome = try await outcome(.default, environment)

        expectEqual(outcome, "invalidConfiguration")
        expectEqual(services.lines, [])
    }

    @Test("refuses an endpoint of the instance's service elsewhere")
    func endpoint() async throws {
        let services = Self.instance()
        let environment = AWSEnvironment.test(
            services,
            ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://example.com"],
            runtime: .live
        )

        let outcome = try await outcome(.instanceMetadata, environment)

        expectEqual(outcome, "invalidConfiguration")
        expectEqual(services.lines, [])
    }

    @Test("does not ask over a transport that may use a proxy")
    func proxy() async throws {
        let services = Self.instance()
        let variables = ["http_proxy": "http://proxy.example:3128"]
        let environment = AWSEnvironment.test(services, variables, runtime: .live)
        var excepted = environment
        excepted.variables["no_proxy"] = "localhost, 169.254.169.254"
        let direct = AWSEnvironment(
            transport: Services.absent,
            metadataTransport: services,
            variables: variables.merging(["HOME": "/nowhere"]) { $1 }
        )

        let refused = try await outcome(.default, environment)
        let before = services.lines.count
        let allowed = try await [outcome(.default, excepted), outcome(.default, direct)]

        expectEqual(refused, "noCredentials")
        expectEqual(before, 0)
        expectEqual(allowed, ["A secret-of-A token-of-A", "A secret-of-A token-of-A"])
    }

    @Test("reads the container's token file again each time")
    func tokenFile() async throws {
        let files = try Files(["/token": "first\n"])
        let services = Self.instance()
        let environment = AWSEnvironment.test(
            services,
            [
                "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.23/v1/credentials",
                "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": "/token",
            ],
            files: files.path,
            runtime: .live
        )

        _ = try await outcome(.container, environment)
        try files.write("second", to: "/token")
        _ = try await outcome(.container, environment)
        try files.write("bad\r\nX-Header: x", to: "/token")
        let injected = try await outcome(.container, environment)

        expectEqual(services.requests.map { $0.headers["Authorization"] }, ["first", "second"])
        expectEqual(injected, "invalidConfiguration")
    }

    @Test(
        "repeats nothing of a response in errors",
        arguments: [
            #"{"AccessKeyId": "hidden"}"#, "hidden", #"{"Code": "hidden & more"}"#,
            #"{"AccessKeyId": "hidden", "SecretAccessKey": "hidden s", "Token": "hidden", "Expiration": "hidden"}"#,
        ]
    )
    func silent(_ answer: String) async throws {
        let environment = AWSEnvironment.test(
            Services { _, _ in .text(answer) },
            ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/x"],
            runtime: .live
        )

        let error = try await #require(throws: TokenError.self) {
            try await AWSCredentialProvider.default.credentials(in: environment)
        }

        expectTrue(!"\(error)".contains("hidden"))
    }

    @Test("reads at most 64 KiB of a response")
    func large() async throws {
        let environment = AWSEnvironment.test(
            Services { _, _ in .text(String(repeating: " ", count: 70_000)) },
            ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/x"],
            runtime: .live
        )

        let outcome = try await outcome(.container, environment)

        expectEqual(outcome, "unavailable")
    }
}
