import InterceptorKit

/// The values of structured fields in their canonical form (RFC 9421 sections 2.1.1 and 2.1.2).
enum StructuredRewriting {
    static func member(
        _ key: String,
        of dictionary: HTTP.StructuredField.Dictionary?,
        _ component: MessageComponent
    ) throws(SigningError) -> String {
        let member: String?
        do {
            switch dictionary?[key] {
            case nil: member = nil
            case .item(let item): member = try item.serialized()
            case .innerList(let list): member = try list.serialized()
            }
        } catch {
            throw .invalidComponent(component.description, "The member cannot be written.")
        }
        guard dictionary != nil else {
            throw .invalidComponent(component.description, "The field is not a dictionary.")
        }
        guard let member else { throw .missing(component) }
        return member
    }

    /// Writes a field by its registered type. Others must have one form in all types that parse them.
    static func field(
        _ text: String,
        _ component: MessageComponent
    ) throws(SigningError) -> String {
        let dictionary = try? HTTP.StructuredField.Dictionary(parsing: text).serialized()
        let list = try? HTTP.StructuredField.List(parsing: text).serialized()
        let item = try? HTTP.StructuredField.Item(parsing: text).serialized()
        let forms =
            dictionaries.contains(component.name)
            ? [dictionary].compactMap(\.self) : [dictionary, list, item].compactMap(\.self)
        guard let form = forms.first else {
            throw .invalidComponent(component.description, "The field is not a structured field.")
        }
        guard forms.allSatisfy({ $0 == form }) else {
            throw .invalidComponent(
                component.description,
                "The field can be read as a list and as a dictionary, which differ; cover it without sf."
            )
        }
        return form
    }

    /// Fields that are registered as dictionaries (RFC 9218, 9211, 9213, 9421 and 9530).
    private static let dictionaries: Set<String> = [
        "accept-signature", "cdn-cache-control", "content-digest", "priority", "repr-digest",
        "signature", "signature-input", "want-content-digest", "want-repr-digest",
    ]
}
