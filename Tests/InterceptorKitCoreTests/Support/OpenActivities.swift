import InterceptorKit
import TestSupport

/// What is wrong with the beginnings and ends among some events; empty if nothing is.
func unmatchedActivities(_ events: [Event]) -> [String] {
    var open: [Event.Activity.ID: Event.Activity] = [:]
    var known: Set<Event.Activity.ID> = []
    var problems: [String] = []
    for event in events {
        switch (event.phase, event.activity) {
        case (.began, let activity?):
            if !known.insert(activity.id).inserted { problems.append("\(activity) began twice") }
            if let parent = activity.parent, open[parent] == nil {
                problems.append("\(activity) began outside of its parent")
            }
            open[activity.id] = activity
        case (.ended, let activity?):
            if open.removeValue(forKey: activity.id) == nil {
                problems.append("\(activity) ended without having begun")
            }
        case (.moment, _): break
        default: problems.append("\(event.name) has no activity")
        }
    }
    return problems + open.values.map { "\($0) never ended" }
}

/// The activities among some events in the order they began, each indented under its parent.
func activityOutline(_ events: [Event]) -> [String] {
    var depths: [Event.Activity.ID: Int] = [:]
    return events.compactMap { event in
        guard let activity = event.activity, event.phase == .began else { return nil }
        let depth = activity.parent.flatMap { depths[$0] }.map { $0 + 1 } ?? 0
        depths[activity.id] = depth
        return String(repeating: "  ", count: depth) + "\(activity.kind) \(activity.name)"
    }
}
