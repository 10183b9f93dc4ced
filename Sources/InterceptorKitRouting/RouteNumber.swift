/// A number as a type, in binary.
///
/// Foundation makes a `URLProtocol` from its class alone and says nothing of the session it is for, so
/// the class must say which route it is: ``NumberedProtocol`` is a class of its own for each number.
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

/// The type of a number from 1.
func routeNumber(_ value: Int) -> any RouteNumber.Type {
    value < 2 ? FirstRoute.self : append(isOdd: value % 2 == 1, to: routeNumber(value / 2))
}

private func append(isOdd: Bool, to half: any RouteNumber.Type) -> any RouteNumber.Type {
    func appended<Half: RouteNumber>(to half: Half.Type) -> any RouteNumber.Type {
        isOdd ? OddRoute<Half>.self : EvenRoute<Half>.self
    }
    return appended(to: half)
}
