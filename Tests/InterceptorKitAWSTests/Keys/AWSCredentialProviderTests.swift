import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import Testing

@testable import InterceptorKitAWS

@Suite("AWSCredentialProvider")
struct AWSCredentialProviderTests {
    private static let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret"]

    @Test(
        "takes the keys of variables, in the default chain",
        arguments: [
            (["AWS_SESSION_TOKEN": "token"], "AKID secret token"),
            (["AWS_SESSION_TOKEN": ""], "AKID secret"),
            (["AWS_SECURITY_TOKEN": "old"], "AKID secret old"),
            (["AWS_SECRET_ACCESS_KEY": ""], "invalidConfiguration"),
            (["AWS_CREDENTIAL_EXPIRATION": "soon"], "invalidConfiguration"),
        ] as [([String: String], String)]
    )
    func variables(_ more: [String: String], _ expected: String) async throws {
        let variables = Self.keys.merging(more) { $1 }
        let environment = AWSEnvironment.test(.absent, variables, runtime: .live)

        let outcome = try await outcome(.default, environment)

        expectEqual(outcome, expected)
    }

    @Test("passes over variables if a profile was named")
    func namedProfile() async throws {
        let files = try Files([
            "/home/.aws/credentials": "[p]\naws_access_key_id=B\naws_secret_access_key=b\n"
        ])
        var environment = AWSEnvironment.test(
            .absent,
            Self.keys,
            files: files.path,
            runtime: .live
        )
        environment.profile = "p"

        let outcome = try await outcome(.default, environment)

        expectEqual(outcome, "B b")
    }

    @Test("lists each link that was tried and why it did not answer")
    func tried() async throws {
        let environment = AWSEnvironment.test(runtime: .live)

        let error = try await #require(throws: TokenError.self) {
            try await AWSCredentialProvider.default.credentials(in: environment)
        }

        expectEqual(error.code, .noCredentials)
        expectEqual(
            error.tried.map { $0.prefix { $0 != ":" } },
            [
                "environment", "profile's role", "web identity", "profile's single sign-on",
                "shared credentials file", "profile's process", "shared config file", "container",
                "instance metadata",
            ]
        )
        expectTrue(error.message.contains("environment: AWS_ACCESS_KEY_ID is not set."))
        expectTrue(
            error.message.hasSuffix(
                "instance metadata: Nobody answered at 169.254.169.254 within 1 s, so this is no instance."
            )
        )
    }

    @Test("ends a chain at a link that applies and fails")
    func failing() async throws {
        let services = Services { _, _ in .text("no", 500) }
        let environment = AWSEnvironment.test(
            services,
            ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/x"],
            runtime: .live
        )

        let error = try await #require(throws: TokenError.self) {
            try await AWSCredentialProvider.default.credentials(in: environment)
        }

        expectEqual(error.code, .unavailable)
        expectEqual(error.tried.last?.hasPrefix("container: "), true)
        expectTrue(services.lines.allSatisfy { $0.contains("169.254.170.2") })
    }

    @Test("shows no secret of credentials")
    func redacted() {
        let credentials = AWSCredentials(
            accessKeyID: "AKID",
            secretAccessKey: "hidden-secret",
            sessionToken: "hidden-token"
        )

        var dumped = ""
        dump(credentials, to: &dumped)

        expectTrue(!"\(credentials) \(dumped)".contains("hidden"))
        expectEqual("\(credentials)", "AWSCredentials(AKID)")
    }

    @Test(
        "assumes roles of a chain of profiles, each signed by the one before",
        arguments: [true, false]
    )
    func chained(_ hasRegion: Bool) async throws {
        let files = try Files([
            "/home/.aws/config": """
            [profile a]
            role_arn = arn:aws:iam::1:role/A
            source_profile = b
            external_id = id
            duration_seconds = 900
            \(hasRegion ? "region = eu-west-1" : "")
            [profile b]
            role_arn = arn:aws:iam::1:role/B
            source_profile = c
            role_session_name = name
            [profile c]
            aws_access_key_id = C
            aws_secret_access_key = c
            """
        ])
        let services = Services { request, _ in
            let form = String(decoding: try await request.body.collect(), as: UTF8.self)
            return .text(
                roleAnswer(form.contains("role%2FA") ? "A" : "B", expiresAt: .distantFuture)
            )
        }
        let environment = AWSEnvironment.test(
            services,
            ["AWS_PROFILE": "a"],
            files: files.path,
            runtime: .live
        )

        let outcome = try await outcome(.default, environment)

        expectEqual(outcome, "A secret-of-A token-of-A")
        let host = hasRegion ? "sts.eu-west-1.amazonaws.com" : "sts.amazonaws.com"
        expectEqual(services.lines, Array(repeating: "POST https://\(host)/", count: 2))
        let signers = services.requests.map { request in
            request.headers["Authorization"].map { $0.split(separator: "/")[0].suffix(1) }
        }
        expectEqual(signers, ["C", "B"])
        expectEqual(services.requests[1].headers["X-Amz-Security-Token"], "token-of-B")
        let forms = try await services.requests.asyncMap { request in
            String(decoding: try await request.body.collect(), as: UTF8.self)
        }
        expectTrue(forms[0].hasSuffix("RoleSessionName=name"))
        expectTrue(forms[1].hasSuffix("&ExternalId=id&DurationSeconds=900"))
    }

    @Test(
        "refuses profiles that lead nowhere",
        arguments: [
            "role_arn=a", "role_arn=a\nsource_profile=q",
            "role_arn=a\nsource_profile=p", "role_arn=a\ncredential_source=Elsewhere",
            "role_arn=a\nsource_profile=q\ncredential_source=Environment",
            "role_arn=a\nsource_profile=loop\n[profile loop]\nrole_arn=b\nsource_profile=p",
            "role_arn=a\nmfa_serial=m\nsource_profile=k\n[profile k]\naws_access_key_id=K\naws_secret_access_key=k",
            "sso_account_id=1", "aws_access_key_id=a",
            "sso_account_id=1\nsso_role_name=r\nsso_region=eu-west-1\nsso_session=s\n"
                + "[sso-session s]\nsso_start_url=https://x.example", "login_session=x",
            "web_identity_token_file=/none\nrole_arn=a", "web_identity_token_file=/none",
        ]
    )
    func refused(_ profile: String) async throws {
        let files = try Files(["/home/.aws/config": "[profile p]\n\(profile)\n"])
        var environment = AWSEnvironment.test(files: files.path, runtime: .live)
        environment.profile = "p"

        let chain = try await outcome(.default, environment)
        let alone = try await outcome(.profile("p"), environment)

        expectEqual([chain, alone], ["invalidConfiguration", "invalidConfiguration"])
    }

    @Test("refuses a profile that does not exist, and names it")
    func missingProfile() async throws {
        let environment = AWSEnvironment.test(.absent, ["AWS_PROFILE": "gone"], runtime: .live)

        let error = try await #require(throws: TokenError.self) {
            try await AWSCredentialProvider.default.credentials(in: environment)
        }

        expectEqual(error.code, .invalidConfiguration)
        expectTrue(error.message.contains(#"There is no profile "gone""#))
    }

    @Test("sends a web identity's token as a form, without a signature")
    func webIdentity() async throws {
        let files = try Files(["/token": "header.claims.signature\n"])
        let services = Services { _, _ in .text(roleAnswer("W", expiresAt: .distantFuture)) }
        let environment = AWSEnvironment.test(
            services,
            [
                "AWS_ROLE_ARN": "arn:r", "AWS_WEB_IDENTITY_TOKEN_FILE": "/token",
                "AWS_ROLE_SESSION_NAME": "pod",
            ],
            files: files.path,
            runtime: .live
        )

        let outcome = try await outcome(.default, environment)

        expectEqual(outcome, "W secret-of-W token-of-W")
        let request = try unwrap(services.requests.first)
        expectEqual(request.headers["Authorization"], nil)
        expectEqual(request.headers["Content-Type"], "application/x-www-form-urlencoded")
        let form = String(decoding: try await request.body.collect(), as: UTF8.self)
        expectTrue(form.hasSuffix("&RoleSessionName=pod&WebIdentityToken=header.claims.signature"))
    }

    @Test("says what the token service refused, and why")
    func refusedRole() async throws {
        let services = Services { _, _ in
            .text("<Error><Code>AccessDenied</Code><Message>not &lt;you&gt;</Message></Error>", 403)
        }
        let environment = AWSEnvironment.test(services, Self.keys, runtime: .live)

        let error = try await #require(throws: TokenError.self) {
            try await AWSCredentialProvider.assumedRole("arn:r", by: .environment)
                .credentials(in: environment)
        }

        expectEqual(error.code, .refused)
        expectTrue(error.message.contains(#""AccessDenied""#))
        expectTrue(error.message.contains(#"It says: "not <you>"."#))
        expectEqual(services.lines.count, 1)
    }

    @Test("lists where a region was looked for")
    func noRegion() async throws {
        let environment = AWSEnvironment.test(runtime: .live)

        let error = try await #require(throws: TokenError.self) {
            try await environment.region()
        }

        expectEqual(
            error.tried.map { $0.prefix { $0 != ":" } },
            ["environment", "profile", "instance metadata"]
        )
        expectTrue(
            error.message.hasPrefix("Nothing names the region of AWS. Tried: environment: AWS")
        )
    }

    @Test("repeats no token in an error, though the token service does")
    func redactedRole() async throws {
        let files = try Files(["/token": "hidden-token"])
        let services = Services { request, _ in
            let form = String(decoding: try await request.body.collect(), as: UTF8.self)
            let token = request.headers["X-Amz-Security-Token"] ?? "\(form.suffix(12))"
            return .text("<Error><Message>It is \(token).</Message></Error>", 400)
        }
        let environment = AWSEnvironment.test(
            services,
            Self.keys.merging(["AWS_SESSION_TOKEN": "hidden-session"]) { $1 },
            files: files.path,
            runtime: .live
        )

        for provider in [
            AWSCredentialProvider.assumedRole("arn:r", by: .environment),
            .webIdentity("arn:r", tokenFile: "/token"),
        ] {
            let error = try await #require(throws: TokenError.self) {
                try await provider.credentials(in: environment)
            }

            expectEqual(error.code, .refused)
            expectTrue(!error.message.contains("hidden"), "\(error)")
        }
    }

    @Test(
        "takes the region of variables, of the profile, then of the instance",
        arguments: [
            (["AWS_REGION": "a-1", "AWS_DEFAULT_REGION": "b-1"], "a-1"),
            (["AWS_DEFAULT_REGION": "b-1"], "b-1"), ([:], "c-1"), (["AWS_PROFILE": "p"], "d-1"),
        ] as [([String: String], String)]
    )
    func region(_ variables: [String: String], _ expected: String) async throws {
        let files = try Files([
            "/home/.aws/config": "[default]\nregion = c-1\n[profile p]\nx = y\n"
        ])
        let services = Services { request, _ in
            .text(request.method == .put ? "session" : "d-1\n")
        }
        let environment = AWSEnvironment.test(
            services,
            variables,
            files: files.path,
            runtime: .live
        )

        let region = try await environment.region()

        expectEqual(region, expected)
    }
}

extension Array {
    fileprivate func asyncMap<Result>(
        _ transform: (Element) async throws -> Result
    ) async throws -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
