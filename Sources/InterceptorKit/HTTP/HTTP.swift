/// The namespace of the HTTP vocabulary: values without I/O.
///
/// Words follow RFC 9110. The names live in a namespace because `HTTPRequest` and `Request` are taken
/// by the packages people use beside this one.
public enum HTTP {}
