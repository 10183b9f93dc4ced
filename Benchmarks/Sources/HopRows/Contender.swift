import Measuring

/// A way of passing something through a number of hops.
public struct Contender: Sendable {
    enum Role: Sendable {
        case handWritten, interceptorKit, peer
    }

    enum Work: String, Sendable {
        case passInt = "pass Int"
        case passRequest = "pass HTTP.Request"
        case changeInt = "change Int"
        case changeRequest = "change HTTP.Request"
        case passOwn = "pass its own request"
    }

    typealias Loop = @Sendable (_ count: Int) async throws -> Int

    let role: Role
    let name: String
    let work: Work
    private let loop: @Sendable (Int) throws -> Loop

    /// Describes a contender.
    /// - Parameters:
    ///   - role: What its figures are for.
    ///   - name: Who it is, and how it does the work.
    ///   - work: What its hops do.
    ///   - loop: Prepares a chain of that many hops and returns the loop that runs it.
    init(
        _ role: Role,
        _ name: String,
        _ work: Work,
        loop: @escaping @Sendable (_ depth: Int) throws -> Loop
    ) {
        self.role = role
        self.name = name
        self.work = work
        self.loop = loop
    }

    func workload(depth: Int) throws -> Workload {
        Workload(
            "\(name), \(work.rawValue), depth \(depth)",
            answer: work.answer(depth: depth),
            repeating: try loop(depth)
        )
    }
}

extension Contender.Work {
    /// What a run through a number of hops yields: a number, or a response's status.
    func answer(depth: Int) -> Int {
        switch self {
        case .passInt: 1
        case .changeInt: 1 + depth
        case .passRequest, .passOwn: 200
        case .changeRequest: depth > 0 ? 202 : 200
        }
    }
}
