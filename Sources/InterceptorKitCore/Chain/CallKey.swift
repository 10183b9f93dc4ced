/// A typed key for a value that a ``Call`` can carry.
///
/// ```swift
/// enum Tenant: CallKey {
///     static let defaultValue: String? = nil
/// }
/// ```
///
/// A caller sets the value, and every interceptor reads it as `chain.call[Tenant.self]`:
///
/// ```swift
/// let orders = try await api.send(.get("/orders")) { call in
///     call[Tenant.self] = "acme"
/// }
/// ```
///
/// An interceptor can set one for the stages below it:
///
/// ```swift
/// var call = chain.call
/// call[Tenant.self] = "acme"
/// return try await chain.proceed(chain.input, call: call)
/// ```
public protocol CallKey: SendableMetatype {
    /// The type of the value.
    associatedtype Value: Sendable

    /// The value of a call that sets none.
    static var defaultValue: Value { get }
}

/// Values by typed key. A call carries a handful at most, which a list finds faster than a hash table.
struct CallValues: Sendable {
    private(set) var entries: [(key: any CallKey.Type, value: any Sendable)] = []

    subscript<Key: CallKey>(key: Key.Type) -> Key.Value {
        get {
            if entries.isEmpty { return Key.defaultValue }
            let id = ObjectIdentifier(key)
            let entry = entries.first { ObjectIdentifier($0.key) == id }
            return entry?.value as? Key.Value ?? Key.defaultValue
        }
        set {
            let id = ObjectIdentifier(key)
            if let index = entries.firstIndex(where: { ObjectIdentifier($0.key) == id }) {
                entries[index].value = newValue
            } else {
                entries.append((key, newValue))
            }
        }
    }
}
