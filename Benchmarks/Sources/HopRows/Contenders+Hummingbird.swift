import Hummingbird
import HummingbirdHops
import Logging

extension Contenders {
    static let hummingbird = Contender(
        .peer,
        "Hummingbird",
        .passOwn,
        loop: { depth in
            let router = Router(context: HopContext.self)
            for _ in 0..<depth { router.add(middleware: PassingMiddleware()) }
            router.get("articles") { _, _ in Response(status: .ok) }
            let responder = router.buildResponder()
            let request = Request(
                head: .init(
                    method: .get,
                    scheme: "http",
                    authority: "localhost",
                    path: "/articles"
                ),
                body: RequestBody(buffer: ByteBuffer())
            )
            let context = HopContext(source: .init(logger: Logger(label: "hop")))
            return { count in
                var sum = 0
                for _ in 0..<count {
                    sum &+= try await responder.respond(to: request, context: context).status.code
                }
                return sum
            }
        }
    )
}
