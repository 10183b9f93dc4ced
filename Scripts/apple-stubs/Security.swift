// What the sources use of the Security framework. Scripts/check-apple writes `as CFDictionary` as a property.
public typealias CFTypeRef = AnyObject
public typealias CFString = String
public typealias OSStatus = Int32
public final class CFDictionary {}

extension Dictionary {
    public var asCFDictionary: CFDictionary { CFDictionary() }
}

public let errSecSuccess: OSStatus = 0
public let errSecItemNotFound: OSStatus = -25300
public let kSecAttrAccessGroup = "agrp"
public let kSecAttrAccessible = "pdmn"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = "cku"
public let kSecAttrAccount = "acct"
public let kSecAttrService = "svce"
public let kSecClass = "class"
public let kSecClassGenericPassword = "genp"
public let kSecReturnData = "r_Data"
public let kSecUseDataProtectionKeychain = "nleg"
public let kSecValueData = "v_Data"

public func SecItemAdd(_ item: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemCopyMatching(
    _ query: CFDictionary,
    _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus { 0 }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }
public func SecItemUpdate(_ query: CFDictionary, _ values: CFDictionary) -> OSStatus { 0 }
