package struct Manifest {}
