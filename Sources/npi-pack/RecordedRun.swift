import ArgumentParser
import Packaging
import Synchronization

/// A run of a command that only reads, whose output is kept as the answer to the next run in which nothing has changed.
enum RecordedRun {
  private static let printed = Mutex<Printed?>(nil)

  private struct Printed {
    var parts: [StoredAnswer.Part] = []
    /// In bytes.
    var size = 0
  }

  /// In bytes of output. Printing more takes longer than finding it out does.
  private static let limit = 16 << 20

  private static let commands = [CheckCommand.configuration.commandName, LintCommand.configuration.commandName]

  /// Prints the stored answer and ends the process, if there is one. `words` are the arguments of the process.
  static func answer(_ words: [String]) {
    guard let command = CommandWords.commandFirst(words).first, commands.contains(command),
      let answer = StoredAnswer.find(CommandLine.arguments)
    else { return }
    for part in answer.parts {
      if part.isError { Console.writeError(part.bytes) } else { Console.writeOutput(part.bytes) }
    }
    endProcess(answer.status)
  }

  static func run(_ body: () async throws -> Void) async throws {
    let recording = StoredAnswer.Recording(CommandLine.arguments)
    printed.withLock { $0 = Printed() }
    do { try await body() } catch {
      // After status 2 something could not be read, and the reason may have gone the next time.
      end(recording, (error as? ExitCode).flatMap { $0.rawValue == 1 ? 1 : nil })
      throw error
    }
    end(recording, 0)
  }

  private static func end(_ recording: StoredAnswer.Recording, _ status: Int32?) {
    let printed = printed.withLock { $0.take() }
    recording.end(status.flatMap { status in printed.map { StoredAnswer(status: status, $0.parts) } })
  }

  /// Called with all that is printed.
  static func add(_ bytes: [UInt8], isError: Bool) {
    printed.withLock { printed in
      guard var own = printed.take(), own.size + bytes.count <= limit else { return }
      own.parts.append(StoredAnswer.Part(isError: isError, bytes))
      own.size += bytes.count
      printed = own
    }
  }
}
