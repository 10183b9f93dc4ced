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
/// An interceptor can set a value for the stages below it:
///
/// ```swift
/// var call = chain.call
/// call[Tenant.self] = "acme"
/// return try await chain.proceed(chain.input, call: call)
/// ```
public protocol CallKey: SendableMetatype {
    /// The type of the value.
    associatedtype Value: Sendable

    /// The value of a call that does not set one.
    static var defaultValue: Value { get }
}

/// Values by typed key, in a list, which is faster than a hash table for the few values of a call.
///
/// Inlinable, because the look-up of a key that is unknown at compile time costs several times as much.
@usableFromInline
struct CallValues: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        let key: any CallKey.Type
        @usableFromInline let id: ObjectIdentifier
        @usableFromInline var value: any AnyObject & Sendable

        @usableFromInline
        init(_ key: any CallKey.Type, _ value: any AnyObject & Sendable) {
            self.key = key
            id = ObjectIdentifier(key)
            self.value = value
        }
    }

    @usableFromInline private(set) var entries: [Entry] = []

    init() {}

    @inlinable
    subscript<Key: CallKey>(key: Key.Type) -> Key.Value {
        get {
            let id = ObjectIdentifier(key)
            for entry in entries where entry.id == id {
                // Safety: only the setter below adds entries, and a key's values have one type.
                return unsafe unsafeDowncast(entry.value, to: CallValue<Key.Value>.self).value
            }
            return Key.defaultValue
        }
        set { set(CallValue(newValue), for: key) }
    }

    func contains(_ id: ObjectIdentifier) -> Bool { entries.contains { $0.id == id } }

    @usableFromInline
    mutating func set(_ value: any AnyObject & Sendable, for key: any CallKey.Type) {
        let id = ObjectIdentifier(key)
        if let index = entries.firstIndex(where: { $0.id == id }) {
            entries[index].value = value
        } else {
            entries.append(Entry(key, value))
        }
    }
}

@usableFromInline
final class CallValue<Value: Sendable>: Sendable {
    @usableFromInline let value: Value

    @inlinable init(_ value: Value) { self.value = value }
}
