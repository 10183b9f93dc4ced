import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Code as it was before: it knows a session and nothing of chains.
struct LegacyOrders: Sendable {
    let session: URLSession
    let base: URL

    func order(_ id: Int) async throws -> String {
        let (data, response) = try await session.data(from: base.appendingPathComponent("\(id)"))
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw URLError(.badServerResponse)
        }
        return String(decoding: data, as: UTF8.self)
    }

    func place(_ item: String) async throws -> Int {
        var request = URLRequest(url: base)
        request.httpMethod = "POST"
        request.httpBody = Data(item.utf8)
        let (_, response) = try await session.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }
}
