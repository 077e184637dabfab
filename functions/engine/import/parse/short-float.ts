/** Returns the number with the fewest digits that equals a 32-bit float: 0.1, not 0.10000000149011612. */
export function shortFloat(value: number): number | null {
  if (!Number.isFinite(value)) return null
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return Number(value.toPrecision(9))
}
