import CInterceptorKitCurl
import InterceptorKit

/// Field lines in the form that libcurl reads in place: made once, in two blocks of memory.
@safe
final class FieldList: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: written in `init` only; libcurl reads it on the loop's thread, and
    // whoever is sent with it keeps it until libcurl has released it.
    // Safety: `text` has room for every line and its NUL, counted before; each node points into it and to the next
    // node, the last to none. Both blocks are freed with this object.
    private let nodes: UnsafeMutablePointer<ikcurl_node>
    private let text: UnsafeMutablePointer<CChar>

    /// The list for libcurl, valid as long as this object.
    var memory: UnsafeRawPointer { unsafe UnsafeRawPointer(nodes) }

    /// - Parameter lines: At least one line, without line breaks or NUL. The bytes are those of
    ///   `HTTP.FieldSyntax.bytes(of:)`, at most as many as in UTF-8.
    init?(lines: [String]) {
        guard !lines.isEmpty else { return nil }
        unsafe nodes = .allocate(capacity: lines.count)
        unsafe text = .allocate(capacity: lines.reduce(0) { $0 + $1.utf8.count + 1 })
        var cursor = unsafe text
        for (index, line) in lines.enumerated() {
            let following = unsafe index + 1 < lines.count ? nodes + (index + 1) : nil
            unsafe (nodes + index).initialize(to: ikcurl_node(text: cursor, next: following))
            for byte in HTTP.FieldSyntax.bytes(of: line) {
                unsafe cursor.initialize(to: CChar(bitPattern: byte))
                unsafe cursor += 1
            }
            unsafe cursor.initialize(to: 0)
            unsafe cursor += 1
        }
    }

    deinit {
        unsafe nodes.deallocate()
        unsafe text.deallocate()
    }
}

extension HTTP.Headers {
    /// Returns the fields as libcurl expects them, in order. A semicolon after a name stands for an empty value; a
    /// colon with nothing after it keeps libcurl from adding a field of its own.
    func linesForLibcurl(suppressing names: [String]) -> [String] {
        var lines: [String] = []
        lines.reserveCapacity(count + names.count)
        for field in self {
            lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        for name in names where !contains(name) { lines.append("\(name):") }
        return lines
    }
}
