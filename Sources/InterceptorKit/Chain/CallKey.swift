/// Names a value that a ``Call`` can carry, and its type.
///
/// ```swift
/// enum Tenant: CallKey { static let defaultValue: String? = nil }
///
/// var call = chain.call
/// call[Tenant.self] = "acme"
/// return try await chain.proceed(chain.input, call: call)
/// ```
public protocol CallKey: SendableMetatype {
    /// What the key stands for.
    associatedtype Value: Sendable

    /// The value of a call that was given none.
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
