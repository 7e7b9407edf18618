package struct FormatError: Error {}
