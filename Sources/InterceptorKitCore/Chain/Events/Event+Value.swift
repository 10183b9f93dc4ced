extension Event.Value: CustomStringConvertible {
    /// The value as text.
    public var description: String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .duration(let duration): duration.formattedSeconds
        case .flag(let flag): "\(flag)"
        case .code(let code, let text): text(code)
        }
    }

    // What counts as words, however they are kept.
    private var words: String? {
        switch self {
        case .text, .code: description
        case .number, .duration, .flag: nil
        }
    }
}

extension Event.Value: Hashable {
    /// Whether both are the same fact; a code equals its text.
    public static func == (left: Event.Value, right: Event.Value) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left == right
        case (.duration(let left), .duration(let right)): left == right
        case (.flag(let left), .flag(let right)): left == right
        default: left.words.map { $0 == right.words } ?? false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .number(let number): hasher.combine(number)
        case .duration(let duration): hasher.combine(duration)
        case .flag(let flag): hasher.combine(flag)
        case .text, .code: hasher.combine(words)
        }
    }
}
