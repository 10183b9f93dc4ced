/// A number as a type, in binary.
///
/// Foundation creates a `URLProtocol` from its class alone, without its session, so the class must identify the route:
/// ``NumberedProtocol`` is a separate class for each number.
protocol RouteNumber {
    static var value: Int { get }
}

enum FirstRoute: RouteNumber {
    static let value = 1
}

enum EvenRoute<Half: RouteNumber>: RouteNumber {
    static var value: Int { Half.value * 2 }
}

enum OddRoute<Half: RouteNumber>: RouteNumber {
    static var value: Int { Half.value * 2 + 1 }
}

/// Returns the type of a number, from 1.
func routeNumber(_ value: Int) -> any RouteNumber.Type {
    value < 2 ? FirstRoute.self : append(isOdd: value % 2 == 1, to: routeNumber(value / 2))
}

private func append(isOdd: Bool, to half: any RouteNumber.Type) -> any RouteNumber.Type {
    func appended<Half: RouteNumber>(to half: Half.Type) -> any RouteNumber.Type {
        isOdd ? OddRoute<Half>.self : EvenRoute<Half>.self
    }
    return appended(to: half)
}
