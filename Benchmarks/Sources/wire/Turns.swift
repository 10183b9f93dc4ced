import Loading
import Reporting

/// Measures clients in turns, so that a disturbance of the machine meets all of them alike.
struct Turns: Sendable {
    /// How long a turn is.
    enum Length: Sendable {
        /// So many requests.
        case requests(Int)
        /// As many requests as take so many seconds.
        case seconds(Double)
    }

    private let clients: [ClientProcess]
    private let rounds: Int
    private let length: Length
    private let countsInstructions: Bool

    init(
        _ clients: [ClientProcess],
        rounds: Int,
        length: Length,
        countsInstructions: Bool
    ) {
        self.clients = clients
        self.rounds = rounds
        self.length = length
        self.countsInstructions = countsInstructions
    }

    /// Measures under one load. A client that fails once has no figures.
    func run(_ load: Load) -> LoadFigures {
        let requests = clients.map { client in Result { try count(for: client, under: load) } }
        var figures = requests.map { $0.map { _ in [Figures]() } }
        for round in 0..<rounds {
            // Each begins in its turn, so that none always follows the same one.
            for place in clients.indices {
                let index = (place + round) % clients.count
                figures[index] = figures[index].flatMap { earlier in
                    Result {
                        try earlier
                            + [clients[index].figures(of: requests[index].get(), under: load)]
                    }
                }
            }
        }
        let strace = Result { try SystemCalls() }
        let rows = zip(clients, figures).map { client, figures in
            LoadFigures.Row(
                name: client.name,
                rounds: figures,
                systemCalls: figures.flatMap { _ in
                    Result { try client.count(under: load, by: strace.get()) }
                },
                instructions: countsInstructions
                    ? Result { try client.count(under: load, by: Instructions()) } : nil
            )
        }
        return LoadFigures(load: load, rows: rows)
    }

    /// How many requests a turn of a client has.
    private func count(for client: ClientProcess, under load: Load) throws -> Int {
        switch length {
        case .requests(let count): return count
        case .seconds(let seconds):
            let trial = try client.figures(of: max(500, 8 * load.inFlight), under: load)
            return max(Int(trial.rate * seconds), 10 * load.inFlight)
        }
    }
}

/// The figures of clients under one load.
struct LoadFigures: Sendable {
    struct Row: Sendable {
        let name: String
        /// The figures of each round, or why there are none.
        let rounds: Result<[Figures], any Error>
        /// System calls of a request, or why they were not counted.
        let systemCalls: Result<Double, any Error>
        /// Instructions of a request outside the system, or why they were not counted; `nil` if nobody asked.
        let instructions: Result<Double, any Error>?
    }

    let load: Load
    let rows: [Row]
}
