import HandWrittenHops

extension Contenders {
    static let handWritten: [Contender] = {
        let functions = HandWritten(method: method)
        return [
            Contender(.handWritten, "hand-written", .passInt) { depth in
                { count in
                    var sum = 0
                    for _ in 0..<count { sum &+= try await functions.pass(1, depth: depth) }
                    return sum
                }
            },
            Contender(.handWritten, "hand-written", .passRequest) { depth in
                { count in
                    var sum = 0
                    for _ in 0..<count {
                        sum &+= try await functions.pass(request, depth: depth).status.code
                    }
                    return sum
                }
            },
            Contender(.handWritten, "hand-written", .changeInt) { depth in
                { count in
                    var sum = 0
                    for _ in 0..<count { sum &+= try await functions.change(1, depth: depth) }
                    return sum
                }
            },
            Contender(.handWritten, "hand-written", .changeRequest) { depth in
                { count in
                    var sum = 0
                    for _ in 0..<count {
                        sum &+= try await functions.change(request, depth: depth).status.code
                    }
                    return sum
                }
            },
        ]
    }()
}
