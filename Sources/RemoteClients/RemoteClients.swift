package import Remote

/// The clients that this program has.
package enum RemoteClients {
  /// The client for the server that the settings name.
  package static func client(_ settings: RemoteSettings) -> any RemoteCache {
    let limits = RequestLimits(timeout: settings.timeout, retries: settings.retries)
    #if REAPI
      if settings.url.isForGRPC {
        return REAPICache(settings.url, limits, settings.access, properties: settings.properties)
      }
    #endif
    return HTTPCache(settings.url, limits, settings.access)
  }
}
