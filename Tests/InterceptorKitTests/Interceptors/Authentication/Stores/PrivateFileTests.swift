import Foundation
import Testing

@testable import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("PrivateFile")
struct PrivateFileTests {
    @Test("is removed whatever went wrong before, and also if it is not there")
    func removed() throws {
        let folder = try Folder()
        let file = PrivateFile(path: folder["file"])
        try file.write(Data("a".utf8))

        errno = EACCES
        try file.remove()
        try file.remove()

        #expect(folder.names.isEmpty)
    }
}
