import Foundation

/// How many inputs the long runs of generators take.
package let fuzzCount = ProcessInfo.processInfo.environment["INTERCEPTORKIT_FUZZ"].flatMap {
    Int($0)
}
