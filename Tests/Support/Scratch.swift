package struct Scratch {}
