package struct Rule {}
