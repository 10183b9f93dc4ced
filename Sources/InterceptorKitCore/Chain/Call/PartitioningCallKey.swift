/// A key whose value can change the output, such as the tenant of a call or whether a credential is attached.
///
/// Code that shares one call's output with other calls keeps calls with different values of such keys apart.
public protocol PartitioningCallKey: CallKey where Value: Hashable {}

/// The values of a call that can change the output, as a value to compare.
public struct CallPartition: Hashable, Sendable {
    private struct Part: Hashable, Sendable {
        let key: ObjectIdentifier
        let name: String
        let value: any Hashable & Sendable

        static func == (left: Part, right: Part) -> Bool {
            left.key == right.key && AnyHashable(left.value) == AnyHashable(right.value)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(key)
            value.hash(into: &hasher)
        }
    }

    private var parts: Set<Part> = []

    mutating func insert<Key: PartitioningCallKey>(_ key: Key.Type, _ value: any Sendable) {
        // The default value counts as no value.
        guard let value = (value as? CallValue<Key.Value>)?.value, value != Key.defaultValue else {
            return
        }
        parts.insert(
            Part(key: ObjectIdentifier(key), name: String(reflecting: key), value: value)
        )
    }

    /// The values as unique texts in order, for storage that outlives a process; `nil` if neither a value nor its raw
    /// value is `LosslessStringConvertible`.
    public var texts: [String]? {
        var texts: [String] = []
        for part in parts {
            guard let text = Self.text(of: part.value) else { return nil }
            texts.append("\(part.name.utf8.count) \(part.name) \(text)")
        }
        return texts.sorted()
    }

    private static func text(of value: Any) -> String? {
        if let value = value as? any LosslessStringConvertible { return value.description }
        guard let value = value as? any RawRepresentable else { return nil }
        return text(of: value.rawValue)
    }
}

extension Call {
    /// The values that can change the output: those of every ``PartitioningCallKey``.
    ///
    /// Calls with equal inputs and partitions may share an output.
    public var partition: CallPartition {
        values.entries.reduce(into: CallPartition()) { partition, entry in
            guard let key = entry.key as? any PartitioningCallKey.Type else { return }
            partition.insert(key, entry.value)
        }
    }
}
