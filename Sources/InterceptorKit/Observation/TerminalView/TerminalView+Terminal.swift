#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension TerminalView {
    /// Where frames are drawn.
    public struct Terminal: Sendable {
        /// How much of a terminal it is.
        public enum Kind: Hashable, Sendable {
            /// None, as a file or a pipe: nothing is drawn.
            case none
            /// One that can only return to the beginning of its line: one line is drawn, without escape
            /// sequences.
            case plain
            /// One that obeys ANSI escape sequences (ECMA-48): a line for each call.
            case full
        }

        let kind: Kind
        let width: @Sendable () -> Int
        let isReady: @Sendable () -> Bool
        let write: @Sendable (String) -> Void

        /// Describes a terminal.
        /// - Parameters:
        ///   - kind: How much of a terminal it is. Defaults to one that obeys escape sequences.
        ///   - width: How many columns it has now. Defaults to 80.
        ///   - write: Writes to it.
        public init(
            _ kind: Kind = .full,
            width: @escaping @Sendable () -> Int = { 80 },
            write: @escaping @Sendable (_ text: String) -> Void
        ) {
            self.init(kind, width: width, isReady: { true }, write: write)
        }

        private init(
            _ kind: Kind,
            width: @escaping @Sendable () -> Int,
            isReady: @escaping @Sendable () -> Bool,
            write: @escaping @Sendable (String) -> Void
        ) {
            self.kind = kind
            self.width = width
            self.isReady = isReady
            self.write = write
        }

        /// The process's error output, if that is a terminal. It is plain where `NO_COLOR` is set or
        /// `TERM` is `dumb`.
        public static var standardError: Terminal { Terminal(descriptor: STDERR_FILENO) }

        /// What a file descriptor leads to, if that is a terminal. It is plain where `NO_COLOR` is set or
        /// `TERM` is `dumb`.
        /// - Parameter descriptor: The file descriptor; stays open, and the caller's.
        public init(descriptor: Int32) {
            let environment = ProcessInfo.processInfo.environment
            let kind = Kind(isTerminal: isatty(descriptor) == 1, environment)
            self.init(
                kind,
                width: { columns(of: descriptor) ?? 80 },
                isReady: { isWritable(descriptor) },
                write: { deliver($0, to: descriptor) }
            )
        }
    }
}

extension TerminalView.Terminal.Kind {
    init(isTerminal: Bool, _ environment: [String: String]) {
        let isPlain = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
        self = !isTerminal ? .none : isPlain ? .plain : .full
    }
}

private func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, numericCast(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
        return nil
    }
    return Int(size.ws_col)
}

// A terminal that was stopped takes nothing, and whoever wrote to it would be stopped as well.
private func isWritable(_ descriptor: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&waiting, 1, 0) == 1
}

private func deliver(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe write(descriptor, bytes.baseAddress, bytes.count)
        }
        if count < 0, errno == EINTR { continue }
        // Nobody is left to look.
        guard count > 0 else { return }
        bytes = bytes.dropFirst(count)
    }
}
