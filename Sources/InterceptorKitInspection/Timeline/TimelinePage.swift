import InterceptorKit

/// A page that stands alone: nothing is fetched, by a policy of its own, and one script draws the data.
///
/// Its parts are the files of `Page`, which are bytes in the program. `page.html` names the others in double braces:
/// - `model.js` reads the data, and knows nothing of the document.
/// - `rows.js` draws calls and what is in them. Texts become text nodes only, never markup.
/// - `controls.js` has the details, the keys and the filter.
/// - `style.css` gives each kind a shape beside its colour. The colours are by Okabe and Ito: most kinds of colour
///   blindness tell them apart.
/// - `details.css` has the panel of details, narrow windows and paper.
struct TimelinePage {
    let title: String
    /// JSON that can stand in a script element.
    let data: String

    var html: String {
        var page = ""
        var rest = PackageResources.page_html.text[...]
        // In one pass: what stands in braces in a title or in the data is no name.
        while let start = rest.byteRange(of: "{{"), let end = rest.byteRange(of: "}}") {
            page += rest[..<start.lowerBound]
            page += part(rest[start.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        page += rest
        return page + "\n"
    }

    private func part(_ name: Substring) -> String {
        switch name {
        case "title": title.markupText
        case "data": data
        case "style.css": PackageResources.style_css.text
        case "details.css": PackageResources.details_css.text
        case "model.js": PackageResources.model_js.text
        case "rows.js": PackageResources.rows_js.text
        case "controls.js": PackageResources.controls_js.text
        default: ""
        }
    }
}

extension [UInt8] {
    /// A file's text without the end of its last line.
    fileprivate var text: String { String(decoding: dropLast(), as: UTF8.self) }
}

extension String {
    /// The text with what markup gives a meaning to replaced.
    fileprivate var markupText: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
