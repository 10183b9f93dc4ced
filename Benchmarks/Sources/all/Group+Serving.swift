import ServingRows

extension Group {
    static let serving = Group(
        "serving in process",
        [
            Row("empty ChainMiddleware", .microseconds, .atMost(3)) {
                try $0.microseconds(Service.behindEmptyChain.name, above: Service.alone.name)
            },
            Row("empty ChainMiddleware, allocations", .allocations, .atMost(12)) {
                try $0.allocations(Service.behindEmptyChain.name, above: Service.alone.name)
            },
            Row("ChainMiddleware with limits and verification", .microseconds, .atMost(15)) {
                try $0.microseconds(Service.behindVerification.name, above: Service.alone.name)
            },
        ]
    ) { plan in
        let fields = try await Service.signedFields()
        return try await Connection.open { channel in
            try await plan.costs(
                of: [Service.alone, .behindEmptyChain, .behindVerification].map {
                    try $0.workload(channel, fields)
                }
            )
        }
    }

    static let served = Group(
        "serving on loopback",
        [(1, 0.95), (16, 0.85)].enumerated().map { column, load in
            Row(
                "throughput left by an empty ChainMiddleware, \(load.0) at once",
                .ratio,
                .atLeast(load.1)
            ) { $0.ratio(of: 1, column: column) }
        }
    ) { plan in
        try await Loopback.serving(
            [.alone, .behindEmptyChain],
            try await Service.signedFields()
        ) { loopback in
            try await loopback.throughput(atOnce: [1, 16], rounds: plan.rounds)
        }
    }
}
