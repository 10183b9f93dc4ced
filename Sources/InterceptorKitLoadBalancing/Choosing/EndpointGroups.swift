import InterceptorKit

/// The endpoints that may get requests, grouped by priority; computed again when an endpoint's health changes.
struct EndpointGroups: Sendable {
    struct Group: Sendable {
        /// The endpoints that get requests: the available ones, or all of them in a panic.
        let members: [Member]
        /// The upper end of the group's part of all requests, from 0 to 1.
        let end: Double
        let isPanicking: Bool
    }

    let groups: [Group]
    /// The earliest instant at which an endpoint becomes available by itself.
    let until: Runtime.Instant?

    var isPanicking: Bool { groups.contains(where: \.isPanicking) }

    init(_ members: [Member], _ settings: LoadBalancingSettings, at now: Runtime.Instant) {
        var until: Runtime.Instant?
        var byPriority: [Int: (all: [Member], available: [Member])] = [:]
        for member in members {
            let availability = member.availability(at: now)
            let priority = member.priority
            byPriority[priority, default: ([], [])].all.append(member)
            if availability.isAvailable {
                byPriority[priority]?.available.append(member)
            } else if let end = availability.until {
                until = min(end, until ?? end)
            }
        }
        self.until = until
        let ordered = byPriority.sorted { $0.key < $1.key }.map(\.value)
        // A group's capacity is its share of available endpoints, times the overprovisioning factor, up to 1.
        let capacities = ordered.map { group in
            let share = Double(group.available.count) / Double(group.all.count)
            return min(1, share * settings.overprovisioning)
        }
        let total = capacities.reduce(0, +)
        var taken = 0.0
        var groups: [Group] = []
        for (group, capacity) in zip(ordered, capacities) {
            let part: Double
            if total >= 1 {
                part = min(capacity, 1 - taken)
            } else if total > 0 {
                part = capacity / total
            } else {
                part = 1 / Double(ordered.count)
            }
            guard part > 0 else { continue }
            taken += part
            let share = Double(group.available.count) / Double(group.all.count)
            // A group panics only if the other groups cannot take its requests.
            let isPanicking =
                group.available.isEmpty || (total < 1 && share < settings.panicThreshold)
            groups.append(
                Group(
                    members: isPanicking ? group.all : group.available,
                    end: taken,
                    isPanicking: isPanicking
                )
            )
        }
        self.groups = groups
    }

    /// Returns the members of a group chosen at random, in proportion to the groups' parts.
    func members(by random: UInt64) -> [Member] {
        let fraction = Double(random >> 11) * 0x1p-53
        let group = groups.first { fraction < $0.end } ?? groups[groups.count - 1]
        return group.members
    }
}
