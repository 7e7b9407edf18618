package struct Entry {}
