/** Formats a share in percent: never 0 for a part above 0, never 100 for less than all. `whole` must not be 0. */
export function formatPercent(part: number, whole: number, locale: string): string {
  const share = part / whole
  // Below one percent two significant digits; else truncated, not rounded, to one decimal.
  const percentShown = share < 0.01 ? Number(share.toPrecision(2)) : Math.floor(share * 1000) / 1000
  return new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 4 }).format(percentShown)
}
