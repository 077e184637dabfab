const formats = new Map<number, Intl.NumberFormat>()

/** Formats a number of the workspace, whose words are English, with separators. `mostDecimals`: further ones are rounded. */
export function formatNumber(n: number, mostDecimals = 3): string {
  let format = formats.get(mostDecimals)
  if (!format) {
    format = new Intl.NumberFormat('en', { maximumFractionDigits: mostDecimals })
    formats.set(mostDecimals, format)
  }
  return format.format(n)
}
