package import InterceptorKitTesting

extension SeededGenerator {
    /// A number from zero to below a bound.
    package mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
