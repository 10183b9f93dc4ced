import InterceptorKit

extension CacheTestClient {
    /// Compares what the origin was asked, and what it answered, with what the client saw.
    func check(
        _ received: [CacheTestOrigin.Received],
        of steps: [CacheTest.Step],
        _ seen: [Seen]
    ) throws {
        var rest = received[...]
        for (index, step) in steps.enumerated() where step.expectedType != .cached {
            let number = index + 1
            let request = rest.popFirst()
            if let origin = step.expectedType {
                try check(request, cameFor: origin, step, number: number)
            }
            for check in step.expectedRequestHeaders ?? [] {
                try demand(
                    request?.has(check) == true,
                    asSetup: step.isSetup(.requestFields),
                    "Request \(number) does not meet \(check)."
                )
            }
            for check in step.expectedRequestHeadersMissing ?? [] {
                try demand(
                    request?.has(check) == false,
                    asSetup: step.isSetup(.requestFieldsMissing),
                    "Request \(number) meets \(check)."
                )
            }
            // A date is not compared, because anyone who passes a response on may write its own.
            for field in request?.fields ?? [] where field.name.lowercased() != "date" {
                try demand(
                    seen[index].value(field.name) == field.value,
                    asSetup: true,
                    "Response \(number) has \(seen[index].line(field.name)), not \(field.value)."
                )
            }
            if let method = step.expectedMethod {
                try demand(
                    request?.method.rawValue == method,
                    asSetup: step.isSetup(.method),
                    "Request \(number) did not come as \(method)."
                )
            }
        }
    }

    private func check(
        _ request: CacheTestOrigin.Received?,
        cameFor origin: CacheTest.Step.Origin,
        _ step: CacheTest.Step,
        number: Int
    ) throws {
        let isSetup = step.isSetup(.origin)
        guard let request else {
            throw CacheTestUnmet(isSetup: isSetup, message: "Request \(number) was not sent.")
        }
        switch origin {
        case .cached: break
        case .not_cached:
            try demand(
                request.number == number,
                asSetup: isSetup,
                "Response \(number) comes from the cache: the origin next got \(request.number)."
            )
        case .lm_validated:
            try demand(
                request.headers.contains("If-Modified-Since"),
                asSetup: isSetup,
                "Request \(number) has no If-Modified-Since."
            )
        case .etag_validated:
            try demand(
                request.headers.contains("If-None-Match"),
                asSetup: isSetup,
                "Request \(number) has no If-None-Match."
            )
        }
    }
}

extension CacheTestOrigin.Received {
    /// Whether a field is there, with the value that is asked for.
    fileprivate func has(_ check: CacheTest.FieldCheck) -> Bool {
        guard let value = headers[check.name] else { return false }
        guard case .value(_, let wanted) = check else { return true }
        return value == wanted.text
    }
}
