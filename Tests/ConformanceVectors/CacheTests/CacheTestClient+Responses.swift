import InterceptorKit

extension CacheTestClient {
    /// Looks at a response as soon as it is there.
    func check(_ seen: Seen, of step: CacheTest.Step, number: Int) throws {
        let answered = (seen.value("Request-Numbers") ?? "").split(separator: " ")
        try demand(
            Set(answered).count == answered.count,
            asSetup: true,
            "A request was sent twice: \(answered.joined(separator: " "))."
        )
        try checkOrigin(seen, of: step, number: number)
        try checkStatus(seen, of: step, number: number)
        let moment = CacheTest.Moment(seen.head.headers)
        for check in step.expectedResponseHeaders ?? [] {
            try demand(
                seen.meets(check, at: moment, in: step),
                asSetup: step.isSetup(.responseFields),
                "Response \(number) has \(seen.line(check.name)), which does not meet \(check)."
            )
        }
        for check in step.expectedResponseHeadersMissing ?? [] {
            try demand(
                !seen.has(check),
                asSetup: step.isSetup(.responseFieldsMissing),
                "Response \(number) has \(seen.line(check.name))."
            )
        }
        try checkInterim(seen, of: step, number: number)
        try checkText(seen, of: step, number: number)
    }

    private func checkOrigin(_ seen: Seen, of step: CacheTest.Step, number: Int) throws {
        let count = seen.value("Server-Request-Count").flatMap(Int.init)
        switch step.expectedType {
        // A 304 made by a cache need not say which response it stands for.
        case .cached where seen.head.status != 304 || count != nil:
            try demand(
                count.map { $0 < number } == true,
                asSetup: step.isSetup(.origin),
                "Response \(number) does not come from the cache."
            )
        case .not_cached:
            try demand(
                count == number,
                asSetup: step.isSetup(.origin),
                "Response \(number) comes from the cache."
            )
        default:
            break
        }
    }

    private func checkStatus(_ seen: Seen, of step: CacheTest.Step, number: Int) throws {
        let code = seen.head.status.code
        var wanted = 200
        var isSetup = true
        if let expected = step.expectedStatus {
            guard case .exactly(let status) = expected else { return }
            wanted = status
            isSetup = step.isSetup(.status)
        } else if let status = step.responseStatus {
            wanted = status.code
        } else if code == 999 {
            throw CacheTestUnmet(
                isSetup: step.isSetup(.origin),
                message: "Request \(number) should have been conditional."
            )
        }
        try demand(
            code == wanted,
            asSetup: isSetup,
            "Response \(number) has the status \(code) and not \(wanted)."
        )
    }

    private func checkInterim(_ seen: Seen, of step: CacheTest.Step, number: Int) throws {
        guard let expected = step.expectedInterimResponses else { return }
        let isSetup = step.isSetup(.interimResponses)
        try demand(
            seen.interim.map(\.status) == expected.map(\.status),
            asSetup: isSetup,
            "Before response \(number) came \(seen.interim.map(\.status))."
        )
        for (interim, expected) in zip(seen.interim, expected) {
            for field in expected.headers {
                try demand(
                    interim.headers.values(field.name).contains(field.value),
                    asSetup: isSetup,
                    "An interim response lacks \(field.name)."
                )
            }
        }
    }

    private func checkText(_ seen: Seen, of step: CacheTest.Step, number: Int) throws {
        if step.checkBody == false { return }
        let code = seen.head.status.code
        var wanted = CacheTestOrigin.text
        var isSetup = true
        if let expected = step.expectedResponseText {
            guard case .exactly(let text) = expected else { return }
            wanted = text
            isSetup = step.isSetup(.text)
        } else if let text = step.responseBody {
            wanted = text
        } else if code == 204 || code == 304 || step.method == .head {
            return
        }
        try demand(
            seen.text == wanted,
            asSetup: isSetup,
            "Response \(number) says \"\(seen.text)\" and not \"\(wanted)\"."
        )
    }
}

extension CacheTestClient.Seen {
    func line(_ name: String) -> String { "\(name): \(value(name) ?? "(absent)")" }

    func meets(
        _ check: CacheTest.FieldCheck,
        at moment: CacheTest.Moment?,
        in step: CacheTest.Step
    ) -> Bool {
        guard let value = value(check.name) else { return false }
        switch check {
        case .present: return true
        case .value(let name, let wanted):
            return value == moment?.text(of: wanted, for: name, in: step) ?? wanted.text
        case .matches(_, let other): return value == self.value(other)
        case .exceeds(_, let number):
            return Int(value.prefix { $0.isNumber }).map { $0 > number } == true
        }
    }

    /// Whether a field is there, or has a value within it.
    func has(_ check: CacheTest.FieldCheck) -> Bool {
        guard let value = value(check.name) else { return false }
        guard case .value(_, .text(let part)) = check else { return true }
        return value.contains(part)
    }
}
