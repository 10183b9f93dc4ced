import EngineRows
import Engines
import Loading
import MallocCount
import ProcessFigures
import Reporting

/// What this executable can send with, each in a process of its own.
struct OwnContender: Sendable {
    /// Sends so many requests and returns when the last one is answered.
    typealias Send = @Sendable (_ requests: Int) async throws -> Void

    let name: String
    private let open: @Sendable (Load) throws -> Send

    /// All of them; what is named by its chain alone sends with `CurlTransport`.
    static let all: [OwnContender] =
        [libcurl, asyncHTTPClient]
        + Chain.allCases.map { OwnContender($0.rawValue, $0, over: .curl) }
        + Chain.allCases.map {
            OwnContender("executor \($0.rawValue)", $0, over: .curl, onItsThreads: true)
        }
        + Engine.all.filter { $0.name != Engine.curl.name }.flatMap { engine in
            Chain.allCases.map { OwnContender("\(engine.name) \($0.rawValue)", $0, over: engine) }
        }

    static func named(_ name: String) throws -> OwnContender {
        guard let contender = all.first(where: { $0.name == name }) else {
            throw ArgumentError(
                description: "There is no contender \(name) but \(all.map(\.name))."
            )
        }
        return contender
    }

    private static let libcurl = OwnContender(name: "C") { load in
        let libcurl = LibcurlInC()
        return { try await libcurl.send($0, under: load) }
    }

    private static let asyncHTTPClient = OwnContender(name: "AsyncHTTPClient") { load in
        try Fetcher.asyncHTTPClient(connections: load.inFlight).sending(load)
    }

    private init(name: String, open: @escaping @Sendable (Load) throws -> Send) {
        self.name = name
        self.open = open
    }

    /// - Parameter isInside: Whether the sending tasks run on the engine's own threads.
    private init(
        _ name: String,
        _ chain: Chain,
        over engine: Engine,
        onItsThreads isInside: Bool = false
    ) {
        self.init(name: name) { load in
            let opened = try engine.open(load.inFlight)
            return try Fetcher(chain, over: opened, of: engine)
                .sending(load, on: isInside ? opened.executor : nil)
        }
    }

    /// Warms up, sends so many requests that are timed, and then others whose allocations are counted, because
    /// counting takes time.
    func figures(of requests: Int, under load: Load) async throws -> Figures {
        let send = try open(load)
        let warmUp = max(requests / 10, load.inFlight)
        try await send(warmUp)

        let before = ProcessUsage.current()
        let start = ContinuousClock.now
        try await send(requests)
        let seconds = start.duration(to: .now).inSeconds
        let used = ProcessUsage.current().since(before)

        // So many that the tasks themselves count little.
        let counted = malloc_count_is_available() ? max(requests / 5, 20 * load.inFlight) : 0
        malloc_count_start()
        if counted > 0 { try await send(counted) }
        let allocations = Double(malloc_count_stop())
        return Figures(
            sent: warmUp + requests + counted,
            requests: requests,
            seconds: seconds,
            user: used.user,
            system: used.system,
            switches: used.switches,
            allocations: counted > 0 ? allocations / Double(counted) : nil
        )
    }
}
