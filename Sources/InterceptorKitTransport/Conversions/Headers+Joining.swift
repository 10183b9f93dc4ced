import InterceptorKit

extension HTTP.Headers {
    /// Returns one value per name, under the name's first spelling.
    func joinedForFoundation(leavingOut omitted: String? = nil) -> [String: String] {
        var spellings: [String: String] = [:]
        var joined: [String: String] = [:]
        joined.reserveCapacity(count)
        for field in self {
            let key = field.name.lowercased()
            if key == omitted { continue }
            guard let spelling = spellings[key] else {
                spellings[key] = field.name
                joined[field.name] = field.value
                continue
            }
            // RFC 9110 section 5.3 for lists, RFC 6265 section 4.2.1 for cookies.
            joined[spelling, default: ""] += (key == "cookie" ? "; " : ", ") + field.value
        }
        return joined
    }
}
