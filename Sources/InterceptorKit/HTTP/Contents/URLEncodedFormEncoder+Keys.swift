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
            case .convertToSnakeCase: Self.words(key).joined(separator: "_")
            case .convertToKebabCase: Self.words(key).joined(separator: "-")
            case .capitalized:
                String(key.unicodeScalars.prefix(1)).uppercased()
                    + String(key.unicodeScalars.dropFirst())
            case .uppercased: key.uppercased()
            case .lowercased: key.lowercased()
            case .custom(let encode): encode(key)
            }
        }

        // A word begins with a capital; of several capitals before a small letter, the last one begins a word. The
        // first letter is taken for a small one, as in JSONEncoder.
        private static func words(_ key: String) -> [String] {
            let scalars = Array(key.unicodeScalars)
            func next(_ category: Unicode.GeneralCategory, from start: Int) -> Int? {
                scalars[start...].firstIndex { $0.properties.generalCategory == category }
            }
            var starts = [0]
            var position = min(1, scalars.count)
            while let capital = next(.uppercaseLetter, from: position) {
                starts.append(capital)
                guard let small = next(.lowercaseLetter, from: capital) else { break }
                if small > capital + 1 { starts.append(small - 1) }
                position = small + 1
            }
            let ends = starts.dropFirst() + [scalars.count]
            return zip(starts, ends).map {
                String(String.UnicodeScalarView(scalars[$0..<$1])).lowercased()
            }
        }
    }
}
