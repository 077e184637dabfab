/** A share in percent: never 0 of what there is, never 100 of what is not all. `whole` is not 0. */
export function percentOf(part: number, whole: number, locale: string): string {
  const share = part / whole
  // Below one percent two digits that say something; else cut, not rounded, to one place.
  const percentShown = share < 0.01 ? Number(share.toPrecision(2)) : Math.floor(share * 1000) / 1000
  return new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 4 }).format(percentShown)
}
