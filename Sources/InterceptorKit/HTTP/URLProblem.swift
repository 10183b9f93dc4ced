/// Why text is no URL.
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
        case .port: "the port is not a number from 0 to 65535"
        }
    }
}
