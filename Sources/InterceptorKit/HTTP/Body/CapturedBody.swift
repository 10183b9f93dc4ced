#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// The content of a message as an observer knows it.
    public enum CapturedBody: Sendable, Hashable {
        /// The complete bytes.
        case bytes(Data)
        /// The short reason why the content was not read, such as `one-shot stream, 12 bytes`.
        case unread(String)

        /// The bytes; `nil` if they were not read.
        public var bytes: Data? {
            if case .bytes(let bytes) = self { bytes } else { nil }
        }

        /// The bytes as text; `nil` if they were not read or are not UTF-8.
        public var text: String? { bytes.flatMap { String(bytes: $0, encoding: .utf8) } }
    }
}
