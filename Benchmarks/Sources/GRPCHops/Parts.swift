/// A few elements, without a task or a buffer behind them.
struct Parts<Element: Sendable>: AsyncSequence, Sendable {
    typealias Failure = any Error

    struct AsyncIterator: AsyncIteratorProtocol {
        var remaining: ArraySlice<Element>

        mutating func next() async throws -> Element? { remaining.popFirst() }

        mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(any Error) -> Element? {
            remaining.popFirst()
        }
    }

    private let elements: [Element]

    init(_ elements: [Element]) { self.elements = elements }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(remaining: elements[...]) }
}
