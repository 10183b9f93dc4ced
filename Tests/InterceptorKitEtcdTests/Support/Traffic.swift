import BoundedWaits
import Foundation
import InterceptorKit

@testable import InterceptorKitEtcd

private struct Leases: Decodable, Sendable {
    var leases: [EtcdLease]?
}

extension EtcdServer {
    /// An end or a change that etcd did not tell of.
    struct NeverHappened: Error {}

    func gateway() throws -> EtcdGateway {
        EtcdGateway(
            endpoints: [url],
            pipeline: try pipeline(),
            timeout: .seconds(2),
            runtime: .live
        )
    }

    func leases() async throws -> Set<EtcdNumber> {
        let request = try HTTP.Request.post("\(url)/v3/lease/leases").json([String: String]())
        let answer = try await pipeline().run(request).decode(Leases.self)
        return Set((answer.leases ?? []).map(\.id))
    }

    /// Returns when a lease has ended, which etcd tells by what it removes with it.
    func end(of lease: EtcdNumber) async throws {
        let key = Data("witness".utf8)
        let put = try await gateway().transact(
            EtcdTransaction(success: [.put(key, Data(), lease: lease)])
        )
        try await gateway().waitForDeletion(
            of: key,
            after: put.header.revision,
            atMost: .seconds(20)
        )
        let found = try await gateway().transact(EtcdTransaction(success: [.range(key)]))
        if found.entries.contains(where: { $0 != nil }) { throw NeverHappened() }
    }

    /// Returns when something was saved over a version.
    func change(of key: String, after version: CredentialRecord.Version) async throws {
        let revision = (Int64(version.text) ?? 0) + 1
        let request = try HTTP.Request.post("\(url)/v3/watch").json([
            "create_request": [
                "key": Data(key.utf8).base64EncodedString(), "start_revision": "\(revision)",
            ]
        ])
        var seen = Data()
        for try await chunk in try await pipeline().run(request).body {
            seen += chunk
            if String(decoding: seen, as: UTF8.self).contains("\"events\"") { return }
        }
        throw NeverHappened()
    }
}

/// What stores ask of an etcd, by the methods of its gateway, for tests to wait for.
struct Traffic {
    /// What was answered; of a watch, that it watches.
    let answered = EventLog<String>()

    func pipeline(to server: EtcdServer) throws -> Pipeline<HTTP.Request> {
        let carried = try server.pipeline()
        return try Pipeline<HTTP.Request>(
            transport: CannedTransport { [answered] request in
                let response = try await carried.run(request)
                answered.note(String(request.url.text.dropFirst("\(server.url)/v3/".count)))
                return response
            }
        ) {}
    }
}

/// A transport made from a closure.
struct CannedTransport: Transport {
    let answer: @Sendable (HTTP.Request) async throws -> HTTP.Response

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try await answer(input)
    }
}
