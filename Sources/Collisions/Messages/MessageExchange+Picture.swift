import Artifacts
package import Findings

extension MessageExchange {
  /// An event without subscribers has no arrow, because it is no mistake.
  package var picture: MessagePicture {
    var arrows: [MessagePicture.Arrow] = []
    for channel in channels {
      let label = "\(channel.kind.noun) \(channel.name)"
      let from = channel.senders.plugins.map(MessagePicture.End.plugin)
      let to = channel.receivers.plugins.map(MessagePicture.End.plugin)
      if channel.isUnhandled {
        arrows += from.map { .init(from: $0, to: .nobody, label: label) }
        arrows += to.map { .init(from: .nobody, to: $0, label: label) }
      } else if from.count > 1, to.count > 1 {
        arrows += from.map { .init(from: $0, to: .message(label), label: "") }
        arrows += to.map { .init(from: .message(label), to: $0, label: "") }
      } else {
        for from in from { arrows += to.map { .init(from: from, to: $0, label: label) } }
      }
    }
    return MessagePicture(plugins: plugins, arrows)
  }
}
