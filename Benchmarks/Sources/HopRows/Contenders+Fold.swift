import FoldHops
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Contenders {
    static let fold = Contender(
        .peer,
        "closure fold",
        .passOwn,
        loop: { depth in
            let client = FoldingClient(
                baseURL: URL(filePath: "/"),
                middlewares: Array(repeating: PassingFoldedMiddleware(), count: depth),
                transport: { _, _, _ in (HTTPResponse(status: .ok), nil) }
            )
            let request = HTTPRequest(
                method: .get,
                scheme: "https",
                authority: "api.example.com",
                path: "/v1/articles/42"
            )
            return { count in
                var sum = 0
                for _ in 0..<count {
                    let (response, _) = try await client.send(
                        request,
                        body: nil,
                        operationID: "get"
                    )
                    sum &+= response.status.code
                }
                return sum
            }
        }
    )
}
