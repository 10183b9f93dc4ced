import Foundation

func currentThread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

@concurrent func noteConcurrently(in witness: Witness) async { await witness.note() }

/// Notes on which threads it is used.
actor Witness {
    private(set) var threads: [ObjectIdentifier] = []

    func note() { threads.append(currentThread()) }
}
