/// What a run of published vectors came to.
package struct Conformance {
    package let name: String
    package private(set) var passed = 0
    package private(set) var failures: [String] = []
    package private(set) var skipped = 0

    package init(_ name: String) { self.name = name }

    package mutating func note(_ isRight: Bool, _ row: @autoclosure () -> String) {
        if isRight { passed += 1 } else { failures.append(row()) }
    }

    package mutating func skip() { skipped += 1 }

    package var summary: String {
        "conformance \(name): \(passed) passed, \(failures.count) failed, \(skipped) skipped"
    }
}
