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
    convenience init?(lines: [String]) {
        self.init(count: lines.count, bytes: lines.reduce(0) { $0 + $1.utf8.count }) { list in
            for line in lines { list.add(line) }
        }
    }

    /// Lists fields as libcurl expects them, in order. A semicolon after a name stands for an empty value; a colon with
    /// nothing after it keeps libcurl from adding a field of its own.
    /// - Parameters:
    ///   - headers: The fields.
    ///   - names: The fields that libcurl must not add where there are none.
    ///   - line: One more line. Defaults to none.
    convenience init?(_ headers: HTTP.Headers, suppressing names: [String], and line: String? = nil)
    {
        var bytes = line?.utf8.count ?? 0
        for field in headers { bytes += field.name.utf8.count + 2 + field.value.utf8.count }
        for name in names { bytes += name.utf8.count + 1 }
        let count = headers.count + names.count + (line == nil ? 0 : 1)
        self.init(count: count, bytes: bytes) { list in
            for field in headers {
                if field.value.isEmpty {
                    list.add(field.name, ";")
                } else {
                    list.add(field.name, ": ", field.value)
                }
            }
            for name in names where !headers.contains(name) { list.add(name, ":") }
            if let line { list.add(line) }
        }
    }

    /// - Parameters:
    ///   - count: The most lines that are added.
    ///   - bytes: The most bytes of these lines, without their NULs.
    ///   - fill: Adds the lines, at least one.
    private init?(count: Int, bytes: Int, _ fill: (inout Filling) -> Void) {
        guard count > 0 else { return nil }
        unsafe nodes = .allocate(capacity: count)
        unsafe text = .allocate(capacity: bytes + count)
        var filling = unsafe Filling(nodes: nodes, cursor: text)
        fill(&filling)
    }

    deinit {
        unsafe nodes.deallocate()
        unsafe text.deallocate()
    }
}

extension FieldList {
    /// The lines so far.
    @safe
    fileprivate struct Filling {
        // Safety: the initializer counted the lines and their bytes.
        private let nodes: UnsafeMutablePointer<ikcurl_node>
        private var cursor: UnsafeMutablePointer<CChar>
        private var count = 0

        init(nodes: UnsafeMutablePointer<ikcurl_node>, cursor: UnsafeMutablePointer<CChar>) {
            unsafe self.nodes = nodes
            unsafe self.cursor = cursor
        }

        mutating func add(_ first: String, _ second: String = "", _ third: String = "") {
            unsafe (nodes + count).initialize(to: ikcurl_node(text: cursor, next: nil))
            if count > 0 { unsafe (nodes + (count - 1)).pointee.next = nodes + count }
            count += 1
            write(first)
            write(second)
            write(third)
            unsafe cursor.initialize(to: 0)
            unsafe cursor += 1
        }

        private mutating func write(_ text: String) {
            unsafe HTTP.FieldSyntax.withBytes(of: text) { bytes in
                // Safety: at most as many bytes as were counted.
                unsafe UnsafeMutableRawPointer(cursor).copyMemory(
                    from: bytes.baseAddress ?? .init(cursor),
                    byteCount: bytes.count
                )
                unsafe cursor += bytes.count
            }
        }
    }
}
