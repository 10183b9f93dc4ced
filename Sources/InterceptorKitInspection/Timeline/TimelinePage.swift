import InterceptorKit

/// A self-contained page: its own policy forbids it to fetch anything, and one script draws the data.
///
/// Its parts are the files of `Page`, embedded in the program. `page.html` names the others in double braces:
/// - `model.js` reads the data, independently of the document.
/// - `rows.js` draws calls and their parts. Texts become text nodes only, never markup.
/// - `controls.js` has the details, the keys and the filter.
/// - `style.css` gives each kind a shape beside its colour. The colours by Okabe and Ito differ for people with most
///   kinds of colour blindness.
/// - `details.css` has the panel of details, and styles for narrow windows and paper.
struct TimelinePage {
    let title: String
    /// JSON that is safe in a script element.
    let data: String

    var html: String {
        var page = ""
        var rest = PackageResources.page_html.text[...]
        // In one pass, because braces in a title or in the data name no part.
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
    /// The file's text without its final line break.
    fileprivate var text: String { String(decoding: dropLast(), as: UTF8.self) }
}

extension String {
    /// Returns the text with the special characters of markup escaped.
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
