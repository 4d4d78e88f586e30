"""What the rules of every game are built from: compilation, bits, arrays, cards in a row."""
