/// The calls that have begun and not ended, and what each is doing.
struct CallsInFlight {
    /// How many bytes have gone or come, and of how many.
    struct Progress: Equatable {
        var isUpload: Bool
        var bytes: Int
        var total: Int?
    }

    struct Flight {
        let title: String
        let start: Runtime.Instant
        var attempt = 1
        /// Innermost last.
        var open: [Event.Activity] = []
        var progress: Progress?
    }

    private var flights: [Call.ID: Flight] = [:]

    var isEmpty: Bool { flights.isEmpty }

    /// From the oldest to the newest.
    var sorted: [Flight] { flights.values.sorted { ($0.start, $0.title) < ($1.start, $1.title) } }

    mutating func note(_ event: Event) {
        switch event.phase {
        case .began: event.activity.map { begin($0, event) }
        case .ended: event.activity.map { end($0, event.call) }
        case .moment: count(event)
        }
    }

    private mutating func begin(_ activity: Event.Activity, _ event: Event) {
        let title = event.attributes["input"]?.description ?? activity.name
        var flight = flights[event.call] ?? Flight(title: title, start: event.instant)
        flight.open.append(activity)
        flight.attempt = max(flight.attempt, event.attempt)
        // Another send starts from nothing.
        if activity.kind == .transport || activity.kind == .responseBody { flight.progress = nil }
        flights[event.call] = flight
    }

    private mutating func end(_ activity: Event.Activity, _ call: Call.ID) {
        guard var flight = flights[call] else { return }
        flight.open.removeAll { $0.id == activity.id }
        if activity.kind == .transport || activity.kind == .responseBody { flight.progress = nil }
        flights[call] = flight.open.isEmpty ? nil : flight
    }

    private mutating func count(_ event: Event) {
        guard event.name == .bodySent || event.name == .bodyReceived,
            case .number(let bytes)? = event.attributes["bytes"]
        else { return }
        var progress = Progress(isUpload: event.name == .bodySent, bytes: bytes)
        if case .number(let total)? = event.attributes["total"] { progress.total = total }
        flights[event.call]?.progress = progress
    }
}
