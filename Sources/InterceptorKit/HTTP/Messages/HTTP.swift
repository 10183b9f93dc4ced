/// The namespace of the HTTP types, which are values without I/O.
///
/// Terms follow RFC 9110. The namespace avoids clashes with names like `HTTPRequest` and `Request` of other packages.
public enum HTTP {}
