import BoundedWaits
import Expectations
import Foundation
import InterceptorKit
import TestRun
import Testing

@testable import InterceptorKitAWS

private let generated = ProcessInfo.processInfo.environment["INTERCEPTORKIT_IDENTITIES"]

@Suite("The default chain of AWS against botocore", .tags(.process), .serializedAcrossSuites)
struct AWSIdentityDifferentialTests {
    private struct Answer: Decodable {
        let status: Int
        let body: String

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            status = try values.decode(Int.self)
            body = try values.decode(String.self)
        }
    }

    private struct Keys: Codable, Equatable {
        let link: String
        let keys: String
    }

    private struct Row: Decodable {
        let variables: [String: String]
        let answers: [String: Answer]
        let expected: Keys?
        let region: String?
    }

    @Test(
        "gives the same link, keys and region, in random environments",
        .enabled(
            if: generated != nil,
            "no environments: run Tests/Comparisons/identities, which needs botocore of PyPI"
        )
    )
    func differential() async throws {
        let path = try unwrap(generated)
        let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        var differences: [String] = []

        for row in rows {
            let data = Data(row.utf8)
            let row = try JSONDecoder().decode(Row.self, from: data)
            let (keys, region, problem) = await Self.lookup(row)
            guard keys != row.expected || region != row.region else { continue }
            differences.append(
                "\(row.variables): \(keys.map { "\($0)" } ?? problem), \(region ?? "no region") instead of "
                    + "\(row.expected.map { "\($0)" } ?? "none"), \(row.region ?? "no region")"
            )
        }

        for difference in differences.prefix(20) { print("differs: \(difference)") }
        print(
            "identities differential botocore: \(rows.count) environments, \(differences.count) differ "
                + "beyond named differences"
        )
        expectEqual(differences.count, 0)
    }

    private static func lookup(_ row: Row) async -> (Keys?, String?, String) {
        let services = Services { request, _ in
            guard let answer = try await answer(to: request, row) else {
                throw TransportError(.cannotConnect, "Nobody is there.", isUnsent: true)
            }
            return .text(answer.1, HTTP.Status(answer.0))
        }
        let environment = AWSEnvironment(
            transport: services,
            variables: row.variables,
            // Without waits between attempts.
            runtime: .live(date: { Runtime.live.date }, skippingSleepsTo: .milliseconds(600))
        )
        let region = try? await environment.region(asksInstance: false)
        do {
            let (keys, link) = try await AWSCredentialProvider.default.resolve(in: environment)
            guard keys.expiresAt ?? .distantFuture > Runtime.live.date else {
                return (nil, region, "expired")
            }
            let parts = [keys.accessKeyID, keys.secretAccessKey, keys.sessionToken]
            let text = parts.compactMap(\.self).joined(separator: " ")
            return (Keys(link: link.name, keys: text), region, "")
        } catch {
            return (nil, region, "\(error)")
        }
    }

    /// What the services answer to both sides; the script has the same.
    private static func answer(
        to request: HTTP.Request,
        _ row: Row
    ) async throws -> (Int, String)? {
        let host = request.url.host ?? ""
        if host.hasPrefix("sts") {
            let body = String(decoding: try await request.body.collect(), as: UTF8.self)
            let form = parameters(HTTP.URL(unvalidated: "https://a.example/?\(body)"))
            let role = form["RoleArn"] ?? ""
            guard !role.contains("denied") else { return (403, "<Code>AccessDenied</Code>") }
            let signer = (request.headers["Authorization"] ?? "").split(separator: "Credential=")
                .last?.split(separator: "/").first.map(String.init)
            let key = "ROLE.\(role.split(separator: "/").last ?? "").\(signer ?? "web").\(host)"
            return (
                200,
                """
                <AccessKeyId>\(key)</AccessKeyId><SecretAccessKey>srole</SecretAccessKey>
                <SessionToken>trole</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>
                """
            )
        }
        if host.hasPrefix("portal.sso") {
            let query = parameters(request.url)
            let bearer = request.headers["x-amz-sso_bearer_token"] ?? ""
            let key =
                "SSO.\(query["role_name"] ?? "").\(query["account_id"] ?? "").\(bearer).\(host)"
            return (
                200,
                """
                {"roleCredentials": {"accessKeyId": "\(key)", "secretAccessKey": "ssso",
                "sessionToken": "tsso", "expiration": 4102444800000}}
                """
            )
        }
        return row.answers["\(request.method) \(request.url.text)"].map { ($0.status, $0.body) }
    }

    private static func parameters(_ url: HTTP.URL) -> [String: String] {
        Dictionary(url.queryParameters.map { ($0.name, $0.value) }) { $1 }
    }
}
