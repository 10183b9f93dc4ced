import EngineScenarios
import Expectations
import Foundation
import InterceptorKitTesting
import Testing

@testable import InterceptorKitEngine

@Suite("ReceiveBuffer")
struct ReceiveBufferTests {
    @Test(
        "returns the chunks in order, from memory and from files",
        arguments: 0..<200 as Range<UInt64>
    )
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var receiveBuffer = ReceiveBuffer(limits: .init(memory: 40, files: 1000, file: 25))
        var files: [Int: Data] = [:]
        var sent = Data()
        var read = Data()

        func take() {
            switch receiveBuffer.take() {
            case .chunk(let chunk): read += chunk
            case .file(let region): read += files[region.file, default: Data()][region.range]
            case nil: break
            }
        }

        for _ in 0..<random.next(below: 60) {
            if random.next(below: 2) == 0 {
                let chunk = Data((0..<random.next(below: 20)).map { _ in UInt8(sent.count & 0xFF) })
                sent += chunk
                if case .file(let region) = receiveBuffer.add(chunk) {
                    expectEqual(region.range.lowerBound, files[region.file, default: Data()].count)
                    files[region.file, default: Data()] += chunk
                    receiveBuffer.noteWritten()
                }
            } else {
                take()
            }
            expectEqual(receiveBuffer.available, sent.count - read.count)
        }
        while !receiveBuffer.isEmpty { take() }

        expectEqual(read, sent)
        expectTrue(files.values.allSatisfy { $0.count < 25 + 20 })
    }

    @Test("stores nothing in a file when the reader keeps up")
    func fast() {
        var receiveBuffer = ReceiveBuffer(limits: .init(memory: 20, files: 1000))

        for _ in 0..<100 {
            guard case .memory = receiveBuffer.add(Data(count: 16)) else {
                Issue.record("A chunk went elsewhere.")
                return
            }
            expectEqual(receiveBuffer.take(), .chunk(Data(count: 16)))
        }
    }

    @Test("returns at most 256 KiB of a file at a time")
    func portions() {
        var receiveBuffer = ReceiveBuffer(limits: .init(memory: 0, files: .max))
        _ = receiveBuffer.add(Data(count: 300 * 1024))
        receiveBuffer.noteWritten()

        let first = receiveBuffer.take()
        let second = receiveBuffer.take()

        expectEqual(first, .file(.init(file: 0, range: 0..<(256 * 1024))))
        expectEqual(second, .file(.init(file: 0, range: (256 * 1024)..<(300 * 1024))))
        expectTrue(receiveBuffer.isEmpty)
    }

    @Test("takes whatever an engine delivers that pauses by itself")
    func pausing() {
        var receiveBuffer = ReceiveBuffer(limits: .init(memory: 10, files: nil))

        for _ in 0..<3 { _ = receiveBuffer.add(Data(count: 10)) }

        expectEqual(receiveBuffer.available, 30)
        expectEqual(receiveBuffer.take(), .chunk(Data(count: 30)))
    }

    @Test("accepts no chunk beyond its limits")
    func full() {
        var receiveBuffer = ReceiveBuffer(limits: .init(memory: 10, files: 10))
        _ = receiveBuffer.add(Data(count: 10))
        _ = receiveBuffer.add(Data(count: 8))
        receiveBuffer.noteWritten()

        guard case .nowhere = receiveBuffer.add(Data(count: 3)) else {
            Issue.record("There was room for more.")
            return
        }
        guard case .file = receiveBuffer.add(Data(count: 2)) else {
            Issue.record("There was no room for the rest.")
            return
        }
    }
}
