package struct Finding {}
