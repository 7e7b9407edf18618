package struct Digest {}
