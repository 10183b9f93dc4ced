/// Why text isn't a URL.
enum URLProblem: Error, Hashable {
    case empty
    case tooLong
    case percent
    case character
    case reserved(UInt8)
    case noAuthority
    case userInformation
    case address
    case host
    case numberedHost
    case encodedHost
    case encodedBeginning
    case severalSegments
    case dots
    case port
}

extension URLProblem: CustomStringConvertible {
    var description: String {
        switch self {
        case .empty: "it is empty"
        case .tooLong: "it is longer than 2 GiB"
        case .percent: "a % is not followed by two hexadecimal digits"
        case .character:
            "it contains a blank, control or non-ASCII character; percent-encode it"
        case .reserved(let byte):
            "it contains \(Character(Unicode.Scalar(byte))), which must be percent-encoded"
        case .noAuthority: "the scheme is not followed by // and a host"
        case .userInformation: "it contains user information; use a credential instead"
        case .address: "the IPv6 address is malformed"
        case .host: "the host contains a character that no host name has"
        case .numberedHost:
            "the host ends with a number and is not an IPv4 address; write four numbers from 0 to 255 "
                + "without leading zeros, because programs read a single number differently"
        case .encodedHost:
            "the host has a percent-encoded character, as every value put into a URL is encoded; "
                + "put an HTTP.Origin there, or text marked raw: if nothing of it comes from outside"
        case .encodedBeginning:
            "it begins with a value, which was percent-encoded and so is not an address; begin with an "
                + "HTTP.URL or HTTP.Origin as the base, with a / where a path is meant, or with text "
                + "marked raw: if nothing of it comes from outside"
        case .severalSegments:
            "a value behind an address of values has a /, ? or #, which was percent-encoded, as it is within one "
                + "segment; write HTTP.URL(string:) for text from a configuration, begin with an HTTP.URL or "
                + "HTTP.Origin as the base, or mark the value raw: if nothing of it comes from outside"
        case .dots:
            "a value in it is . or .., which leads to another path; refuse such a value where it comes from, or "
                + "mark it raw: if it is meant"
        case .port: "the port is not a number from 0 to 65535"
        }
    }
}
