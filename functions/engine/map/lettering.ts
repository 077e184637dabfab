/** How large the words of a drawing are, in its units. */
export interface Lettering {
  fontSize: number
  /** For a place in which the drawing is shown at half of its size. */
  isNarrow: boolean
}

const wide: Lettering = { fontSize: 11, isNarrow: false }

/**
 * Words of a drawing that pages make as narrow as a phone, in which they would be six pixels high: written twice, once larger and fewer. A page that is
 * narrow sets `--map-wide` and `--map-narrow`; elsewhere the first are shown. `isFixed`: it is shown in its own size, so once.
 */
export function writeTwice(width: number, isFixed: boolean, draw: (lettering: Lettering) => string): string {
  const svg = draw(wide)
  if (isFixed) return svg
  // 11 pixels where the drawing is 350 pixels wide, as on a phone.
  const large = draw({ fontSize: Math.max(wide.fontSize, Math.round(width / 32)), isNarrow: true })
  if (svg === '' && large === '') return ''
  return `<g display="var(--map-wide,inline)">${svg}</g><g display="var(--map-narrow,none)">${large}</g>`
}
