int größe; shared int é = "ü;
