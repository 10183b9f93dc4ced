import InterceptorKit
import TestSupport
import Testing

/// Builds pipelines of one stage for each placement.
enum PlacementTrial {
    /// Why the order is refused; a failure of the test if it isn't.
    static func refusal(_ placements: Placement...) -> PipelineError? {
        #expect(throws: PipelineError.self) { try pipeline(placements) }
    }

    static func accepts(_ placements: Placement...) -> Bool { (try? pipeline(placements)) != nil }

    private static func pipeline(_ placements: [Placement]) throws -> Pipeline<Int> {
        let recorder = Recorder<String>()
        return try Pipeline(
            placements.map { Marker<Int>("m", recorder, placement: $0) },
            transport: Echo<Int>()
        )
    }
}
