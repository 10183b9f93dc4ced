import BoundedWaits
import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitAWS

@Suite("Credentials of AWS beside the published cases", .tags(.vectors))
struct AWSCredentialConformanceTests {
    struct Suite: Decodable {
        struct Exchange: Decodable {
            let method: String
            let uri: String
            let status: Int?
            let body: String
        }

        struct Chain: Decodable {
            struct Result: Decodable {
                struct Keys: Decodable {
                    let access_key_id: String
                    let secret_access_key: String
                    let session_token: String?
                    let expiry: Double?
                }

                let Ok: Keys?
            }

            let name: String
            let group: String
            let variables: [String: String]
            let files: [String: String]
            let exchanges: [Exchange]
            let result: Result
        }

        struct Address: Decodable {
            struct Result: Decodable { let Ok: String? }

            let docs: String
            let env: [String: String]
            let fs: [String: String]?
            let endpoint_override: String?
            let mode_override: String?
            let result: Result
        }

        let chains: [Chain]
        let addresses: [String: [Address]]
    }

    /// What is not done here, and why.
    private static let left = [
        "e2e_fips_and_dual_stack_sso": "no FIPS or dual-stack endpoints",
        "e2e_fips_and_dual_stack_sts": "no FIPS or dual-stack endpoints",
        "region_override": "the region is that of the environment",
        // No shell, as in the AWS CLI: a file could run what it likes in one.
        "credential_process": "the command is a pipe of a shell",
        "credential_process_account_id_fallback": "the command is a pipe of a shell",
    ]

    @Test(
        "are what they say, with the requests they say",
        .vectors("auth/aws-credentials.json")
    )
    func published() async throws {
        let suite = try JSONDecoder().decode(
            Suite.self,
            from: Vectors.data("auth/aws-credentials.json")
        )
        var result = Conformance("aws-credentials")

        for chain in suite.chains {
            guard Self.left[chain.name] == nil else {
                result.skip()
                continue
            }
            let problem = try await Self.problem(chain)
            result.note(problem == nil, "\(chain.name): \(problem ?? "")")
        }
        for (service, addresses) in suite.addresses {
            for address in addresses {
                // Keys are taken from documented addresses alone, and no code says others.
                guard address.result.Ok?.contains("override:") != true,
                    address.endpoint_override == nil, address.mode_override == nil
                else {
                    result.skip()
                    continue
                }
                let asked = try await Self.firstRequest(service, address)
                result.note(
                    asked == address.result.Ok,
                    "\(service), \(address.docs): \(asked ?? "no request")"
                )
            }
        }

        expectEqual(result.failures, [])
        print(result.summary)
    }

    private static func problem(_ chain: Suite.Chain) async throws -> String? {
        let files = try Files(chain.files)
        let rest = Lock(chain.exchanges)
        let services = Services { request, _ in
            let next = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let next, next.method == request.method.rawValue,
                Set(URLComponents(string: next.uri)?.queryItems ?? [])
                    == Set(URLComponents(string: request.url.text)?.queryItems ?? []),
                path(next.uri) == path(request.url.text), let status = next.status
            else { throw Unexpected(line: "\(request.method) \(request.url.text)") }
            return .text(next.body, HTTP.Status(status))
        }
        let provider: AWSCredentialProvider =
            chain.group == "profile-provider" ? .profile() : .default
        let environment = AWSEnvironment.test(
            services,
            chain.variables,
            files: files.path,
            runtime: recordingTime
        )
        do {
            let keys = try await provider.credentials(in: environment)
            guard let expected = chain.result.Ok else { return "gave \(keys)" }
            let isSame =
                keys.accessKeyID == expected.access_key_id
                && keys.secretAccessKey == expected.secret_access_key
                && keys.sessionToken == expected.session_token
                && (expected.expiry ?? 0) == (keys.expiresAt?.timeIntervalSince1970 ?? 0)
            guard isSame else { return "gave \(keys)" }
        } catch {
            guard chain.result.Ok == nil else { return "\(error) after \(services.lines)" }
        }
        let unsent = rest.withLock { $0.count }
        // One that fails is asked again here, so that there may be more requests than recorded.
        return unsent == 0 ? nil : "\(unsent) requests were not made: \(services.lines)"
    }

    /// A runtime whose date is before all that was recorded expires.
    private static let recordingTime = Runtime.live(
        date: { Date(timeIntervalSince1970: 1_000_000_000) }
    )

    private struct Unexpected: Error { let line: String }

    private static func path(_ uri: String) -> String {
        let url = URLComponents(string: uri)
        return "\(url?.host ?? "")\(url?.path.isEmpty ?? true ? "/" : url?.path ?? "")"
    }

    private static func firstRequest(
        _ service: String,
        _ address: Suite.Address
    ) async throws -> String? {
        let files = try Files(
            Dictionary(uniqueKeysWithValues: (address.fs ?? [:]).map { ("/\($0.key)", $0.value) })
        )
        let services = Services { _, _ in .text("", 400) }
        var variables = address.env
        if let config = variables["AWS_CONFIG_FILE"] { variables["AWS_CONFIG_FILE"] = "/\(config)" }
        let environment = AWSEnvironment.test(
            services,
            variables,
            files: files.path,
            runtime: .live
        )
        let provider: AWSCredentialProvider =
            service == "instance" ? .instanceMetadata : .container
        _ = try? await provider.credentials(in: environment)
        return services.requests.first?.url.text
    }
}
