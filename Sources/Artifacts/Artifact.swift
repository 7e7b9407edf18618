package struct Artifact {}
