/// A second of the Gregorian calendar in UTC, as property lists write it: `2015-03-01T12:30:00Z`.
package struct CivilTime {
  /// Since 2001-01-01 00:00.
  let seconds: Int

  private static let daysFrom1970To2001 = 11323

  /// Nil for another notation, or a day that does not exist.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let isShaped = zip(bytes, "0000-00-00T00:00:00Z".utf8).allSatisfy { byte, shape in
      shape == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == shape
    }
    guard bytes.count == 20, isShaped else { return nil }
    func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard year > 0, (1...12).contains(month), day > 0, hour < 24, minute < 60, second < 60 else { return nil }
    // Years begin in March, so that the odd day is their last one; 400 years have 146,097 days.
    let years = month > 2 ? year : year - 1
    let days = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let all = 365 * years + years / 4 - years / 100 + years / 400 + days - 719_468
    seconds = (all - Self.daysFrom1970To2001) * 86400 + hour * 3600 + minute * 60 + second
    // The 31st of February turns into a day of March.
    guard self.text == text else { return nil }
  }

  /// Nil outside of the years 1 to 9999.
  package init?(since2001 time: Double) {
    guard time.isFinite, (-63_113_904_000..<252_423_993_600).contains(time) else { return nil }
    seconds = Int(time.rounded(.down))
  }

  package init?(since1970 seconds: Int) {
    self.init(since2001: Double(seconds) - Double(Self.daysFrom1970To2001 * 86400))
  }

  package var text: String {
    let time = (seconds % 86400 + 86400) % 86400
    // Days since the first of March of the year 0, which is before every date here.
    let days = (seconds - time) / 86400 + Self.daysFrom1970To2001 + 719_468
    let (era, rest) = (days / 146_097, days % 146_097)
    let yearOfEra = (rest - rest / 1460 + rest / 36524 - rest / 146_096) / 365
    let dayOfYear = rest - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = 400 * era + yearOfEra + (month > 9 ? 1 : 0)
    func padded(_ number: Int, _ width: Int = 2) -> String {
      String(repeating: "0", count: max(0, width - String(number).utf8.count)) + String(number)
    }
    let date = "\(padded(year, 4))-\(padded((month + 2) % 12 + 1))-\(padded(day))"
    return "\(date)T\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60))Z"
  }
}
