import ArgumentParser
import Packaging
import Synchronization

/// A run of a command that only reads, whose output is kept as the answer to the next run in which nothing has changed.
enum RecordedRun {
  private static let printed = Mutex<[StoredAnswer.Part]?>(nil)

  /// In bytes of output. Printing more takes longer than finding it out does.
  private static let limit = 16 << 20

  /// Prints the stored answer and ends the process, if there is one. `words` are the arguments of the process.
  static func answer(_ words: [String]) {
    guard words.first == CheckCommand.configuration.commandName,
      let answer = StoredAnswer.find(CommandLine.arguments)
    else { return }
    ignoreClosedPipes()
    for part in answer.parts {
      if part.isError { Console.writeError(part.bytes) } else { Console.writeOutput(part.bytes) }
    }
    endProcess(answer.status)
  }

  static func run(_ body: () async throws -> Void) async throws {
    let recording = StoredAnswer.Recording(CommandLine.arguments)
    printed.withLock { $0 = [] }
    do { try await body() } catch {
      // After status 2 something could not be read, and the reason may have gone the next time.
      end(recording, (error as? ExitCode).flatMap { $0.rawValue == 1 ? 1 : nil })
      throw error
    }
    end(recording, 0)
  }

  private static func end(_ recording: StoredAnswer.Recording, _ status: Int32?) {
    let parts = printed.withLock { $0.take() } ?? []
    let isShort = parts.reduce(0) { $0 + $1.bytes.count } <= limit
    recording.end(isShort ? status.map { StoredAnswer(status: $0, parts) } : nil)
  }

  /// Called with all that is printed.
  static func add(_ bytes: [UInt8], isError: Bool) {
    printed.withLock { $0?.append(StoredAnswer.Part(isError: isError, bytes)) }
  }
}
