import Loading
import Nginx
import ProcessFigures
import Reporting

/// Many requests for one URL, the memory looked at on the way.
struct Soak: Sendable {
    let url: String
    let inFlight: Int

    /// Sends some to warm up, then all; says how the memory is after each tenth.
    func run(_ fetcher: Fetcher, requests: Int) async throws -> Growth {
        let tenth = max(requests / 10, 1)
        let fetch = try fetcher.prepare(url)
        // Caches fill and the heap finds its size, which no request is to blame for.
        try await send(max(requests / 20, 5000), by: fetch)
        let start = try MemoryReading.now()
        say("\(fetcher.name), warm: \(text(start))")
        var end = start
        let clock = ContinuousClock()
        for portion in 1...10 {
            let time = try await clock.measure { try await send(tenth, by: fetch) }
            end = try MemoryReading.now()
            let rate = (Double(tenth) / time.inSeconds).text(digits: 0)
            say("\(fetcher.name), \(portion * tenth) requests: \(text(end)), \(rate) req/s")
        }
        return Growth(from: start, to: end, requests: 10 * tenth)
    }

    private func send(_ requests: Int, by fetch: @escaping Fetcher.Fetch) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<inFlight {
                let share = requests / inFlight + (worker < requests % inFlight ? 1 : 0)
                group.addTask {
                    for _ in 0..<share {
                        let count = try await fetch()
                        guard count == Nginx.smallSize else {
                            throw UnexpectedAnswer("A response had \(count) bytes.")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func text(_ reading: MemoryReading) -> String {
        let heap = reading.heap.map { ", \(mebibytes($0)) MiB of heap in use" } ?? ""
        return "\(mebibytes(reading.resident)) MiB resident\(heap)"
    }

    private func mebibytes(_ bytes: Int) -> String { (Double(bytes) / 0x1p20).text(digits: 2) }
}
