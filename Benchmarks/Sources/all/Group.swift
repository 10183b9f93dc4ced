/// Figures that come out of one measurement, and fail together.
struct Group: Sendable {
    let name: String
    let figures: [Figure]
    private let values: @Sendable (Plan) async throws -> [Result<Double, any Error>]

    /// Describes a measurement and the figures that it comes to.
    init<Measured>(
        _ name: String,
        _ rows: [Row<Measured>],
        measure: @escaping @Sendable (Plan) async throws -> Measured
    ) {
        self.name = name
        figures = rows.map(\.figure)
        values = { plan in
            let measured = try await measure(plan)
            return rows.map { row in Result { try row.value(measured) } }
        }
    }

    /// Measures. What cannot be measured gets the reason in its place.
    func outcomes(_ plan: Plan) async -> [Outcome] {
        do {
            let values = try await values(plan)
            return zip(figures, values).map(Outcome.init)
        } catch {
            return figures.map { Outcome(figure: $0, result: .failure(error)) }
        }
    }
}

/// A figure and the way to it.
struct Row<Measured>: Sendable {
    let figure: Figure
    let value: @Sendable (Measured) throws -> Double

    init(
        _ name: String,
        _ unit: Unit,
        _ goal: Goal,
        _ value: @escaping @Sendable (Measured) throws -> Double
    ) {
        figure = Figure(name: name, unit: unit, goal: goal)
        self.value = value
    }
}

/// A figure, and its value or why there is none.
struct Outcome: Sendable {
    let figure: Figure
    let result: Result<Double, any Error>

    init(figure: Figure, result: Result<Double, any Error>) {
        self.figure = figure
        self.result = result.flatMap { value in
            value.isFinite
                ? .success(value) : .failure(NotMeasured("the measurement came to \(value)"))
        }
    }

    /// The value; `nil` if there is none.
    var value: Double? { try? result.get() }

    /// The value with its unit, or why there is none, on one line.
    var text: String {
        switch result {
        case .success(let value): figure.unit.text(value)
        case .failure(let error):
            "not measured: " + "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
        }
    }
}

/// Why a figure was not measured.
struct NotMeasured: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
