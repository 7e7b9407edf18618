package struct Step {}
