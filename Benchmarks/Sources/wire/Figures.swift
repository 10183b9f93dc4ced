/// What a process measured of its own requests, and the line by which it says so, in any language.
struct Figures: Sendable {
    /// A process that did not say what it measured.
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// All requests of the process, also those that were not timed.
    let sent: Int
    /// The timed requests; the next four figures are of them together.
    let requests: Int
    let seconds: Double
    let user: Double
    let system: Double
    let switches: Int
    /// Allocations of a request; `nil` where they are not counted.
    let allocations: Double?

    private static let start = "figures "

    /// The figures as a process prints them.
    var line: String {
        let counted = allocations.map { " allocations=\($0)" } ?? ""
        return Figures.start + "sent=\(sent) requests=\(requests) seconds=\(seconds)"
            + " user=\(user) system=\(system) switches=\(switches)\(counted)"
    }

    /// Requests in a second.
    var rate: Double { Double(requests) / seconds }
    /// Microseconds of a request in the process's own code.
    var userMicroseconds: Double { perRequest(user) * 1_000_000 }
    /// Microseconds of a request in the system.
    var systemMicroseconds: Double { perRequest(system) * 1_000_000 }
    /// Both.
    var processorMicroseconds: Double { perRequest(user + system) * 1_000_000 }
    /// Context switches of a request.
    var switchesPerRequest: Double { perRequest(Double(switches)) }

    private func perRequest(_ total: Double) -> Double { total / Double(requests) }
}

extension Figures {
    /// Finds the line among what a process printed.
    init(in output: String) throws {
        let line = output.split(whereSeparator: \.isNewline).last { $0.hasPrefix(Figures.start) }
        var values: [Substring: Double] = [:]
        for word in line?.split(separator: " ").dropFirst() ?? [] {
            let parts = word.split(separator: "=")
            if parts.count == 2 { values[parts[0]] = Double(parts[1]) }
        }
        func value(_ name: Substring) throws -> Double {
            guard let value = values[name], value.isFinite else {
                throw Missing(description: "the process printed no figure \(name): \(output)")
            }
            return value
        }
        sent = Int(try value("sent"))
        requests = Int(try value("requests"))
        seconds = try value("seconds")
        user = try value("user")
        system = try value("system")
        switches = Int(try value("switches"))
        allocations = values["allocations"]
    }
}
