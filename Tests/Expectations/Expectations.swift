// Expectations as functions. `#expect` and `#require` say more of an expression, and cost the compiler 20 to 40 ms
// for each use; these cost it 1 to 5.
package import Testing

/// Records an issue unless the condition holds.
package func expectTrue(
    _ condition: Bool,
    _ comment: @autoclosure () -> Comment? = nil,
    file: StaticString = #fileID,
    line: Int = #line
) {
    if condition { return }
    record("this does not hold", comment(), Place(file, line))
}

/// Records an issue unless two values are equal.
package func expectEqual<Value: Equatable>(
    _ value: Value,
    _ expected: Value,
    _ comment: @autoclosure () -> Comment? = nil,
    file: StaticString = #fileID,
    line: Int = #line
) {
    if value == expected { return }
    record(difference(value, expected), comment(), Place(file, line))
}

/// Ends the test with an issue unless the condition holds.
package func require(
    _ condition: Bool,
    _ comment: @autoclosure () -> Comment? = nil,
    file: StaticString = #fileID,
    line: Int = #line
) throws {
    if condition { return }
    try fail("this does not hold", comment(), Place(file, line))
}

/// Ends the test with an issue unless two values are equal.
package func requireEqual<Value: Equatable>(
    _ value: Value,
    _ expected: Value,
    _ comment: @autoclosure () -> Comment? = nil,
    file: StaticString = #fileID,
    line: Int = #line
) throws {
    if value == expected { return }
    try fail(difference(value, expected), comment(), Place(file, line))
}

/// The value of an optional; ends the test with an issue if it has none.
@discardableResult
package func unwrap<Value>(
    _ value: Value?,
    _ comment: @autoclosure () -> Comment? = nil,
    file: StaticString = #fileID,
    line: Int = #line
) throws -> Value {
    if let value { return value }
    try fail("nil in place of a \(Value.self)", comment(), Place(file, line))
}

private struct Place {
    let location: SourceLocation

    // Two short arguments, since each of eight thousand calls passes them.
    init(_ file: StaticString, _ line: Int) {
        location = SourceLocation(fileID: "\(file)", filePath: "\(file)", line: line, column: 1)
    }
}

private func difference<Value>(_ value: Value, _ expected: Value) -> String {
    "is \(String(reflecting: value)), and \(String(reflecting: expected)) was expected"
}

private func said(_ text: String, _ comment: Comment?) -> Comment {
    Comment(rawValue: comment.map { "\(text): \($0)" } ?? text)
}

private func record(_ text: String, _ comment: Comment?, _ place: Place) {
    Issue.record(said(text, comment), sourceLocation: place.location)
}

/// Ends the test as `#require` does, so that the issue is recorded once.
private func fail(_ text: String, _ comment: Comment?, _ place: Place) throws -> Never {
    try #require(Bool(false), said(text, comment), sourceLocation: place.location)
    throw CancellationError()
}
