#if canImport(Security)
import Security

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A generic password in the keychain of this device only.
struct KeychainItem: Sendable {
    let service: String
    let account: String
    let accessGroup: String?

    /// Returns the item's content; `nil` if there is no item.
    func read() throws(CredentialStoreError) -> Data? {
        var query = query
        query[kSecReturnData] = true
        // Safety: the function stores a retained object in `found`, which ARC then owns, or leaves `nil`.
        var found: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let data = found as? Data else {
            throw failure(.cannotRead, status)
        }
        return data
    }

    func write(_ content: Data) throws(CredentialStoreError) {
        let values: [CFString: Any] = [
            kSecValueData: content,
            // Available to background work, and never copied to another device.
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
        if status == errSecItemNotFound {
            let item = query.merging(values) { _, new in new }
            status = SecItemAdd(item as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw failure(.cannotWrite, status) }
    }

    func remove() throws(CredentialStoreError) {
        let status = SecItemDelete(query as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw failure(.cannotWrite, status)
        }
    }

    private var query: [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service,
            kSecAttrAccount: account, kSecUseDataProtectionKeychain: true,
        ]
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        return query
    }

    private func failure(
        _ code: CredentialStoreError.Code,
        _ status: OSStatus
    ) -> CredentialStoreError {
        CredentialStoreError(code, "The keychain refused with status \(status).")
    }
}
#endif
