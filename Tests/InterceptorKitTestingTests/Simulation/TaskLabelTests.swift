import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitTesting

@Suite("TaskLabel")
struct TaskLabelTests {
    @Test("is a task's name, or its number in the simulation and its starter's")
    func inside() throws {
        let labels = try Simulation.run { simulation in
            let labels = Recorded<String>()
            await simulation.runtime.start("refresh") { labels.note("\(TaskLabel.current)") }.value
            await Task { labels.note("\(TaskLabel.current)") }.value
            return labels.values
        }

        expectEqual(labels, ["\"refresh\"", "task 3 (of 1)"])
    }

    @Test("tells of a task outside only that it has no name")
    func outside() async {
        let label = await Task.detached { "\(TaskLabel.current)" }.value

        expectEqual(label, "an unnamed task")
    }
}
