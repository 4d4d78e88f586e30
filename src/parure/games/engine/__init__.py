"""The parts that the rules of every game are built from.

Compilation (`jit`), bit operations (`bits`, `simd`), atomic operations (`atomics`), random numbers
(`rng`), the layout of a row (`row_layout`), cards in a row (`card_storage`), payments (`payment`),
tables of decisions (`decision_table`), and card files (`card_files`).
"""
