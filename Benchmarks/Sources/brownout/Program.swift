import AsyncHTTPClient
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitTesting
import NIOCore
import Reporting

/// A brown-out over real sockets: a server on this machine whose capacity falls from 100 to 20 requests a
/// second, under 40 calls a second, in real time. The order of the rows should be that of the simulation,
/// `swift run -c release Resilience --league`.
@main
struct Program {
    static func main() async throws {
        var rows: [(name: String, score: Score)] = []
        rows.append(("AsyncHTTPClient, bare", try await measure { try await bare($0) }))
        rows.append(
            ("CurlTransport, bare", try await measure { try await curl($0, isStandard: false) })
        )
        rows.append(
            ("CurlTransport, standard", try await measure { try await curl($0, isStandard: true) })
        )
        print("strategy                   in time  sends per call  again after")
        for (name, score) in rows {
            print(
                name.padding(to: 26),
                "\(score.share.percent)".padding(to: 8),
                score.sends.hundredths.padding(to: 15),
                "\(score.recovery.hundredths) s"
            )
        }
        let shares = rows.map(\.score.share)
        let agrees = shares[2] > shares[0] + 0.1 && shares[2] > shares[1] + 0.1
        print("brownout: the order agrees with the simulation: \(agrees ? "yes" : "NO")")
    }

    /// Sends a request and says whether it was answered with 200.
    typealias Send = @Sendable () async -> Bool

    private static func measure(
        _ makeSend:
            @Sendable (_ server: LoopbackServer) async throws -> (
                send: Send, close: @Sendable () async -> Void
            )
    ) async throws -> Score {
        let service = Service()
        let server = try LoopbackServer { _ in await service.reply() }
        defer { server.stop() }
        let (send, close) = try await makeSend(server)
        let score = await Load(service: service).run(send)
        await close()
        return score
    }

    private static func bare(
        _ server: LoopbackServer
    ) async throws -> (send: Send, close: @Sendable () async -> Void) {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 200
        let client = HTTPClient(configuration: configuration)
        let url = "\(server.url("/"))"
        return (
            {
                let request = HTTPClientRequest(url: url)
                let response = try? await client.execute(request, timeout: .milliseconds(500))
                return response?.status == .ok
            },
            { try? await client.shutdown() }
        )
    }

    private static func curl(
        _ server: LoopbackServer,
        isStandard: Bool
    ) async throws -> (send: Send, close: @Sendable () async -> Void) {
        let client: HTTP.Client
        if isStandard {
            var settings = StandardSettings<HTTP.Request>()
            settings.totalTimeout = Load.deadline
            settings.attemptTimeout = Load.attemptLimit
            client = try .standard(settings, transport: CurlTransport())
        } else {
            client = try HTTP.Client(transport: CurlTransport(), timeout: Load.attemptLimit)
        }
        let request = HTTP.Request.get(server.url("/"))
        return (
            {
                guard let response = try? await client.send(request) else { return false }
                await response.discard()
                return response.status == .ok
            },
            {}
        )
    }
}

extension String {
    fileprivate func padding(to length: Int) -> String {
        self + String(repeating: " ", count: max(0, length - count))
    }
}

extension Double {
    fileprivate var percent: String { "\(Int((self * 100).rounded())) %" }

    fileprivate var hundredths: String {
        let value = Int((self * 100).rounded())
        return "\(value / 100).\(value % 100 < 10 ? "0" : "")\(value % 100)"
    }
}
