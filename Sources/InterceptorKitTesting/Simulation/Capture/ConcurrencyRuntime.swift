#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Functions that the concurrency runtime exports and Swift does not declare, looked up by name; `nil` where a runtime
/// does not have them.
///
/// The functions follow Swift's own calling convention (`ExecutorImpl.h` and `Task.h` of the runtime), which is
/// `@convention(thin)`.
enum ConcurrencyRuntime {
    typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    typealias EnqueueHook = @convention(thin) (UnownedJob, Enqueue) -> Void

    private typealias JobNumber = @convention(thin) (UnownedJob) -> UInt64
    private typealias JobFlags = @convention(thin) (UnownedJob) -> UInt
    private typealias Escalate = @convention(thin) (UnownedJob, UInt) -> UInt

    private static let jobNumberName = "swift_task_getJobTaskId"
    private static let jobFlagsName = "swift_task_getJobFlags"
    private static let escalateName = "swift_task_escalate"

    // Safety: each symbol has had this type since the runtime exported it, and the address of a symbol stays valid: the
    // runtime is never unloaded.
    private static let jobNumber = unsafe symbol(jobNumberName)
        .map { unsafe unsafeBitCast($0, to: JobNumber.self) }
    private static let jobFlags = unsafe symbol(jobFlagsName)
        .map { unsafe unsafeBitCast($0, to: JobFlags.self) }
    private static let escalate = unsafe symbol(escalateName)
        .map { unsafe unsafeBitCast($0, to: Escalate.self) }

    /// The name of a function that capturing needs and this runtime lacks.
    static var missingSymbol: String? {
        jobNumber == nil
            ? jobNumberName : jobFlags == nil ? jobFlagsName : escalate == nil ? escalateName : nil
    }

    /// The runtime's hook: a function that it calls instead of its own each time a job goes to the global executor.
    static var enqueueGlobalHook: UnsafeMutablePointer<EnqueueHook?>? {
        unsafe symbol("swift_task_enqueueGlobal_hook")
            .map { unsafe $0.assumingMemoryBound(to: EnqueueHook?.self) }
    }

    /// Returns a task's number, which no other task of the process ever has; 0 for a job that isn't a task, such as an
    /// actor's turn.
    static func number(of job: UnownedJob) -> UInt64 {
        guard let jobNumber else { return 0 }
        return jobNumber(job)
    }

    /// The number of the task that runs on this thread; 0 if none does.
    static var currentNumber: UInt64 {
        unsafe withUnsafeCurrentTask { task in
            guard let task = unsafe task else { return 0 }
            // Safety: both types are one reference to the task, which runs and so lives.
            return number(of: unsafe unsafeBitCast(task, to: UnownedJob.self))
        }
    }

    /// Returns a job's flags; 0 if they cannot be read.
    static func flags(of job: UnownedJob) -> UInt {
        guard let jobFlags else { return 0 }
        return jobFlags(job)
    }

    /// Whether a task is unstructured: created by `Task { }` or `Task.detached`.
    static func isUnstructured(_ task: UnownedJob) -> Bool {
        jobFlags != nil && flags(of: task) & JobFlagLayout.standard.childBits == 0
    }

    /// Returns whether a task that is not running has ended; `nil` if that is unknown.
    ///
    /// The runtime raises the priority of a task that can still continue, and returns the old one if it has ended. The
    /// task must still be in memory.
    static func hasEnded(_ task: UnownedJob, _ layout: JobFlagLayout = .standard) -> Bool? {
        let highest = UInt(TaskPriority.userInteractive.rawValue)
        guard let escalate, jobFlags != nil,
            flags(of: task) >> layout.priorityShift & 0xFF < highest
        else { return nil }
        return escalate(task, highest) < highest
    }

    private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
        unsafe dlsym(dlopen(nil, RTLD_NOW), name)
    }
}

extension TaskPriority {
    fileprivate static let userInteractive = TaskPriority(rawValue: 0x21)
}

/// The layout of the job flags that capture reads: `JobFlags` in the runtime's `MetadataValues.h`.
struct JobFlagLayout: Sendable {
    /// The bits for a child of a task, of a group, of an `async let`.
    var childBits: UInt = 1 << 24 | 1 << 26 | 1 << 28
    /// The first of the priority's 8 bits.
    var priorityShift: UInt = 8

    static let standard = JobFlagLayout()
}
