public import InterceptorKit

extension HTTP.URLEncodedFormEncoder {
    /// The spelling of keys. Each key of a path is spelled by itself.
    public enum KeyEncoding: Sendable {
        /// The type's own.
        case useDefaultKeys
        /// `pageSize` becomes `page_size`, and `myURLName` becomes `my_url_name`, as `JSONEncoder` spells them.
        case convertToSnakeCase
        /// `pageSize` becomes `page-size`.
        case convertToKebabCase
        /// The first letter in upper case: `pageSize` becomes `PageSize`.
        case capitalized
        /// All letters in upper case.
        case uppercased
        /// All letters in lower case.
        case lowercased
        /// A spelling of your own.
        case custom(@Sendable (_ key: String) -> String)

        func spelling(_ key: String) -> String {
            switch self {
            case .useDefaultKeys: key
            case .convertToSnakeCase: Self.words(of: key, joinedBy: "_")
            case .convertToKebabCase: Self.words(of: key, joinedBy: "-")
            case .capitalized: Self.capitalized(key)
            case .uppercased: key.uppercased()
            case .lowercased: key.lowercased()
            case .custom(let encode): encode(key)
            }
        }

        private static func capitalized(_ key: String) -> String {
            var text = ""
            for scalar in key.unicodeScalars {
                text += text.isEmpty ? String(scalar).uppercased() : String(scalar)
            }
            return text
        }

        // A word begins with a capital; of several capitals before a small letter, the last one begins a word. The
        // first letter is taken for a small one, as in JSONEncoder.
        private static func words(of key: String, joinedBy separator: String) -> String {
            var text = ""
            // What follows a capital, until a small letter says whether it begins a word.
            var held: Unicode.Scalar?
            var isAfterCapital = false
            for scalar in key.unicodeScalars {
                let category = scalar.properties.generalCategory
                if let last = held {
                    if category == .lowercaseLetter, isAfterCapital { text += separator }
                    text.unicodeScalars.append(last)
                    held = category == .lowercaseLetter ? nil : scalar
                    isAfterCapital = true
                } else if category == .uppercaseLetter, !text.isEmpty {
                    text += separator
                    held = scalar
                    isAfterCapital = false
                }
                if held == nil { text.unicodeScalars.append(scalar) }
            }
            if let held { text.unicodeScalars.append(held) }
            return text.lowercased()
        }
    }
}
